#include "mgen.h"

double field[100000];
static volatile char small[100];

int MGEN_Main(int argc, char **argv) {
    (void)argv;
    small[argc] = 1;
    field[argc] = small[argc];
    return (int)field[1];
}
