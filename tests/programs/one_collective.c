/* One collective of the given size, without data. */
#include "mgen.h"
#include <stdlib.h>
#include <string.h>

static int is(const char *asked, const char *name) {
    return strcmp(asked, name) == 0;
}

int MGEN_Main(int argc, char **argv) {
    int n = atoi(argv[1]);
    const char *asked = argc > 2 ? argv[2] : "";
    MGEN_Comm world = MGEN_COMM_WORLD;
    if (is(asked, "barrier")) {
        return MGEN_Barrier(world);
    }
    if (is(asked, "bcast")) {
        return MGEN_Bcast(NULL, n, MGEN_BYTE, 0, world);
    }
    if (is(asked, "reduce")) {
        return MGEN_Reduce(NULL, NULL, n, MGEN_BYTE, MGEN_BOR, 0, world);
    }
    if (is(asked, "allreduce")) {
        return MGEN_Allreduce(NULL, NULL, n, MGEN_BYTE, MGEN_BOR, world);
    }
    if (is(asked, "gather")) {
        return MGEN_Gather(NULL, n, MGEN_BYTE, NULL, n, MGEN_BYTE, 0, world);
    }
    if (is(asked, "scatter")) {
        return MGEN_Scatter(NULL, n, MGEN_BYTE, NULL, n, MGEN_BYTE, 0, world);
    }
    if (is(asked, "allgather")) {
        return MGEN_Allgather(NULL, n, MGEN_BYTE, NULL, n, MGEN_BYTE, world);
    }
    return is(asked, "alltoall") ? MGEN_Alltoall(NULL, n, MGEN_BYTE, NULL, n, MGEN_BYTE, world) : 9;
}
