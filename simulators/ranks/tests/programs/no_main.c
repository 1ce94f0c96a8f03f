#include "mgen.h"

int MGEN_Mian(int argc, char **argv) {
    (void)argv;
    return argc;
}
