/* The personalised all-to-all exchange. The message size is what one rank sends to one other.
 *
 * Arguments: message size in bytes.
 * Metrics:
 *   collective_time_s  MGEN_Alltoall: the MPI library's, or the algorithm that the engine's option
 *                      alltoall_algorithm names
 *   pairwise_time_s    ranks - 1 steps of Sendrecv: with rank XOR i if the number of ranks is a
 * power of two, else to rank + i and from rank - i
 *
 * Each exchange begins after a barrier and takes as long as its slowest rank. The program checks
 * what arrives. In the simulator, messages carry data if those of all ranks together have at most
 * MOST_BYTES, else only their sizes. */
#include "arguments.h"
#include "mgen.h"
#include "mgen_buffers.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MGEN_RANKS_LEAST 2

#ifdef MGEN_OVER_MPI
static const double MOST_BYTES = HUGE_VAL;
#else
static const double MOST_BYTES = 1e9;
#endif

struct exchange {
    int rank;
    int size;
    int bytes;
    char *sent;
    char *received;
};

static char *block(char *buffer, const struct exchange *own, int rank) {
    return buffer == NULL ? NULL : buffer + (size_t)rank * (size_t)own->bytes;
}

static char expected_byte(int from, int to) {
    return (char)((from * 31 + to * 7 + 1) & 0x7f);
}

/* Writes all blocks, as programs do before they send: data that another rank has just read are
 * faster to read again, so the second exchange would be faster than the first. Received blocks are
 * overwritten, so that old data are not taken for new. */
static void fill(const struct exchange *own) {
    for (int peer = 0; own->sent != NULL && peer < own->size; peer++) {
        memset(block(own->received, own, peer), 0, (size_t)own->bytes);
        memset(block(own->sent, own, peer), expected_byte(own->rank, peer), (size_t)own->bytes);
    }
}

static int is_untouched(const struct exchange *own) {
    for (int from = 0; from < own->size; from++) {
        if (from != own->rank && block(own->received, own, from)[0] != 0) {
            return 0;
        }
    }
    return 1;
}

/* Ends the program if a block did not come from the rank that it should come from. */
static void check(const struct exchange *own, const char *metric) {
    if (own->received == NULL || own->bytes == 0) {
        return;
    }
#ifndef MGEN_OVER_MPI
    if (is_untouched(own)) {
        return; /* the simulator delivers sizes only */
    }
#endif
    for (int from = 0; from < own->size; from++) {
        const char *found = block(own->received, own, from);
        char expected = expected_byte(from, own->rank);
        if (found[0] != expected || found[own->bytes - 1] != expected) {
            fprintf(stderr, "%s: rank %d got a wrong block from rank %d at %d bytes%s\n", metric,
                    own->rank, from, own->bytes, is_untouched(own) ? ", and none at all" : "");
            MGEN_Abort(MGEN_COMM_WORLD, 1);
        }
    }
}

static void collective(const struct exchange *own) {
    MGEN_Alltoall(own->sent, own->bytes, MGEN_BYTE, own->received, own->bytes, MGEN_BYTE,
                  MGEN_COMM_WORLD);
}

static void pairwise(const struct exchange *own) {
    int is_power_of_two = (own->size & (own->size - 1)) == 0;
    MGEN_Copy(block(own->received, own, own->rank), block(own->sent, own, own->rank),
              (size_t)own->bytes);
    for (int step = 1; step < own->size; step++) {
        int to = is_power_of_two ? own->rank ^ step : (own->rank + step) % own->size;
        int from = is_power_of_two ? to : (own->rank - step + own->size) % own->size;
        MGEN_Sendrecv(block(own->sent, own, to), own->bytes, MGEN_BYTE, to, step,
                      block(own->received, own, from), own->bytes, MGEN_BYTE, from, step,
                      MGEN_COMM_WORLD, MGEN_STATUS_IGNORE);
    }
}

static void measure(const struct exchange *own, const char *metric,
                    void (*once)(const struct exchange *)) {
    fill(own);
    MGEN_Barrier(MGEN_COMM_WORLD);
    double start = MGEN_Wtime();
    once(own);
    MGEN_Sample(metric, MGEN_Wtime() - start);
    check(own, metric);
}

int MGEN_Main(int argc, char **argv) {
    MGEN_Arguments given = {argc, argv, 0};
    struct exchange own = {.bytes = MGEN_Argument_int(&given, 1, "message size in bytes", 0, -1)};
    MGEN_Comm_rank(MGEN_COMM_WORLD, &own.rank);
    MGEN_Comm_size(MGEN_COMM_WORLD, &own.size);
    if (given.wrong > 0) {
        return 2;
    }
    if (own.size < MGEN_RANKS_LEAST) {
        if (own.rank == 0) {
            fprintf(stderr, "alltoall runs with at least %d ranks, not with %d\n", MGEN_RANKS_LEAST,
                    own.size);
        }
        return 2;
    }
    if (2.0 * own.size * own.size * own.bytes <= MOST_BYTES) {
        size_t whole = (size_t)own.size * (size_t)own.bytes + 1;
        own.sent = MGEN_Buffer(whole);
        own.received = MGEN_Buffer(whole);
        if (own.sent == NULL || own.received == NULL) {
            fprintf(stderr, "no memory for messages of %d bytes\n", own.bytes);
            return 1;
        }
    }
    measure(&own, "collective_time_s", collective);
    measure(&own, "pairwise_time_s", pairwise);
    free(own.received);
    free(own.sent);
    return 0;
}
