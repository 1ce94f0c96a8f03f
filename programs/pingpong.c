/* Messages between two ranks: one way, both ways at once, and one-sided. Each runs once
 * before the timed one, so that both ranks are ready. A rank has written what it sends, as
 * programs have: data that the other rank has just read are faster to read again.
 *
 * Arguments: message size in bytes.
 * Metrics:
 *   one_way_time_s   half of a round trip by Send and Recv
 *   exchange_time_s  Sendrecv in both directions after a barrier, the slower rank
 *   gap_time_s       from one message to the next of a stream, as its receiver sees it
 *   duplex_time_s    the same of two streams at once, one in each direction, the slower rank
 *   sent_time_s      the call of Send in a round trip
 *   copy_time_s      a copy within the memory of a rank, the slower rank; left out where a
 *                    simulated network has none
 *   put_time_s       a put until it is complete; left out where the MPI has no one-sided
 *                    communication between the two nodes */
#include "arguments.h"
#include "mgen.h"
#include "mgen_buffers.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MGEN_RANKS_LEAST 2
#define MGEN_RANKS_MOST 2

/* Messages of a stream; fewer of long ones, which take long and hide what begins a stream. */
enum { STREAM = 16, LONG_STREAM = 4, LONG_BYTES = 65536 };

/* NULL in the simulator, whose messages here need no data. */
struct buffers {
    char *sent;
    char *received;
    int bytes;
};

static struct buffers prepared(int bytes) {
    struct buffers buffers = {NULL, NULL, bytes};
#ifdef MGEN_OVER_MPI
    buffers.sent = MGEN_Buffer((size_t)bytes);
    buffers.received = MGEN_Buffer((size_t)bytes);
    if (buffers.sent == NULL || buffers.received == NULL) {
        fprintf(stderr, "no memory for messages of %d bytes\n", bytes);
        MGEN_Abort(MGEN_COMM_WORLD, 1);
    }
#endif
    return buffers;
}

/* Both buffers, since programs also write where they receive. Rank 1 says when it is done, and
 * waits for the first message then. */
static void fill(const struct buffers *buffers, int rank) {
    if (buffers->sent != NULL) {
        memset(buffers->received, 1, (size_t)buffers->bytes);
        memset(buffers->sent, 2, (size_t)buffers->bytes);
    }
    if (rank == 1) {
        MGEN_Send(NULL, 0, MGEN_BYTE, 0, 1, MGEN_COMM_WORLD);
    } else {
        MGEN_Recv(NULL, 0, MGEN_BYTE, 1, 1, MGEN_COMM_WORLD, MGEN_STATUS_IGNORE);
    }
}

static void send_to(int peer, const struct buffers *buffers) {
    MGEN_Send(buffers->sent, buffers->bytes, MGEN_BYTE, peer, 0, MGEN_COMM_WORLD);
}

static void receive_from(int peer, const struct buffers *buffers) {
    MGEN_Recv(buffers->received, buffers->bytes, MGEN_BYTE, peer, 0, MGEN_COMM_WORLD,
              MGEN_STATUS_IGNORE);
}

static double round_trip(int rank, const struct buffers *buffers) {
    fill(buffers, rank);
    double start = MGEN_Wtime();
    if (rank == 0) {
        send_to(1, buffers);
        receive_from(1, buffers);
    } else {
        receive_from(0, buffers);
        send_to(0, buffers);
    }
    return MGEN_Wtime() - start;
}

/* How long rank 0 takes to send; a look at the clock would lengthen the round trip. */
static double sending(int rank, const struct buffers *buffers) {
    fill(buffers, rank);
    double start = MGEN_Wtime();
    double end = start;
    if (rank == 0) {
        send_to(1, buffers);
        end = MGEN_Wtime();
        receive_from(1, buffers);
    } else {
        receive_from(0, buffers);
        send_to(0, buffers);
    }
    return end - start;
}

static void cross(int peer, const struct buffers *buffers) {
    MGEN_Sendrecv(buffers->sent, buffers->bytes, MGEN_BYTE, peer, 0, buffers->received,
                  buffers->bytes, MGEN_BYTE, peer, 0, MGEN_COMM_WORLD, MGEN_STATUS_IGNORE);
}

static double exchange(int rank, const struct buffers *buffers) {
    fill(buffers, rank);
    MGEN_Barrier(MGEN_COMM_WORLD);
    double start = MGEN_Wtime();
    cross(1 - rank, buffers);
    return MGEN_Wtime() - start;
}

