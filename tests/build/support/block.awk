# SPDX-License-Identifier: MIT
#
# Prints the fenced block that follows a marker line of a Markdown file. Usage: awk -f block.awk marker=TEXT FILE
# Exits 1 when there is none.
$0 == marker        { waiting = 1; next }
waiting && /^```/   { waiting = 0; inside = 1; found = 1; next }
inside && /^```/    { exit }
inside              { print }
END                 { exit !found }
