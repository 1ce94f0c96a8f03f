/* A barrier of one-sided puts in ceil(log2 p) steps: in step k a rank puts 8 bytes to rank + 2^k,
 * with the tag k.
 *
 * Source: D. Hensgen, R. Finkel, U. Manber, Int. J. Parallel Programming 17 (1988), with the puts
 * of NSIM-ACE. Metrics: program_time_s. */
#include "mgen.h"

enum { BYTES = 8, MOST_STEPS = 32 };

int MGEN_Main(int argc, char **argv) {
    int rank;
    int size;
    int steps = 0;
    MGEN_acp_handle handles[MOST_STEPS];
    (void)argc;
    (void)argv;
    MGEN_Comm_rank(MGEN_COMM_WORLD, &rank);
    MGEN_Comm_size(MGEN_COMM_WORLD, &size);
    for (long distance = 1; distance < size; distance *= 2) {
        handles[steps] = MGEN_rdma_put((int)((rank + distance) % size), BYTES, steps);
        MGEN_rdma_poll(steps);
        steps++;
    }
    for (int i = 0; i < steps; i++) {
        MGEN_acp_complete(handles[i]);
    }
    return 0;
}
