#include "mgen.h"

static _Thread_local int per_thread;

int MGEN_Main(int argc, char **argv) {
    (void)argv;
    per_thread += argc;
    return per_thread;
}
