/* One collective with blocks of so many bytes, for tests: which algorithm does the library take? */
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv) {
    int ranks;
    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const char *name = argv[1];
    int bytes = atoi(argv[2]);
    int count = bytes / (int)sizeof(double);
    char *own = calloc((size_t)ranks, (size_t)bytes);
    char *other = calloc((size_t)ranks, (size_t)bytes);
    /* A collective that no table tunes has to go on working. */
    MPI_Barrier(MPI_COMM_WORLD);
    if (strcmp(name, "bcast") == 0) {
        MPI_Bcast(own, bytes, MPI_CHAR, 0, MPI_COMM_WORLD);
    } else if (strcmp(name, "reduce") == 0) {
        MPI_Reduce(own, other, count, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    } else if (strcmp(name, "allreduce") == 0) {
        MPI_Allreduce(own, other, count, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    } else if (strcmp(name, "allgather") == 0) {
        MPI_Allgather(own, bytes, MPI_CHAR, other, bytes, MPI_CHAR, MPI_COMM_WORLD);
    } else {
        MPI_Alltoall(own, bytes, MPI_CHAR, other, bytes, MPI_CHAR, MPI_COMM_WORLD);
    }
    free(other);
    free(own);
    MPI_Finalize();
    return 0;
}
