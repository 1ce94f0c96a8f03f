/* One message from rank 0 to rank 1; the other ranks do nothing.
 *
 * Source: OpenNSIM, Table 1, "point-to-point".
 * Arguments: message size in bytes.
 * Metrics: program_time_s. */
#include "arguments.h"
#include "mgen.h"
#include <stdio.h>

#define MGEN_RANKS_LEAST 2

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
    if (size < MGEN_RANKS_LEAST) {
        if (rank == 0) {
            fprintf(stderr, "point_to_point runs with at least %d ranks, not with %d\n",
                    MGEN_RANKS_LEAST, size);
        }
        return 2;
    }
    if (rank == 0) {
        MGEN_Send(NULL, bytes, MGEN_BYTE, 1, 0, MGEN_COMM_WORLD);
    } else if (rank == 1) {
        MGEN_Recv(NULL, bytes, MGEN_BYTE, 0, 0, MGEN_COMM_WORLD, MGEN_STATUS_IGNORE);
    }
    return 0;
}
