/* A barrier of one-sided puts round a ring: p - 1 times a rank puts 8 bytes to the next rank and
 * waits for the put of the rank before. All puts have the tag 0, so that a poll takes any one of
 * them.
 *
 * Source: NSIM-ACE, the barrier by a ring.
 * Metrics: program_time_s. */
#include "mgen.h"

int MGEN_Main(int argc, char **argv) {
    int rank;
    int size;
    MGEN_acp_handle handle = 0;
    (void)argc;
    (void)argv;
    MGEN_Comm_rank(MGEN_COMM_WORLD, &rank);
    MGEN_Comm_size(MGEN_COMM_WORLD, &size);
    for (int step = 1; step < size; step++) {
        handle = MGEN_rdma_put((rank + 1) % size, 8, 0);
        MGEN_rdma_poll(0);
    }
    if (size > 1) {
        MGEN_acp_complete(handle);
    }
    return 0;
}
