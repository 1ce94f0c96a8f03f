/* Rank 0 makes each access to the window of rank 1 so many times, in one epoch. Each time, 48 B
 * come to the window and 52 B from it. */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    long *memory, one = 1, other = 2, pair[2] = {1, 2}, found[2];
    int rank, times = argc > 1 ? atoi(argv[1]) : 1, new = 1, expected = 0, before;
    MPI_Win win;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(2 * sizeof(long), sizeof(long), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    memory[0] = memory[1] = 0;
    MPI_Win_fence(0, win);
    for (int i = 0; rank == 0 && i < times; i++) {
        MPI_Put(&one, 1, MPI_LONG, 1, 0, 1, MPI_LONG, win);
        MPI_Get(&other, 1, MPI_LONG, 1, 0, 1, MPI_LONG, win);
        MPI_Accumulate(&one, 1, MPI_LONG, 1, 0, 1, MPI_LONG, MPI_SUM, win);
        MPI_Fetch_and_op(&one, found, MPI_LONG, 1, 0, MPI_SUM, win);
        MPI_Get_accumulate(pair, 2, MPI_LONG, found, 2, MPI_LONG, 1, 0, 2, MPI_LONG, MPI_SUM, win);
        MPI_Get_accumulate(NULL, 0, MPI_LONG, found, 2, MPI_LONG, 1, 0, 2, MPI_LONG, MPI_NO_OP,
                           win);
        MPI_Compare_and_swap(&new, &expected, &before, MPI_INT, 1, 0, win);
    }
    MPI_Win_fence(0, win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
