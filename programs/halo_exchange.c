/* Halo exchange on a periodic grid of ranks in 1, 2 or 3 dimensions. In every iteration each rank
 * computes, and exchanges a face with both neighbours in every dimension.
 *
 * Arguments: bytes of a face, grid of ranks (for example 4x4x2; their product is the number of
 * ranks), iterations (1), seconds of computation in an iteration (0).
 * Metrics: program_time_s, iteration_time_s (the mean of the iterations). */
#include "arguments.h"
#include "mgen.h"
#include <stdio.h>
#include <stdlib.h>

enum { DIMENSIONS_MAX = 3 };

/* Reads a grid such as "4x4x2". Returns the number of dimensions, or 0 if the text is wrong. */
static int read_grid(const char *text, int sizes[DIMENSIONS_MAX]) {
    int count = 0;
    for (char *end = NULL; count < DIMENSIONS_MAX; text = end + 1) {
        long size = strtol(text, &end, 10);
        if (end == text || size < 1 || size > 1 << 20) {
            return 0;
        }
        sizes[count++] = (int)size;
        if (*end == '\0') {
            return count;
        }
        if (*end != 'x') {
            return 0;
        }
    }
    return 0;
}

/* Exchanges one face with both neighbours in every dimension. Rank numbers rise along the first
 * dimension first. */
static void exchange(int rank, const int *sizes, int dimensions, int bytes) {
    MGEN_Request requests[4 * DIMENSIONS_MAX];
    int posted = 0;
    int stride = 1;
    for (int d = 0; d < dimensions; d++) {
        int place = rank / stride % sizes[d];
        int base = rank - place * stride;
        int up = base + (place + 1) % sizes[d] * stride;
        int down = base + (place - 1 + sizes[d]) % sizes[d] * stride;
        if (sizes[d] > 1) {
            MGEN_Irecv(NULL, bytes, MGEN_BYTE, down, 2 * d, MGEN_COMM_WORLD, &requests[posted++]);
            MGEN_Irecv(NULL, bytes, MGEN_BYTE, up, 2 * d + 1, MGEN_COMM_WORLD, &requests[posted++]);
            MGEN_Isend(NULL, bytes, MGEN_BYTE, up, 2 * d, MGEN_COMM_WORLD, &requests[posted++]);
            MGEN_Isend(NULL, bytes, MGEN_BYTE, down, 2 * d + 1, MGEN_COMM_WORLD,
                       &requests[posted++]);
        }
        stride *= sizes[d];
    }
    MGEN_Waitall(posted, requests, MGEN_STATUSES_IGNORE);
}

int MGEN_Main(int argc, char **argv) {
    int rank;
    int size;
    int sizes[DIMENSIONS_MAX] = {1, 1, 1};
    MGEN_Comm_rank(MGEN_COMM_WORLD, &rank);
    MGEN_Comm_size(MGEN_COMM_WORLD, &size);
    MGEN_Arguments given = {argc, argv, 0};
    int bytes = MGEN_Argument_int(&given, 1, "bytes of a face", 0, -1);
    int iterations = MGEN_Argument_int(&given, 3, "iterations", 0, 1);
    double compute_s = MGEN_Argument_seconds(&given, 4, "seconds of computation", 0);
    if (given.wrong > 0) {
        return 2;
    }
    int dimensions = argc > 2 ? read_grid(argv[2], sizes) : 0;
    if (dimensions == 0 || (long)sizes[0] * sizes[1] * sizes[2] != size) {
        if (rank == 0) {
            fprintf(stderr,
                    "halo_exchange needs a grid like 4x4x2 with as many places as there "
                    "are ranks (%d)\n",
                    size);
        }
        return 2;
    }
    double start = MGEN_Wtime();
    for (int i = 0; i < iterations; i++) {
        if (compute_s > 0) {
            MGEN_Comp(compute_s);
        }
        exchange(rank, sizes, dimensions, bytes);
    }
    if (iterations > 0) {
        MGEN_Sample("iteration_time_s", (MGEN_Wtime() - start) / iterations);
    }
    return 0;
}
