/* Globals of many pages, some with values from the start. */
#include "mgen.h"

static int field[200000];
static int begun[100000] = {[70000] = 1, [99999] = 5};

int MGEN_Main(int argc, char **argv) {
    (void)argv;
    int sum = 0;
    for (int i = 0; i < 200000; i++) {
        sum += field[i];
        field[i] = argc;
    }
    if (sum != 0 || begun[70000] != 1 || begun[99999] != 5) {
        return -1;
    }
    begun[99999] = begun[70000] = 2;
    MGEN_Comm_rank(MGEN_COMM_WORLD, &field[100000]);
    return begun[99999] == 2 && field[199999] == argc ? field[100000] : -2;
}
