/* One collective by all ranks, without data. Arguments: its name, the bytes of its block. */
#include "mgen.h"
#include <stdlib.h>
#include <string.h>

int MGEN_Main(int argc, char **argv) {
    const char *name = argc > 1 ? argv[1] : "";
    int bytes = argc > 2 ? atoi(argv[2]) : 0;
    MGEN_Comm world = MGEN_COMM_WORLD;
    if (strcmp(name, "barrier") == 0) {
        return MGEN_Barrier(world);
    }
    if (strcmp(name, "bcast") == 0) {
        return MGEN_Bcast(NULL, bytes, MGEN_BYTE, 0, world);
    }
    if (strcmp(name, "reduce") == 0) {
        return MGEN_Reduce(NULL, NULL, bytes / 8, MGEN_DOUBLE, MGEN_SUM, 0, world);
    }
    if (strcmp(name, "allreduce") == 0) {
        return MGEN_Allreduce(NULL, NULL, bytes / 8, MGEN_DOUBLE, MGEN_SUM, world);
    }
    if (strcmp(name, "gather") == 0) {
        return MGEN_Gather(NULL, bytes, MGEN_BYTE, NULL, bytes, MGEN_BYTE, 0, world);
    }
    if (strcmp(name, "scatter") == 0) {
        return MGEN_Scatter(NULL, bytes, MGEN_BYTE, NULL, bytes, MGEN_BYTE, 0, world);
    }
    if (strcmp(name, "allgather") == 0) {
        return MGEN_Allgather(NULL, bytes, MGEN_BYTE, NULL, bytes, MGEN_BYTE, world);
    }
    return MGEN_Alltoall(NULL, bytes, MGEN_BYTE, NULL, bytes, MGEN_BYTE, world);
}