static int stream_of(int bytes) {
    return bytes > LONG_BYTES ? LONG_STREAM : STREAM;
}

/* The gap of LogGP: the first message only starts the stream. On rank 1. */
static double gap(int rank, const struct buffers *buffers) {
    int many = stream_of(buffers->bytes);
    double first = 0.0;
    for (int i = 0; i <= many; i++) {
        if (rank == 0) {
            send_to(1, buffers);
        } else {
            receive_from(0, buffers);
        }
        first = i == 0 ? MGEN_Wtime() : first;
    }
    return (MGEN_Wtime() - first) / many;
}

/* All messages of both streams are under way at once, as in an all-to-all. */
static double duplex(int peer, const struct buffers *buffers) {
    MGEN_Request requests[2 * STREAM];
    int many = stream_of(buffers->bytes);
    cross(peer, buffers);
    double first = MGEN_Wtime();
    for (int i = 0; i < many; i++) {
        MGEN_Irecv(buffers->received, buffers->bytes, MGEN_BYTE, peer, 0, MGEN_COMM_WORLD,
                   &requests[i]);
    }
    for (int i = many; i < 2 * many; i++) {
        MGEN_Isend(buffers->sent, buffers->bytes, MGEN_BYTE, peer, 0, MGEN_COMM_WORLD,
                   &requests[i]);
    }
    MGEN_Waitall(2 * many, requests, MGEN_STATUSES_IGNORE);
    return (MGEN_Wtime() - first) / many;
}

static double copying(int rank, const struct buffers *buffers) {
    fill(buffers, rank);
    double start = MGEN_Wtime();
    MGEN_Copy(buffers->received, buffers->sent, (size_t)buffers->bytes);
    return MGEN_Wtime() - start;
}

/* Puts in one look at the clock: a short put takes only a few steps of a real clock. */
#ifdef MGEN_OVER_MPI
enum { PUTS = 16 };
#else
enum { PUTS = 1 };
#endif

/* One after another. No rank polls for these puts: their tag is negative. */
static double put(int bytes) {
    double start = MGEN_Wtime();
    for (int i = 0; i < PUTS; i++) {
        MGEN_rdma_complete(MGEN_rdma_put(1, bytes, -1));
    }
    return (MGEN_Wtime() - start) / PUTS;
}

static void two_sided(int rank, const struct buffers *buffers) {
    round_trip(rank, buffers);
    double both_ways = round_trip(rank, buffers);
    double sent = sending(rank, buffers);
    if (rank == 0) {
        MGEN_Sample("one_way_time_s", both_ways / 2);
        MGEN_Sample("sent_time_s", sent);
    }
    MGEN_Sample("exchange_time_s", exchange(rank, buffers));
    MGEN_Barrier(MGEN_COMM_WORLD);
    double between = gap(rank, buffers);
    if (rank == 1) {
        MGEN_Sample("gap_time_s", between);
    }
    MGEN_Barrier(MGEN_COMM_WORLD);
    MGEN_Sample("duplex_time_s", duplex(1 - rank, buffers));
    double copied = copying(rank, buffers);
    if (copied > 0) {
        MGEN_Sample("copy_time_s", copied);
    }
    MGEN_Barrier(MGEN_COMM_WORLD);
}

int MGEN_Main(int argc, char **argv) {
    int rank;
    int size;
    MGEN_Comm_rank(MGEN_COMM_WORLD, &rank);
    MGEN_Comm_size(MGEN_COMM_WORLD, &size);
    MGEN_Arguments given = {argc, argv, 0};
    int bytes = MGEN_Argument_int(&given, 1, "message size in bytes", 0, -1);
    if (given.wrong > 0) {
        return 2;
    }
    if (size != MGEN_RANKS_MOST) {
        if (rank == 0) {
            fprintf(stderr, "pingpong runs with %d ranks, not with %d\n", MGEN_RANKS_MOST, size);
        }
        return 2;
    }
    struct buffers buffers = prepared(bytes);
    two_sided(rank, &buffers);
    free(buffers.sent);
    free(buffers.received);
    /* Rank 1 goes on to its end, where its library makes progress. */
    if (rank == 0 && MGEN_rdma_available()) {
        put(bytes);
        MGEN_Sample("put_time_s", put(bytes));
    }
    return 0;
}
