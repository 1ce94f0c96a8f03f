/* Every rank gets the blocks of all ranks. The message size is that of one block.
 *
 * Arguments: message size in bytes.
 * Metrics:
 *   collective_time_s  MGEN_Allgather: the MPI library's, or the algorithm that the engine's option
 *                      allgather_algorithm names
 *
 * The operation begins after a barrier and takes as long as its slowest rank. The program checks
 * both ends of each block. In the simulator, messages carry data if those of all ranks together
 * have at most MOST_BYTES, else only their sizes. */
#include "arguments.h"
#include "mgen.h"
#include "mgen_buffers.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef MGEN_OVER_MPI
static const double MOST_BYTES = HUGE_VAL;
#else
static const double MOST_BYTES = 1e9;
#endif

enum { OLD = 0 };

static char mark(int rank) {
    return (char)(1 + rank % 126);
}

/* Ends the program if a block is not that of its rank. Where the simulator delivers sizes only, all
 * blocks but the own one are old. */
static void check(const char *blocks, int bytes, int rank, int size) {
    for (int from = 0; blocks != NULL && bytes > 0 && from < size; from++) {
        char first = blocks[(size_t)from * (size_t)bytes];
        char last = blocks[(size_t)(from + 1) * (size_t)bytes - 1];
#ifndef MGEN_OVER_MPI
        if (first == OLD && last == OLD) {
            continue;
        }
#endif
        if (first != mark(from) || last != mark(from)) {
            fprintf(stderr, "allgather: rank %d got a wrong block from rank %d at %d bytes\n", rank,
                    from, bytes);
            MGEN_Abort(MGEN_COMM_WORLD, 1);
        }
    }
}

int MGEN_Main(int argc, char **argv) {
    int rank;
    int size;
    MGEN_Arguments given = {argc, argv, 0};
    int bytes = MGEN_Argument_int(&given, 1, "message size in bytes", 0, -1);
    char *own = NULL;
    char *blocks = NULL;
    MGEN_Comm_rank(MGEN_COMM_WORLD, &rank);
    MGEN_Comm_size(MGEN_COMM_WORLD, &size);
    if (given.wrong > 0) {
        return 2;
    }
    size_t whole = (size_t)size * (size_t)bytes;
    if ((double)size * (double)whole <= MOST_BYTES) {
        own = MGEN_Buffer((size_t)bytes);
        blocks = MGEN_Buffer(whole);
        if (own == NULL || blocks == NULL) {
            fprintf(stderr, "no memory for %d blocks of %d bytes\n", size, bytes);
            return 1;
        }
        memset(own, mark(rank), (size_t)bytes);
        memset(blocks, OLD, whole);
    }
    MGEN_Barrier(MGEN_COMM_WORLD);
    double start = MGEN_Wtime();
    MGEN_Allgather(own, bytes, MGEN_BYTE, blocks, bytes, MGEN_BYTE, MGEN_COMM_WORLD);
    MGEN_Sample("collective_time_s", MGEN_Wtime() - start);
    check(blocks, bytes, rank, size);
    free(own);
    free(blocks);
    return 0;
}
