#include "mgen.h"

static _Thread_local int per_thread = 3;

int MGEN_Main(int argc, char **argv) {
    (void)argv;
    per_thread += argc;
    MGEN_Comp(0);
    return per_thread + argc;
}
