/* Rank 0 and rank 1 send a message to and fro. */
#include "mgen.h"

#include <stdlib.h>

int MGEN_Main(int argc, char **argv) {
    int bytes = argc > 1 ? atoi(argv[1]) : 0;
    int rank;
    MGEN_Comm_rank(MGEN_COMM_WORLD, &rank);
    double start = MGEN_Wtime();
    if (rank == 0) {
        MGEN_Send(NULL, bytes, MGEN_BYTE, 1, 0, MGEN_COMM_WORLD);
        MGEN_Recv(NULL, bytes, MGEN_BYTE, 1, 0, MGEN_COMM_WORLD, MGEN_STATUS_IGNORE);
        MGEN_Sample("one_way_time_s", (MGEN_Wtime() - start) / 2);
    } else {
        MGEN_Recv(NULL, bytes, MGEN_BYTE, 0, 0, MGEN_COMM_WORLD, MGEN_STATUS_IGNORE);
        MGEN_Send(NULL, bytes, MGEN_BYTE, 0, 0, MGEN_COMM_WORLD);
    }
    return 0;
}
