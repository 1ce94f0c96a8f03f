/* A reduction to all ranks by recursive doubling: log2 p exchanges of the whole vector. Where the
 * number of ranks is not a power of two, ranks above the largest one send their vector before and
 * get the result after.
 *
 * Source: OpenNSIM, Table 1, "all-reduce, recursive doubling".
 * Arguments: bytes of the vector.
 * Metrics: program_time_s. Adding takes no time. */
#include "arguments.h"
#include "mgen.h"
#include <stdio.h>

static void send_to(int dest, int bytes) {
    MGEN_Send(NULL, bytes, MGEN_BYTE, dest, 0, MGEN_COMM_WORLD);
}

static void receive_from(int source, int bytes) {
    MGEN_Recv(NULL, bytes, MGEN_BYTE, source, 0, MGEN_COMM_WORLD, MGEN_STATUS_IGNORE);
}

int MGEN_Main(int argc, char **argv) {
    int rank;
    int size;
    int power = 1;
    MGEN_Comm_rank(MGEN_COMM_WORLD, &rank);
    MGEN_Comm_size(MGEN_COMM_WORLD, &size);
    MGEN_Arguments given = {argc, argv, 0};
    int bytes = MGEN_Argument_int(&given, 1, "message size in bytes", 0, -1);
    if (given.wrong > 0) {
        return 2;
    }
    while (power <= size / 2) {
        power *= 2;
    }
    if (rank >= power) {
        send_to(rank - power, bytes);
        receive_from(rank - power, bytes);
        return 0;
    }
    if (rank < size - power) {
        receive_from(rank + power, bytes);
    }
    for (int mask = 1; mask < power; mask *= 2) {
        MGEN_Sendrecv(NULL, bytes, MGEN_BYTE, rank ^ mask, 0, NULL, bytes, MGEN_BYTE, rank ^ mask,
                      0, MGEN_COMM_WORLD, MGEN_STATUS_IGNORE);
    }
    if (rank < size - power) {
        send_to(rank + power, bytes);
    }
    return 0;
}
