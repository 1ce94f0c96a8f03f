/* Checks that its world has so many ranks, that its variables are its own, and that groups and
 * communicators count ranks of the world. Takes no simulated time. */
#include <mpi.h>
#include <stdlib.h>

static int started = 0;
static int large[100000];

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    int rank;
    int size;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (started++ != 0 || large[rank] != 0 || size != (argc > 1 ? atoi(argv[1]) : size)) {
        return 1;
    }
    large[rank] = rank + 1;
    MPI_Comm turned;
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, -rank, &turned);
    MPI_Group all;
    MPI_Group some;
    MPI_Comm_group(MPI_COMM_WORLD, &all);
    MPI_Comm_group(turned, &some);
    int own;
    MPI_Group_rank(all, &own);
    int place = 0;
    int in_world;
    MPI_Group_translate_ranks(some, 1, &place, all, &in_world);
    int highest = size - 1 - (size - 1 - rank) % 2;
    if (own != rank || in_world != highest) {
        return 2;
    }
    MPI_Comm_free(&turned);
    MPI_Group_free(&all);
    MPI_Group_free(&some);
    int is_own = large[rank] == rank + 1 && started == 1;
    MPI_Finalize();
    return is_own ? 0 : 3;
}
