/* Hands out the address of a global, and returns what it holds in the end. */
#include "mgen.h"

static int own = 7;

int MGEN_Main(int argc, char **argv) {
    (void)argc;
    (void)argv;
    MGEN_Comm_rank(MGEN_COMM_WORLD, &own);
    return own;
}
