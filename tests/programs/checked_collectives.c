/* Collectives with data, checked against what they must give: the same on both engines. Operators
 * are tried on all types. Returns 3 where something is wrong. */
#include "mgen.h"
#include <stdio.h>
#include <stdlib.h>

enum { COUNT = 5 };

/* What rank `rank` gives as element `i`: 1, 2 or 3. */
static int given(int rank, int i) {
    return (rank + i) % 3 + 1;
}

static long combined(MGEN_Op op, long a, long b) {
    if (op == MGEN_SUM) {
        return a + b;
    }
    if (op == MGEN_PROD) {
        return a * b;
    }
    if (op == MGEN_MAX) {
        return a > b ? a : b;
    }
    if (op == MGEN_MIN) {
        return a < b ? a : b;
    }
    if (op == MGEN_LAND) {
        return a && b;
    }
    if (op == MGEN_LOR) {
        return a || b;
    }
    return op == MGEN_BAND ? (a & b) : (a | b);
}

static long wanted(MGEN_Op op, int size, int i) {
    long all = given(0, i);
    for (int rank = 1; rank < size; rank++) {
        all = combined(op, all, given(rank, i));
    }
    /* Of one rank even a logical operator gives the element as it is. */
    return all;
}

#define CHECK(name, element, type, count)                                                          \
    static int check_##name(int rank, int size, const MGEN_Op *ops) {                              \
        int wrong = 0;                                                                             \
        for (int i = 0; i < (count); i++) {                                                        \
            element own[COUNT];                                                                    \
            element all[COUNT];                                                                    \
            for (int k = 0; k < COUNT; k++) {                                                      \
                own[k] = (element)given(rank, k);                                                  \
            }                                                                                      \
            MGEN_Allreduce(own, all, COUNT, type, ops[i], MGEN_COMM_WORLD);                        \
            MGEN_Reduce(rank == size - 1 ? MGEN_IN_PLACE : own, own, COUNT, type, ops[i],          \
                        size - 1, MGEN_COMM_WORLD);                                                \
            for (int k = 0; k < COUNT; k++) {                                                      \
                element right = (element)wanted(ops[i], size, k);                                  \
                wrong += all[k] != right || (rank == size - 1 && own[k] != right);                 \
            }                                                                                      \
        }                                                                                          \
        if (wrong) {                                                                               \
            fprintf(stderr, "rank %d: %d wrong numbers of type " #name "\n", rank, wrong);         \
        }                                                                                          \
        return wrong;                                                                              \
    }

CHECK(short, short, MGEN_SHORT, 8)
CHECK(int, int, MGEN_INT, 8)
CHECK(long, long, MGEN_LONG, 8)
CHECK(long_long, long long, MGEN_LONG_LONG, 8)
CHECK(unsigned_char, unsigned char, MGEN_UNSIGNED_CHAR, 8)
CHECK(unsigned, unsigned, MGEN_UNSIGNED, 8)
CHECK(unsigned_long, unsigned long, MGEN_UNSIGNED_LONG, 8)
CHECK(float, float, MGEN_FLOAT, 4)
CHECK(double, double, MGEN_DOUBLE, 4)

static int reductions(int rank, int size) {
    const MGEN_Op ops[] = {MGEN_SUM,  MGEN_PROD, MGEN_MAX,  MGEN_MIN,
                           MGEN_LAND, MGEN_LOR,  MGEN_BAND, MGEN_BOR};
    return check_short(rank, size, ops) + check_int(rank, size, ops) + check_long(rank, size, ops) +
           check_long_long(rank, size, ops) + check_unsigned_char(rank, size, ops) +
           check_unsigned(rank, size, ops) + check_unsigned_long(rank, size, ops) +
           check_float(rank, size, ops) + check_double(rank, size, ops);
}

/* Every block holds who sent it to whom. */
static int exchanges(int rank, int size) {
    int wrong = 0;
    int *out = malloc((size_t)size * sizeof *out);
    int *in = malloc((size_t)size * sizeof *in);
    int *back = malloc((size_t)size * sizeof *back);
    for (int i = 0; i < size; i++) {
        out[i] = rank * 100 + i;
    }
    MGEN_Alltoall(out, 1, MGEN_INT, in, 1, MGEN_INT, MGEN_COMM_WORLD);
    for (int i = 0; i < size; i++) {
        wrong += in[i] != i * 100 + rank;
    }
    MGEN_Alltoall(MGEN_IN_PLACE, 1, MGEN_INT, in, 1, MGEN_INT, MGEN_COMM_WORLD);
    for (int i = 0; i < size; i++) {
        wrong += in[i] != out[i];
    }
    MGEN_Allgather(&rank, 1, MGEN_INT, in, 1, MGEN_INT, MGEN_COMM_WORLD);
    for (int root = 0; root < size; root++) {
        int mine = -1;
        int from_root = rank == root ? 7 + root : 0;
        wrong += in[root] != root;
        MGEN_Bcast(&from_root, 1, MGEN_INT, root, MGEN_COMM_WORLD);
        MGEN_Scatter(out, 1, MGEN_INT, &mine, 1, MGEN_INT, root, MGEN_COMM_WORLD);
        MGEN_Gather(&mine, 1, MGEN_INT, back, 1, MGEN_INT, root, MGEN_COMM_WORLD);
        wrong += from_root != 7 + root || mine != root * 100 + rank;
        for (int i = 0; rank == root && i < size; i++) {
            wrong += back[i] != out[i];
        }
    }
    free(back);
    free(in);
    free(out);
    return wrong;
}

/* A wildcard that waits while a barrier is under way gets the program's message, not the barrier's.
 */
static int wildcards(int rank, int size) {
    int got = -1;
    MGEN_Request request;
    MGEN_Status status;
    MGEN_Irecv(&got, 1, MGEN_INT, MGEN_ANY_SOURCE, MGEN_ANY_TAG, MGEN_COMM_WORLD, &request);
    MGEN_Barrier(MGEN_COMM_WORLD);
    MGEN_Send(&rank, 1, MGEN_INT, (rank + 1) % size, 5, MGEN_COMM_WORLD);
    MGEN_Wait(&request, &status);
    int last = (rank + size - 1) % size;
    return got != last || status.MGEN_SOURCE != last || status.MGEN_TAG != 5;
}

int MGEN_Main(int argc, char **argv) {
    int rank;
    int size;
    (void)argc;
    (void)argv;
    MGEN_Comm_rank(MGEN_COMM_WORLD, &rank);
    MGEN_Comm_size(MGEN_COMM_WORLD, &size);
    int wrong = reductions(rank, size) + exchanges(rank, size) + wildcards(rank, size);
    MGEN_Barrier(MGEN_COMM_WORLD);
    return wrong ? 3 : 0;
}
