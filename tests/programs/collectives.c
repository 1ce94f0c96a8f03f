/* Compares the collectives of programs/lib with those of the MPI library: all algorithms, roots,
 * several types and operators, in place and not. Ends with 0 where everything is equal. */
#include "collective.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EACH(list) for (size_t i = 0; i < sizeof(list) / sizeof *(list); i++)

enum { COUNT = 13, MOST = 8 * 7 * COUNT };

static int rank;
static int size;
static int failures;

static void compare(const char *what, const char *algorithm, const void *found, const void *wanted,
                    size_t bytes) {
    if (memcmp(found, wanted, bytes) != 0) {
        fprintf(stderr, "%s %s: rank %d of %d got something else than the library\n", what,
                algorithm, rank, size);
        failures++;
    }
}

static void fill(void *buffer, size_t bytes, int seed) {
    unsigned char *at = buffer;
    for (size_t i = 0; i < bytes; i++) {
        at[i] = (unsigned char)(seed * 37 + rank * 11 + (int)i * 7);
    }
}

/* Small whole numbers, so that the order of sums does not matter. */
static void fill_numbers(void *buffer, MGEN_Datatype type, int count) {
    for (int i = 0; i < count; i++) {
        int value = (rank * 5 + i * 3) % 7 + 1;
        if (type == MGEN_INT) {
            ((int *)buffer)[i] = value;
        } else if (type == MGEN_LONG) {
            ((long *)buffer)[i] = value;
        } else if (type == MGEN_FLOAT) {
            ((float *)buffer)[i] = (float)value;
        } else {
            ((double *)buffer)[i] = value;
        }
    }
}

static void reductions(const char *algorithm, int is_all, MGEN_Datatype type, MGEN_Op op) {
    long own[COUNT];
    long found[COUNT];
    long wanted[COUNT];
    size_t bytes = COUNT * mgen_type_size(type);
    for (int root = 0; root < (is_all ? 1 : size); root++) {
        for (int in_place = 0; in_place < 2; in_place++) {
            fill_numbers(own, type, COUNT);
            fill_numbers(found, type, COUNT);
            MPI_Allreduce(own, wanted, COUNT, type, op, MPI_COMM_WORLD);
            const void *sent = in_place && (is_all || rank == root) ? MGEN_IN_PLACE : own;
            if (is_all) {
                mgen_collective_allreduce(algorithm, sent, found, COUNT, type, op, MPI_COMM_WORLD);
            } else {
                mgen_collective_reduce(algorithm, sent, found, COUNT, type, op, root,
                                       MPI_COMM_WORLD);
            }
            if (is_all || rank == root) {
                compare(is_all ? "allreduce" : "reduce", algorithm, found, wanted, bytes);
            }
        }
    }
}

static void broadcasts(const char *algorithm, size_t bytes) {
    char found[MOST];
    char wanted[MOST];
    for (int root = 0; root < size; root++) {
        fill(found, bytes, root);
        fill(wanted, bytes, root);
        MPI_Bcast(wanted, (int)bytes, MPI_BYTE, root, MPI_COMM_WORLD);
        mgen_collective_bcast(algorithm, found, bytes, root, MPI_COMM_WORLD);
        compare("bcast", algorithm, found, wanted, bytes);
    }
}

