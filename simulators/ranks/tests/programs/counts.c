/* The compiler's start files have a variable of this name. */
#include "mgen.h"

static int count(void) {
    static int completed;
    return ++completed;
}

int MGEN_Main(int argc, char **argv) {
    (void)argc;
    (void)argv;
    MGEN_Barrier(MGEN_COMM_WORLD);
    return count() == 1 ? 0 : 6;
}
