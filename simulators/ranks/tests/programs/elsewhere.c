/* Hands out the address of a global, and returns what it holds in the end. */
#include "mgen.h"

static int mine = 7;

int MGEN_Main(int argc, char **argv) {
    (void)argc;
    (void)argv;
    MGEN_Comm_rank(MGEN_COMM_WORLD, &mine);
    return mine;
}
