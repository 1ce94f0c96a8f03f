/* Every rank counts for itself in a global, a static global and a static local. */
#include "mgen.h"

int counter = 5;
static int hidden;

static int local(void) {
    static int calls = 100;
    return ++calls;
}

int MGEN_Main(int argc, char **argv) {
    (void)argv;
    for (int step = 0; step < 3; step++) {
        counter++;
        hidden += 10;
        local();
        MGEN_Comp(0.0);
    }
    return counter * 1000000 + hidden * 10000 + local() * 10 + argc;
}
