/* stencil STEPS: relaxes WIDTH rows, and prints how much the last step changed. */
#include "stencil.h"
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    int rank, ranks, steps = argc > 1 ? atoi(argv[1]) : 10;
    double changed = 0, all = 0;
    struct strip strip;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (WIDTH % ranks != 0 || !strip_make(&strip, WIDTH / ranks, rank == 0)) {
        fprintf(stderr, "stencil: %d rows do not fit on %d ranks\n", WIDTH, ranks);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    for (int step = 0; step < steps; step++) {
        exchange(&strip, rank, ranks);
        changed = strip_relax(&strip);
    }
    MPI_Allreduce(&changed, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0) {
        printf("stencil: changed by %.6e after %d exchanges\n", all, exchanges);
    }
    strip_free(&strip);
    MPI_Finalize();
    return 0;
}
