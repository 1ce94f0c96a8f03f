/* The personalised exchange in p - 1 steps: in step i to rank + i and from rank - i.
 *
 * Source: OpenNSIM, Table 1, "all-to-all, ring".
 * Arguments: bytes that one rank sends to one other.
 * Metrics: program_time_s. */
#include "arguments.h"
#include "mgen.h"
#include <stdio.h>

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
    for (int step = 1; step < size; step++) {
        MGEN_Sendrecv(NULL, bytes, MGEN_BYTE, (rank + step) % size, 0, NULL, bytes, MGEN_BYTE,
                      (rank - step + size) % size, 0, MGEN_COMM_WORLD, MGEN_STATUS_IGNORE);
    }
    return 0;
}
