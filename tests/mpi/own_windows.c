/* A rank that looks at its own window again and again sees what others do there. */
#include <mpi.h>
#include <stdio.h>

#define SAY(...) (printf("%d: ", rank), printf(__VA_ARGS__), printf("\n"))
#define WORLD MPI_COMM_WORLD

static int rank, ranks;
static MPI_Win window;

static int looks(int way, volatile int *counter) {
    int nothing = 0, seen = 0;
    if (way == 0) {
        MPI_Fetch_and_op(&nothing, &seen, MPI_INT, 0, 0, MPI_NO_OP, window);
        MPI_Win_flush_local(0, window);
    } else if (way == 1) {
        MPI_Get(&seen, 1, MPI_INT, 0, 0, 1, MPI_INT, window);
        MPI_Win_flush(0, window);
    } else if (way == 2) {
        MPI_Compare_and_swap(&nothing, &nothing, &seen, MPI_INT, 0, 0, window);
        MPI_Win_flush(0, window);
    } else {
        MPI_Win_sync(window);
        seen = *counter;
    }
    return seen;
}

int main(int argc, char **argv) {
    int one = 1, *counter;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(WORLD, &rank);
    MPI_Comm_size(WORLD, &ranks);
    MPI_Win_allocate(sizeof *counter, sizeof *counter, MPI_INFO_NULL, WORLD, &counter, &window);
    MPI_Win_lock_all(0, window);
    for (int way = 0; way < 4; way++) {
        *counter = 0;
        MPI_Win_sync(window);
        MPI_Barrier(WORLD);
        int seen = 0;
        while (rank == 0 && seen != ranks - 1) {
            seen = looks(way, counter);
        }
        if (rank > 0) {
            MPI_Accumulate(&one, 1, MPI_INT, 0, 0, 1, MPI_INT, MPI_SUM, window);
            MPI_Win_flush(0, window);
        }
        MPI_Barrier(WORLD);
        SAY("way %d: %d", way, seen);
    }
    MPI_Win_unlock_all(window);
    MPI_Win_free(&window);
    MPI_Finalize();
    return 0;
}
