# SPDX-License-Identifier: MIT
#
# emberline_warnings(target): the warnings under which everything here is clean, and the two code generation flags
# that make a simulation give the same bits with every compiler. -Werror is left to the presets.
function(emberline_warnings target)
    set(common
        -Wall -Wextra -Wpedantic -Wshadow -Wundef -Wconversion -Wsign-conversion -Wdouble-promotion -Wcast-qual
        -Wcast-align -Wwrite-strings -Wvla -Wformat=2 -Wimplicit-fallthrough -Wswitch-enum -Wstrict-prototypes
        -Wmissing-prototypes -ffp-contract=off -fno-common)
    if(CMAKE_C_COMPILER_ID STREQUAL "GNU")
        target_compile_options(${target} PRIVATE ${common} -Wjump-misses-init -Wlogical-op -Wduplicated-cond)
    elseif(CMAKE_C_COMPILER_ID MATCHES "Clang" AND NOT MSVC)
        target_compile_options(${target} PRIVATE ${common} -Wconditional-uninitialized -Wcomma -Wassign-enum)
    elseif(MSVC)
        target_compile_options(${target} PRIVATE /W4)
    endif()
endfunction()
