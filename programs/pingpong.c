/* Messages between two ranks: one way, both ways at once, and one-sided. Each runs once
 * before the timed one, so that both ranks are ready.
 *
 * Arguments: message size in bytes.
 * Metrics:
 *   one_way_time_s   half of a round trip by Send and Recv
 *   exchange_time_s  Sendrecv in both directions after a barrier, the slower rank
 *   gap_time_s       from one message to the next of a stream, as its receiver sees it
 *   put_time_s       a put until it is complete; left out where the MPI has no one-sided
 *                    communication between the two nodes */
#include "arguments.h"
#include "mgen.h"
#include <stdio.h>

enum { STREAM = 16 };

static double round_trip(int rank, int bytes) {
    MGEN_Comm world = MGEN_COMM_WORLD;
    double start = MGEN_Wtime();
    if (rank == 0) {
        MGEN_Send(NULL, bytes, MGEN_BYTE, 1, 0, world);
        MGEN_Recv(NULL, bytes, MGEN_BYTE, 1, 0, world, MGEN_STATUS_IGNORE);
    } else {
        MGEN_Recv(NULL, bytes, MGEN_BYTE, 0, 0, world, MGEN_STATUS_IGNORE);
        MGEN_Send(NULL, bytes, MGEN_BYTE, 0, 0, world);
    }
    return MGEN_Wtime() - start;
}

static double exchange(int peer, int bytes) {
    MGEN_Barrier(MGEN_COMM_WORLD);
    double start = MGEN_Wtime();
    MGEN_Sendrecv(NULL, bytes, MGEN_BYTE, peer, 0, NULL, bytes, MGEN_BYTE, peer, 0, MGEN_COMM_WORLD,
                  MGEN_STATUS_IGNORE);
    return MGEN_Wtime() - start;
}

/* The gap of LogGP: the first message only starts the stream. On rank 1. */
static double gap(int rank, int bytes) {
    double first = 0.0;
    for (int i = 0; i <= STREAM; i++) {
        if (rank == 0) {
            MGEN_Send(NULL, bytes, MGEN_BYTE, 1, 0, MGEN_COMM_WORLD);
        } else {
            MGEN_Recv(NULL, bytes, MGEN_BYTE, 0, 0, MGEN_COMM_WORLD, MGEN_STATUS_IGNORE);
        }
        first = i == 0 ? MGEN_Wtime() : first;
    }
    return (MGEN_Wtime() - first) / STREAM;
}

/* No rank polls for this put: its tag is negative. */
static double put(int bytes) {
    double start = MGEN_Wtime();
    MGEN_rdma_complete(MGEN_rdma_put(1, bytes, -1));
    return MGEN_Wtime() - start;
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
    if (size != 2) {
        if (rank == 0) {
            fprintf(stderr, "pingpong runs with 2 ranks, not with %d\n", size);
        }
        return 2;
    }
    round_trip(rank, bytes);
    double both_ways = round_trip(rank, bytes);
    if (rank == 0) {
        MGEN_Sample("one_way_time_s", both_ways / 2);
    }
    MGEN_Sample("exchange_time_s", exchange(1 - rank, bytes));
    MGEN_Barrier(MGEN_COMM_WORLD);
    double between = gap(rank, bytes);
    if (rank == 1) {
        MGEN_Sample("gap_time_s", between);
    }
    MGEN_Barrier(MGEN_COMM_WORLD);
    /* Rank 1 goes on to its end, where its library makes progress. */
    if (rank == 0 && MGEN_rdma_available()) {
        put(bytes);
        MGEN_Sample("put_time_s", put(bytes));
    }
    return 0;
}