static void gathers(const char *algorithm, int in_place) {
    char own[COUNT];
    char found[MOST];
    char wanted[MOST];
    for (int root = 0; root < size; root++) {
        int is_root = rank == root;
        fill(own, COUNT, root);
        memset(found, 0, sizeof found);
        memset(wanted, 0, sizeof wanted);
        memcpy(found + root * COUNT, own, is_root && in_place ? COUNT : 0);
        MPI_Gather(own, COUNT, MPI_BYTE, wanted, COUNT, MPI_BYTE, root, MPI_COMM_WORLD);
        mgen_collective_gather(algorithm, is_root && in_place ? MGEN_IN_PLACE : own, found, COUNT,
                               root, MPI_COMM_WORLD);
        compare("gather", algorithm, found, wanted, sizeof wanted);
        fill(found, sizeof found, root);
        char taken[COUNT] = {0};
        MPI_Scatter(found, COUNT, MPI_BYTE, own, COUNT, MPI_BYTE, root, MPI_COMM_WORLD);
        mgen_collective_scatter(algorithm, found, is_root && in_place ? MGEN_IN_PLACE : taken,
                                COUNT, root, MPI_COMM_WORLD);
        if (!is_root || !in_place) {
            compare("scatter", algorithm, taken, own, COUNT);
        }
    }
}

static void exchanges(const char *algorithm, int is_personal, int in_place) {
    char own[MOST];
    char found[MOST];
    char wanted[MOST];
    memset(found, 0, sizeof found);
    memset(wanted, 0, sizeof wanted);
    fill(own, sizeof own, 3);
    if (is_personal) {
        memcpy(found, own, in_place ? (size_t)(size * COUNT) : 0);
        MPI_Alltoall(own, COUNT, MPI_BYTE, wanted, COUNT, MPI_BYTE, MPI_COMM_WORLD);
        mgen_collective_alltoall(algorithm, in_place ? MGEN_IN_PLACE : own, found, COUNT,
                                 MPI_COMM_WORLD);
    } else {
        memcpy(found + rank * COUNT, own, in_place ? COUNT : 0);
        MPI_Allgather(own, COUNT, MPI_BYTE, wanted, COUNT, MPI_BYTE, MPI_COMM_WORLD);
        mgen_collective_allgather(algorithm, in_place ? MGEN_IN_PLACE : own, found, COUNT,
                                  MPI_COMM_WORLD);
    }
    compare(is_personal ? "alltoall" : "allgather", algorithm, found, wanted, sizeof wanted);
}

static void unequal(int in_place) {
    int counts[8];
    int places[8];
    int own[64];
    int found[64];
    int wanted[64];
    memset(found, 0, sizeof found);
    memset(wanted, 0, sizeof wanted);
    fill(own, sizeof own, 9);
    int used = 0;
    for (int peer = 0; peer < size; peer++) {
        counts[peer] = (rank + peer) % 3; /* the same seen from both sides */
        places[peer] = used;
        used += counts[peer] + 1;
    }
    if (in_place) {
        memcpy(found, own, sizeof found);
        memcpy(wanted, own, sizeof wanted);
    }
    MPI_Alltoallv(own, counts, places, MPI_INT, wanted, counts, places, MPI_INT, MPI_COMM_WORLD);
    mgen_collective_alltoallv(in_place ? MGEN_IN_PLACE : own, counts, places, sizeof(int), found,
                              counts, places, sizeof(int), MPI_COMM_WORLD);
    compare("alltoallv", in_place ? "in place" : "", found, wanted, sizeof wanted);
}

/* Without buffers nothing may be touched, and everything must end. */
static void sizes_only(void) {
    static const char *const NAMES[] = {"pairwise",
                                        "bruck",
                                        "ring",
                                        "linear",
                                        "rabenseifner",
                                        "recursive_doubling",
                                        "scatter_allgather",
                                        "binomial",
                                        "scatter_ring_allgather",
                                        "chain",
                                        "binary",
                                        "split_binary",
                                        "knomial",
                                        "in_order_binary",
                                        "linear_nonblocking",
                                        "neighbor_exchange",
                                        "scattered"};
    EACH(NAMES) {
        mgen_collective_bcast(NAMES[i], NULL, 100, 0, MPI_COMM_WORLD);
        mgen_collective_reduce(NAMES[i], NULL, NULL, 100, MGEN_INT, MGEN_SUM, 0, MPI_COMM_WORLD);
        mgen_collective_allreduce(NAMES[i], NULL, NULL, 100, MGEN_INT, MGEN_SUM, MPI_COMM_WORLD);
        mgen_collective_gather(NAMES[i], NULL, NULL, 100, size - 1, MPI_COMM_WORLD);
        mgen_collective_scatter(NAMES[i], NULL, NULL, 100, size - 1, MPI_COMM_WORLD);
        mgen_collective_allgather(NAMES[i], NULL, NULL, 100, MPI_COMM_WORLD);
        mgen_collective_alltoall(NAMES[i], NULL, NULL, 100, MPI_COMM_WORLD);
    }
}

