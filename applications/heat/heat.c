/* Heat in a plate: each rank holds a strip of rows, exchanges its border rows with both neighbours,
   and all ranks add up how much heat is left.

       heat ROWS COLUMNS STEPS

   The borders of the plate let no heat through, so the sum must stay what it was. */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static double total(const double *plate, int rows, int columns) {
    double own = 0, all = 0;
    for (int i = columns; i < (rows + 1) * columns; i++)
        own += plate[i];
    MPI_Allreduce(&own, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return all;
}

static void exchange(double *plate, int rows, int columns, int above, int below) {
    double *first = plate + columns, *last = plate + rows * columns;
    MPI_Sendrecv(first, columns, MPI_DOUBLE, above, 0, last + columns, columns, MPI_DOUBLE, below,
                 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Sendrecv(last, columns, MPI_DOUBLE, below, 1, plate, columns, MPI_DOUBLE, above, 1,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

/* What leaves a cell enters its neighbour. */
static double flux(const double *plate, int at, int neighbour, int exists) {
    return exists ? plate[neighbour] - plate[at] : 0;
}

int main(int argc, char **argv) {
    int rank, ranks;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    int all_rows = argc == 4 ? atoi(argv[1]) : 0;
    int columns = argc == 4 ? atoi(argv[2]) : 0, steps = argc == 4 ? atoi(argv[3]) : 0;
    if (all_rows < ranks || columns < 1 || steps < 1) {
        if (rank == 0)
            fprintf(stderr, "usage: heat ROWS COLUMNS STEPS, with a row or more for each rank\n");
        MPI_Abort(MPI_COMM_WORLD, 2);
        return 2;
    }
    int rows = all_rows / ranks + (rank < all_rows % ranks);
    int above = rank > 0 ? rank - 1 : MPI_PROC_NULL;
    int below = rank + 1 < ranks ? rank + 1 : MPI_PROC_NULL;
    double *now = calloc((size_t)(rows + 2) * columns, sizeof *now);
    double *next = calloc((size_t)(rows + 2) * columns, sizeof *next);
    for (int i = columns; rank == 0 && i < 2 * columns; i++)
        now[i] = 1;
    double before = total(now, rows, columns);
    for (int step = 0; step < steps; step++) {
        exchange(now, rows, columns, above, below);
        for (int row = 1; row <= rows; row++)
            for (int column = 0; column < columns; column++) {
                int at = row * columns + column;
                double in = flux(now, at, at - columns, row > 1 || above != MPI_PROC_NULL) +
                            flux(now, at, at + columns, row < rows || below != MPI_PROC_NULL) +
                            flux(now, at, at - 1, column > 0) +
                            flux(now, at, at + 1, column + 1 < columns);
                next[at] = now[at] + 0.2 * in;
            }
        double *old = now;
        now = next;
        next = old;
    }
    double after = total(now, rows, columns);
    if (rank == 0)
        printf("heat: %s, %.6f before and %.6f after\n",
               fabs(after - before) < 1e-9 * before ? "conserved" : "lost", before, after);
    free(now);
    free(next);
    MPI_Finalize();
    return 0;
}
