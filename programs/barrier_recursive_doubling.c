/* A barrier of one-sided puts by recursive doubling, for any number of ranks: those above the
 * largest power of two put to a partner before, and get a put from it after. The tag of a put is
 * the rank that puts.
 *
 * Source: NSIM-ACE, the barrier by recursive doubling.
 * Metrics: program_time_s. */
#include "mgen.h"

enum { BYTES = 8, MOST_STEPS = 34 };

int MGEN_Main(int argc, char **argv) {
    int rank;
    int size;
    int power = 1;
    int count = 0;
    MGEN_acp_handle handles[MOST_STEPS];
    (void)argc;
    (void)argv;
    MGEN_Comm_rank(MGEN_COMM_WORLD, &rank);
    MGEN_Comm_size(MGEN_COMM_WORLD, &size);
    while (power <= size / 2) {
        power *= 2;
    }
    if (rank >= power) {
        handles[count++] = MGEN_rdma_put(rank - power, BYTES, rank);
        MGEN_rdma_poll(rank - power);
    } else {
        int has_guest = rank < size - power;
        if (has_guest) {
            MGEN_rdma_poll(rank + power);
        }
        for (int mask = 1; mask < power; mask *= 2) {
            handles[count++] = MGEN_rdma_put(rank ^ mask, BYTES, rank);
            MGEN_rdma_poll(rank ^ mask);
        }
        if (has_guest) {
            handles[count++] = MGEN_rdma_put(rank + power, BYTES, rank);
        }
    }
    for (int i = 0; i < count; i++) {
        MGEN_acp_complete(handles[i]);
    }
    return 0;
}
