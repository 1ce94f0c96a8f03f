/* One MGEN_Barrier of all ranks, by the algorithm that the engine's option barrier_algorithm names.
 *
 * Metrics: program_time_s. */
#include "mgen.h"

int MGEN_Main(int argc, char **argv) {
    (void)argc;
    (void)argv;
    return MGEN_Barrier(MGEN_COMM_WORLD);
}
