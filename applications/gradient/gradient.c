/* Conjugate gradients for a chain of springs (a tridiagonal system): two sums over all ranks in
   each iteration, and one number from each neighbour.

       gradient UNKNOWNS_OF_A_RANK */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST_ITERATIONS = 500 };

static double product(const double *one, const double *other, int count) {
    double own = 0, all = 0;
    for (int i = 0; i < count; i++)
        own += one[i] * other[i];
    MPI_Allreduce(&own, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return all;
}

/* out = A in, where A has 3 on its diagonal and -1 beside it. */
static void apply(const double *in, double *out, int count, int left, int right) {
    double before = 0, behind = 0;
    MPI_Sendrecv(&in[0], 1, MPI_DOUBLE, left, 0, &behind, 1, MPI_DOUBLE, right, 0, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    MPI_Sendrecv(&in[count - 1], 1, MPI_DOUBLE, right, 1, &before, 1, MPI_DOUBLE, left, 1,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (int i = 0; i < count; i++)
        out[i] = 3 * in[i] - (i > 0 ? in[i - 1] : before) - (i + 1 < count ? in[i + 1] : behind);
}

int main(int argc, char **argv) {
    int rank, ranks, iterations = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    int count = argc == 2 ? atoi(argv[1]) : 0;
    if (count < 1) {
        if (rank == 0)
            fprintf(stderr, "usage: gradient UNKNOWNS_OF_A_RANK\n");
        MPI_Abort(MPI_COMM_WORLD, 2);
        return 2;
    }
    int left = rank > 0 ? rank - 1 : MPI_PROC_NULL;
    int right = rank + 1 < ranks ? rank + 1 : MPI_PROC_NULL;
    double *x = calloc(count, sizeof *x), *rest = calloc(count, sizeof *rest);
    double *way = calloc(count, sizeof *way), *applied = calloc(count, sizeof *applied);
    for (int i = 0; i < count; i++)
        way[i] = rest[i] = 1;
    double error = product(rest, rest, count), first = error;
    for (; iterations < MOST_ITERATIONS && error > 1e-20 * first; iterations++) {
        apply(way, applied, count, left, right);
        double step = error / product(way, applied, count);
        for (int i = 0; i < count; i++) {
            x[i] += step * way[i];
            rest[i] -= step * applied[i];
        }
        double now = product(rest, rest, count);
        for (int i = 0; i < count; i++)
            way[i] = rest[i] + now / error * way[i];
        error = now;
    }
    /* Of the solution itself, because the residual above is only counted along. */
    apply(x, applied, count, left, right);
    for (int i = 0; i < count; i++)
        applied[i] -= 1;
    double residual = sqrt(product(applied, applied, count) / first);
    if (rank == 0)
        printf("gradient: %s after %d iterations, residual %.1e\n",
               residual < 1e-9 ? "solved" : "not solved", iterations, residual);
    free(x);
    free(rest);
    free(way);
    free(applied);
    MPI_Finalize();
    return 0;
}
