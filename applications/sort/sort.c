/* Sorting by buckets: each rank draws numbers, sends each to the rank whose range it falls into,
   and sorts what it has got.

       sort NUMBERS_OF_A_RANK */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static int smaller(const void *one, const void *other) {
    unsigned a = *(const unsigned *)one, b = *(const unsigned *)other;
    return (a > b) - (a < b);
}

/* A linear congruential generator: the same numbers on every machine. */
static unsigned draw(unsigned *state) {
    *state = 1664525u * *state + 1013904223u;
    return *state >> 1;
}

static int bucket(unsigned number, int ranks) {
    return (int)((unsigned long long)number * (unsigned)ranks >> 31);
}

int main(int argc, char **argv) {
    int rank, ranks;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    int count = argc == 2 ? atoi(argv[1]) : 0;
    if (count < 1) {
        if (rank == 0)
            fprintf(stderr, "usage: sort NUMBERS_OF_A_RANK\n");
        MPI_Abort(MPI_COMM_WORLD, 2);
        return 2;
    }
    unsigned state = 2654435761u * (unsigned)(rank + 1), *own = malloc(count * sizeof *own);
    for (int i = 0; i < count; i++)
        own[i] = draw(&state);
    qsort(own, count, sizeof *own, smaller);
    int *to = calloc(ranks, sizeof *to), *from = calloc(ranks, sizeof *from);
    int *to_at = calloc(ranks, sizeof *to_at), *from_at = calloc(ranks, sizeof *from_at);
    for (int i = 0; i < count; i++)
        to[bucket(own[i], ranks)]++;
    MPI_Alltoall(to, 1, MPI_INT, from, 1, MPI_INT, MPI_COMM_WORLD);
    for (int i = 1; i < ranks; i++) {
        to_at[i] = to_at[i - 1] + to[i - 1];
        from_at[i] = from_at[i - 1] + from[i - 1];
    }
    int got = from_at[ranks - 1] + from[ranks - 1];
    unsigned *sorted = malloc((got + 1) * sizeof *sorted);
    MPI_Alltoallv(own, to, to_at, MPI_UNSIGNED, sorted, from, from_at, MPI_UNSIGNED,
                  MPI_COMM_WORLD);
    qsort(sorted, got, sizeof *sorted, smaller);

    /* Nothing is lost, and no number of a rank is below one of the rank before. */
    unsigned least = got ? sorted[0] : ~0u, most = got ? sorted[got - 1] : 0, before = 0;
    MPI_Exscan(&most, &before, 1, MPI_UNSIGNED, MPI_MAX, MPI_COMM_WORLD);
    int wrong = rank > 0 && least < before, anywhere = 0;
    long long mine = got, all = 0;
    MPI_Reduce(&wrong, &anywhere, 1, MPI_INT, MPI_LOR, 0, MPI_COMM_WORLD);
    MPI_Reduce(&mine, &all, 1, MPI_LONG_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("sort: %lld numbers %s\n", all,
               anywhere || all != (long long)count * ranks ? "in disorder" : "in order");
    free(own);
    free(sorted);
    free(to);
    free(from);
    free(to_at);
    free(from_at);
    MPI_Finalize();
    return 0;
}
