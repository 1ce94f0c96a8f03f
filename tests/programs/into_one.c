/* The first ranks send a message to the last one at the same time: into_one <bytes> <senders>. */
#include "mgen.h"

#include <stdlib.h>

int MGEN_Main(int argc, char **argv) {
    int bytes = atoi(argv[1]), senders = atoi(argv[2]), rank, ranks;
    MGEN_Comm_rank(MGEN_COMM_WORLD, &rank);
    MGEN_Comm_size(MGEN_COMM_WORLD, &ranks);
    if (argc != 3 || senders >= ranks)
        return 1;
    if (rank < senders)
        MGEN_Send(NULL, bytes, MGEN_BYTE, ranks - 1, 0, MGEN_COMM_WORLD);
    for (int from = 0; rank == ranks - 1 && from < senders; from++)
        MGEN_Recv(NULL, bytes, MGEN_BYTE, from, 0, MGEN_COMM_WORLD, MGEN_STATUS_IGNORE);
    return 0;
}
