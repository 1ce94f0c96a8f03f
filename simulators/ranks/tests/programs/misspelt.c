#include "mgen.h"

int MGEN_Main(int argc, char **argv) {
    (void)argc;
    (void)argv;
    MGEN_Barier(MGEN_COMM_WORLD);
    return 0;
}
