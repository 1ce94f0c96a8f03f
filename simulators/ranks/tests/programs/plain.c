/* An MPI program as it is. Rank 1 does what the first argument says. */
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv) {
    int provided = 0;
    int rank = 0;
    char data[8] = {0};
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (provided < MPI_THREAD_FUNNELED) {
        return 3;
    }
    if (rank == 1 && strcmp(argv[1], "nobody") == 0) {
        MPI_Send(data, 8, MPI_BYTE, 99, 0, MPI_COMM_WORLD);
    }
    if (rank == 1 && strcmp(argv[1], "wait") == 0) {
        MPI_Recv(data, 8, MPI_BYTE, 0, 17, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    if (rank == 1 && strcmp(argv[1], "crash") == 0) {
        *(volatile int *)16 = 1;
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    exit(rank == 1 ? atoi(argv[1]) : 0);
}
