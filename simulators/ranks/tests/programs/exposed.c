/* Puts and gets of data in globals, which every rank has for itself. */
#include "mgen.h"

static int memory[4] = {-1, -1, -1, -1};
static int fetched[2];

int MGEN_Main(int argc, char **argv) {
    int rank, ranks, next, before;
    (void)argc;
    (void)argv;
    MGEN_Comm_rank(MGEN_COMM_WORLD, &rank);
    MGEN_Comm_size(MGEN_COMM_WORLD, &ranks);
    next = (rank + 1) % ranks;
    before = (rank + ranks - 1) % ranks;
    MGEN_rdma_expose(memory, sizeof memory);
    memory[0] = 10 * rank;
    MGEN_Barrier(MGEN_COMM_WORLD);
    int value = 100 + rank;
    MGEN_rdma_complete(MGEN_rdma_put_data(next, &value, sizeof value, 2 * sizeof value, 7));
    MGEN_rdma_poll(7);
    if (memory[2] != 100 + before || memory[1] != -1 || memory[3] != -1) {
        return 1;
    }
    MGEN_rdma_complete(MGEN_rdma_get_data(next, fetched, sizeof fetched, 0, 8));
    if (fetched[0] != 10 * next || fetched[1] != -1) {
        return 2;
    }
    MGEN_Barrier(MGEN_COMM_WORLD);
    return 0;
}
