/* The personalised exchange in p - 1 steps: in step i with rank XOR i if the number of ranks is a
 * power of two, else to rank + i and from rank - i.
 *
 * Source: OpenNSIM, Table 1 and section 4, "all-to-all, pairwise exchange".
 * Arguments: bytes that one rank sends to one other; "barriers" for a barrier between steps, which
 * keeps ranks together.
 * Metrics: program_time_s. */
#include "arguments.h"
#include "mgen.h"
#include <stdio.h>
#include <string.h>

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
    int has_barriers = argc > 2 && strcmp(argv[2], "barriers") == 0;
    if (argc > 2 && !has_barriers) {
        fprintf(stderr, "alltoall_pairwise: unknown argument '%s'; allowed: barriers\n", argv[2]);
        return 2;
    }
    int is_power_of_two = (size & (size - 1)) == 0;
    for (int step = 1; step < size; step++) {
        if (has_barriers && step > 1) {
            MGEN_Barrier(MGEN_COMM_WORLD);
        }
        int to = is_power_of_two ? rank ^ step : (rank + step) % size;
        int from = is_power_of_two ? to : (rank - step + size) % size;
        MGEN_Sendrecv(NULL, bytes, MGEN_BYTE, to, 0, NULL, bytes, MGEN_BYTE, from, 0,
                      MGEN_COMM_WORLD, MGEN_STATUS_IGNORE);
    }
    return 0;
}
