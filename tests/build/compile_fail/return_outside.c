/* SPDX-License-Identifier: MIT */
/* FLOW_RETURN and FLOW_FAIL outside a flow function. */
/* expect-gcc: 'return' with a value, in function returning void */
/* expect-gcc: incompatible types when returning */
/* expect-gcc: undeclared */
/* expect-clang: void function .* should not return a value */
/* expect-clang: incompatible result type */
/* expect-clang: undeclared identifier */
#include "flow/flow.h"

void leave(int *done);
int count(int *done);
int give_up(int *done);

#ifdef GOOD
void leave(int *done)
{
    *done = 1;
}
int count(int *done)
{
    return *done;
}
int give_up(int *done)
{
    return -*done;
}
#else
void leave(int *done)
{
    *done = 1;
    FLOW_RETURN; /* BAD */
}
int count(int *done)
{
    *done = 1;
    FLOW_RETURN; /* BAD */
}
int give_up(int *done)
{
    *done = 1;
    FLOW_FAIL(7, "no"); /* BAD */
}
#endif