/* No rank leaves a barrier before the last one has come: looked at by a one-byte race. */
static void barriers(const char *algorithm) {
    for (int late = 0; late < size; late++) {
        MPI_Barrier(MPI_COMM_WORLD);
        double come = MPI_Wtime();
        if (rank == late) {
            MGEN_Comp(2e-3);
            come = MPI_Wtime();
        }
        mgen_collective_barrier(algorithm, MPI_COMM_WORLD);
        double left = MPI_Wtime();
        MPI_Bcast(&come, 1, MPI_DOUBLE, late, MPI_COMM_WORLD);
        if (left < come) {
            fprintf(stderr, "barrier %s: rank %d of %d left before rank %d came\n", algorithm, rank,
                    size, late);
            failures++;
        }
    }
}

int MGEN_Main(int argc, char **argv) {
    static const char *const BARRIERS[] = {"dissemination", "ring", "recursive_doubling", "tree",
                                           "linear"};
    static const char *const BCASTS[] = {"binomial",
                                         "scatter_allgather",
                                         "scatter_ring_allgather",
                                         "linear",
                                         "chain",
                                         "binary",
                                         "split_binary",
                                         "knomial"};
    static const char *const REDUCES[] = {"binomial", "linear",          "chain",
                                          "binary",   "in_order_binary", "rabenseifner"};
    static const char *const ALLREDUCES[] = {
        "recursive_doubling", "ring",   "rabenseifner",
        "reduce_bcast",       "linear", "in_order_binary+knomial"};
    static const char *const GATHERS[] = {"binomial", "linear", "linear_nonblocking"};
    static const char *const ALLGATHERS[] = {"ring", "recursive_doubling", "bruck",
                                             "neighbor_exchange"};
    static const char *const ALLTOALLS[] = {"pairwise", "bruck", "ring", "linear", "scattered"};
    const MGEN_Datatype types[] = {MGEN_INT, MGEN_LONG, MGEN_FLOAT, MGEN_DOUBLE};
    const MGEN_Op ops[] = {MGEN_SUM, MGEN_PROD, MGEN_MAX, MGEN_MIN};
    (void)argc;
    (void)argv;
    MGEN_Comm_rank(MGEN_COMM_WORLD, &rank);
    MGEN_Comm_size(MGEN_COMM_WORLD, &size);
    EACH(BARRIERS) {
        barriers(BARRIERS[i]);
    }
    EACH(BCASTS) {
        broadcasts(BCASTS[i], 5);
        broadcasts(BCASTS[i], 501);
    }
    for (int j = 0; j < 4; j++) {
        EACH(REDUCES) {
            reductions(REDUCES[i], 0, types[j], ops[(i + (size_t)j) % 4]);
        }
        EACH(ALLREDUCES) {
            reductions(ALLREDUCES[i], 1, types[j], ops[(i + (size_t)j) % 4]);
        }
    }
    for (int in_place = 0; in_place < 2; in_place++) {
        EACH(GATHERS) {
            gathers(GATHERS[i], in_place);
        }
        EACH(ALLGATHERS) {
            exchanges(ALLGATHERS[i], 0, in_place);
        }
        EACH(ALLTOALLS) {
            exchanges(ALLTOALLS[i], 1, in_place);
        }
        unequal(in_place);
    }
    sizes_only();
    return failures == 0 ? 0 : 3;
}
