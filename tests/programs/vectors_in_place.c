/* Two bytes for every rank, at places far from each other. The argument is how far. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    int rank, size, wrong = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int apart = atoi(argv[1]);
    int *counts = malloc((size_t)size * sizeof *counts);
    int *places = malloc((size_t)size * sizeof *places);
    char *blocks = calloc((size_t)size, (size_t)apart);
    for (int other = 0; other < size; other++) {
        counts[other] = 2;
        places[other] = (size - 1 - other) * apart;
        blocks[places[other]] = (char)rank;
        blocks[places[other] + 1] = (char)other;
    }
    MPI_Alltoallv(MPI_IN_PLACE, NULL, NULL, MPI_BYTE, blocks, counts, places, MPI_BYTE,
                  MPI_COMM_WORLD);
    for (int other = 0; other < size; other++) {
        wrong += blocks[places[other]] != (char)other;
        wrong += blocks[places[other] + 1] != (char)rank;
    }
    free(blocks);
    free(places);
    free(counts);
    MPI_Finalize();
    return wrong > 0;
}
