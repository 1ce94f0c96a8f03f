#include "sum.h"
#include "mgen.h"

static _Thread_local int calls;

int sum(int factor) {
    calls++;
    MGEN_Comp(0);
    return ++calls * factor;
}
