#include "mgen.h"

int MGEN_Main(int argc, char **argv) {
    (void)argv;
    return argc - 2;
}
