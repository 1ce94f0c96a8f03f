/* The personalised exchange in ceil(log2 p) steps. In step k, one message carries all blocks whose
 * number has bit k, about half of them, to rank + 2^k.
 *
 * Source: OpenNSIM, Table 1, "all-to-all, Bruck"; J. Bruck and others, IEEE TPDS 8 (1997).
 * Arguments: bytes that one rank sends to one other.
 * Metrics: program_time_s. Copies inside a rank take no time. */
#include "arguments.h"
#include "mgen.h"
#include <limits.h>
#include <stdio.h>

/* How many numbers below `size` have the bit `step`. */
static long with_bit(int size, int step) {
    int rest = size % (2 * step);
    return size / (2 * step) * (long)step + (rest > step ? rest - step : 0);
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
    for (int step = 1; step < size; step *= 2) {
        long moved = with_bit(size, step) * bytes;
        if (moved > INT_MAX) {
            fprintf(stderr, "alltoall_bruck: %ld bytes are too many for one message\n", moved);
            return 2;
        }
        MGEN_Sendrecv(NULL, (int)moved, MGEN_BYTE, (rank + step) % size, 0, NULL, (int)moved,
                      MGEN_BYTE, (rank - step + size) % size, 0, MGEN_COMM_WORLD,
                      MGEN_STATUS_IGNORE);
    }
    return 0;
}
