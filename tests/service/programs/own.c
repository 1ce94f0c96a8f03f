#include "mgen.h"

int MGEN_Main(int argc, char **argv) {
    int rank, size;
    (void)argc;
    (void)argv;
    MGEN_Comm_rank(MGEN_COMM_WORLD, &rank);
    MGEN_Comm_size(MGEN_COMM_WORLD, &size);
    MGEN_Sendrecv(NULL, 1024, MGEN_BYTE, (rank + 1) % size, 0, NULL, 1024, MGEN_BYTE,
                  (rank + size - 1) % size, 0, MGEN_COMM_WORLD, MGEN_STATUS_IGNORE);
    return 0;
}
