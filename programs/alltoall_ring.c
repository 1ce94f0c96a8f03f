/* The personalised exchange in p - 1 steps: in step i to rank + i and from rank - i.
 *
 * Source: OpenNSIM, Table 1, "all-to-all, ring".
 * Arguments: bytes that one rank sends to one other.
 * Metrics: program_time_s. */
#include "mgen.h"
#include <stdio.h>
#include <stdlib.h>

int MGEN_Main(int argc, char **argv) {
    int rank;
    int size;
    MGEN_Comm_rank(MGEN_COMM_WORLD, &rank);
    MGEN_Comm_size(MGEN_COMM_WORLD, &size);
    if (argc < 2) {
        fprintf(stderr, "alltoall_ring needs a message size\n");
        return 2;
    }
    int bytes = atoi(argv[1]);
    for (int step = 1; step < size; step++) {
        MGEN_Sendrecv(NULL, bytes, MGEN_BYTE, (rank + step) % size, 0, NULL, bytes, MGEN_BYTE,
                      (rank - step + size) % size, 0, MGEN_COMM_WORLD, MGEN_STATUS_IGNORE);
    }
    return 0;
}
