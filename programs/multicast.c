/* Rank 0 sends a message to every other rank, one after another, nearest first: the distance of two
 * ranks is that of a hypercube, the number of bits in which they differ. The receivers note when
 * the head of their message is there.
 *
 * Source: M. Hirota, T. Yoshinaga, T. Baba, "Performance of Adaptive Router on the A-NET
 * Multicomputer", 1996: Figures 5 and 6.
 * Arguments: message size in bytes; the number of the message whose time counts, from 1.
 * Metrics: head_time_s, from the start until the head of that message is at its destination;
 *   multicast_time_s, until all of the last message is there. */
#include "arguments.h"
#include "mgen.h"
#include <stdio.h>
#include <stdlib.h>

static int distance(int rank) {
    int bits = 0;
    for (; rank > 0; rank >>= 1) {
        bits += rank & 1;
    }
    return bits;
}

/* The destination of the message with this number, from 1. */
static int destination(int number, int size) {
    for (int far = 1;; far++) {
        for (int rank = 1; rank < size; rank++) {
            if (distance(rank) == far && --number == 0) {
                return rank;
            }
        }
    }
}

int MGEN_Main(int argc, char **argv) {
    int rank;
    int size;
    MGEN_Comm world = MGEN_COMM_WORLD;
    MGEN_Comm_rank(world, &rank);
    MGEN_Comm_size(world, &size);
    MGEN_Arguments given = {argc, argv, 0};
    int bytes = MGEN_Argument_int(&given, 1, "message size in bytes", 0, -1);
    int counted = MGEN_Argument_int(&given, 2, "number of the message that counts", 1, 0);
    if (given.wrong > 0) {
        return 2;
    }
    if (counted >= size) {
        if (rank == 0) {
            fprintf(stderr, "multicast sends messages 1 to %d, not %d\n", size - 1, counted);
        }
        return 2;
    }
    double start = MGEN_Wtime();
    if (rank == 0) {
        MGEN_Request *sends = malloc((size_t)size * sizeof *sends);
        for (int number = 1; number < size; number++) {
            MGEN_Isend(NULL, bytes, MGEN_BYTE, destination(number, size), 0, world,
                       &sends[number - 1]);
        }
        MGEN_Waitall(size - 1, sends, MGEN_STATUSES_IGNORE);
        free(sends);
        return 0;
    }
    MGEN_Request rest;
    MGEN_Recv_head(NULL, bytes, MGEN_BYTE, 0, 0, world, &rest);
    if (rank == destination(counted, size)) {
        MGEN_Sample("head_time_s", MGEN_Wtime() - start);
    }
    MGEN_Wait(&rest, MGEN_STATUS_IGNORE);
    MGEN_Sample("multicast_time_s", MGEN_Wtime() - start);
    return 0;
}
