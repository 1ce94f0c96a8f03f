/* Persistent collectives of MPI 4: begun again and again with what the memory then holds. */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

enum { ROUNDS = 3 };
static int rank, size;

#define SAY(...) (printf("%d: ", rank), printf(__VA_ARGS__), printf("\n"))

static void show(const char *what, const int *values, int length) {
    printf("%d: %s", rank, what);
    for (int i = 0; i < length; i++) {
        printf(" %d", values[i]);
    }
    printf("\n");
}

static void rounds(const char *what, MPI_Request *request, int *sent, const int *got, int length) {
    for (int round = 0; round < ROUNDS; round++) {
        for (int i = 0; i < size; i++) {
            sent[i] = 100 * round + 10 * rank + i;
        }
        MPI_Start(request);
        MPI_Wait(request, MPI_STATUS_IGNORE);
        show(what, got, length);
    }
    SAY("%s stays %d", what, *request != MPI_REQUEST_NULL);
    MPI_Request_free(request);
    SAY("%s is gone %d", what, *request == MPI_REQUEST_NULL);
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int sent[16], got[16], counts[16], places[16], flag = 0;
    MPI_Request request, both[2];
    memset(got, 0, sizeof got);
    for (int i = 0; i < 16; i++) {
        counts[i] = 1;
        places[i] = size - 1 - i;
    }
    MPI_Bcast_init(sent, 2, MPI_INT, size - 1, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
    rounds("bcast", &request, sent, sent, 2);
    MPI_Reduce_init(sent, got, 2, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
    rounds("reduce", &request, sent, got, 2);
    MPI_Allreduce_init(sent, got, 2, MPI_INT, MPI_MAX, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
    rounds("allreduce", &request, sent, got, 2);
    MPI_Gather_init(sent, 1, MPI_INT, got, 1, MPI_INT, 1, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
    rounds("gather", &request, sent, got, size);
    MPI_Allgatherv_init(sent, 1, MPI_INT, got, counts, places, MPI_INT, MPI_COMM_WORLD,
                        MPI_INFO_NULL, &request);
    rounds("allgatherv", &request, sent, got, size);
    MPI_Scatter_init(sent, 1, MPI_INT, got, 1, MPI_INT, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
    rounds("scatter", &request, sent, got, 1);
    MPI_Alltoall_init(sent, 1, MPI_INT, got, 1, MPI_INT, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
    rounds("alltoall", &request, sent, got, size);
    MPI_Scan_init(sent, got, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
    rounds("scan", &request, sent, got, 1);
    MPI_Reduce_scatter_block_init(sent, got, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL,
                                  &request);
    rounds("block", &request, sent, got, 1);
    MPI_Barrier_init(MPI_COMM_WORLD, MPI_INFO_NULL, &both[0]);
    MPI_Allreduce_init(&rank, got, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, &both[1]);
    for (int round = 0; round < ROUNDS; round++) {
        MPI_Startall(2, both);
        MPI_Wait(&both[1], MPI_STATUS_IGNORE);
        for (flag = 0; !flag;) {
            MPI_Test(&both[0], &flag, MPI_STATUS_IGNORE);
        }
        SAY("both %d", got[0]);
    }
    MPI_Test(&both[1], &flag, MPI_STATUS_IGNORE);
    SAY("inactive %d", flag);
    MPI_Request_free(&both[0]);
    MPI_Request_free(&both[1]);
    MPI_Finalize();
    return 0;
}
