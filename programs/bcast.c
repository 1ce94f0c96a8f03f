/* A broadcast from rank 0. The message size is that of the whole message.
 *
 * Arguments: message size in bytes.
 * Metrics:
 *   collective_time_s  MGEN_Bcast: the MPI library's, or the algorithm that the engine's option
 *                      bcast_algorithm names
 *
 * The operation begins after a barrier and takes as long as its slowest rank. The program checks
 * both ends of what arrives. In the simulator, messages carry data if those of all ranks together
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

enum { OLD = 0, SENT = 1 };

/* Ends the program if an end of the message is neither old nor sent. Where the simulator delivers
 * sizes only, both ends are old. */
static void check(const char *message, int bytes, int rank) {
    if (message == NULL || bytes == 0 || rank == 0) {
        return;
    }
    char first = message[0];
    char last = message[bytes - 1];
#ifndef MGEN_OVER_MPI
    if (first == OLD && last == OLD) {
        return;
    }
#endif
    if (first != SENT || last != SENT) {
        fprintf(stderr, "bcast: rank %d got %d and %d at the ends of %d bytes, not %d\n", rank,
                first, last, bytes, SENT);
        MGEN_Abort(MGEN_COMM_WORLD, 1);
    }
}

int MGEN_Main(int argc, char **argv) {
    int rank;
    int size;
    MGEN_Arguments given = {argc, argv, 0};
    int bytes = MGEN_Argument_int(&given, 1, "message size in bytes", 0, -1);
    char *message = NULL;
    MGEN_Comm_rank(MGEN_COMM_WORLD, &rank);
    MGEN_Comm_size(MGEN_COMM_WORLD, &size);
    if (given.wrong > 0) {
        return 2;
    }
    if ((double)size * bytes <= MOST_BYTES) {
        message = MGEN_Buffer((size_t)bytes);
        if (message == NULL) {
            fprintf(stderr, "no memory for a message of %d bytes\n", bytes);
            return 1;
        }
        memset(message, rank == 0 ? SENT : OLD, (size_t)bytes);
    }
    MGEN_Barrier(MGEN_COMM_WORLD);
    double start = MGEN_Wtime();
    MGEN_Bcast(message, bytes, MGEN_BYTE, 0, MGEN_COMM_WORLD);
    MGEN_Sample("collective_time_s", MGEN_Wtime() - start);
    check(message, bytes, rank);
    free(message);
    return 0;
}
