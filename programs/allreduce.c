/* The sum of vectors of doubles of all ranks, for all ranks. The message size is that of the
 * vector.
 *
 * Arguments: message size in bytes, a multiple of 8.
 * Metrics:
 *   collective_time_s  MGEN_Allreduce: the MPI library's, or the algorithm that the engine's option
 *                      allreduce_algorithm names
 *
 * The operation begins after a barrier and takes as long as its slowest rank. The program checks
 * the sums. In the simulator, messages carry data if the vectors of all ranks together have at most
 * MOST_BYTES, else only their sizes. Adding takes no time there. */
#include "arguments.h"
#include "mgen.h"
#include "mgen_buffers.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define MGEN_SIZE_MULTIPLE 8

#ifdef MGEN_OVER_MPI
static const double MOST_BYTES = HUGE_VAL;
#else
static const double MOST_BYTES = 1e9;
#endif

struct vectors {
    int rank;
    int size;
    int count;
    double *own;
    double *sum;
};

/* Integers, so that every order of adding them gives the same sum. */
static void fill(const struct vectors *all) {
    for (int i = 0; all->own != NULL && i < all->count; i++) {
        all->own[i] = all->rank + i % 1000;
        all->sum[i] = -1;
    }
}

/* Ends the program if a sum is wrong. */
static void check(const struct vectors *all) {
    double ranks = all->size * (all->size - 1.0) / 2;
    for (int i = 0; all->sum != NULL && i < all->count; i++) {
        double expected = ranks + (double)all->size * (i % 1000);
        if (all->sum[i] != expected) {
            fprintf(stderr, "allreduce: element %d of %d is %g on rank %d, not %g\n", i, all->count,
                    all->sum[i], all->rank, expected);
            MGEN_Abort(MGEN_COMM_WORLD, 1);
        }
    }
}

int MGEN_Main(int argc, char **argv) {
    MGEN_Arguments given = {argc, argv, 0};
    int bytes = MGEN_Argument_int(&given, 1, "message size in bytes", 0, -1);
    struct vectors all = {.count = bytes / (int)sizeof(double)};
    MGEN_Comm_rank(MGEN_COMM_WORLD, &all.rank);
    MGEN_Comm_size(MGEN_COMM_WORLD, &all.size);
    if (given.wrong > 0) {
        return 2;
    }
    if (bytes % MGEN_SIZE_MULTIPLE != 0) {
        if (all.rank == 0) {
            fprintf(stderr,
                    "allreduce adds doubles: give a message size that is a multiple of %d\n",
                    MGEN_SIZE_MULTIPLE);
        }
        return 2;
    }
    if (2.0 * all.size * bytes <= MOST_BYTES) {
        all.own = MGEN_Buffer((size_t)bytes);
        all.sum = MGEN_Buffer((size_t)bytes);
        if (all.own == NULL || all.sum == NULL) {
            fprintf(stderr, "no memory for vectors of %d bytes\n", bytes);
            return 1;
        }
    }
    fill(&all);
    MGEN_Barrier(MGEN_COMM_WORLD);
    double start = MGEN_Wtime();
    MGEN_Allreduce(all.own, all.sum, all.count, MGEN_DOUBLE, MGEN_SUM, MGEN_COMM_WORLD);
    MGEN_Sample("collective_time_s", MGEN_Wtime() - start);
    check(&all);
    free(all.sum);
    free(all.own);
    return 0;
}
