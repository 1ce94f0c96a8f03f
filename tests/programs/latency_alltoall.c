/* A plain MPI benchmark in the usual style: latency between ranks 0 and 1, bandwidth with a window
 * of messages, all-to-all and all-reduce over all ranks. It knows nothing of weft. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LARGEST (1 << 16)
#define WINDOW 16
#define SKIP 2
#define LOOPS 10

static int calls_of_main; /* a variable that has to begin at 0 */

static double latency(int rank, char *out, char *in, int bytes) {
    MPI_Status status;
    double start = 0.0;
    for (int i = 0; i < SKIP + LOOPS; i++) {
        if (i == SKIP) {
            start = MPI_Wtime();
        }
        if (rank == 0) {
            MPI_Send(out, bytes, MPI_CHAR, 1, 1, MPI_COMM_WORLD);
            MPI_Recv(in, bytes, MPI_CHAR, 1, 1, MPI_COMM_WORLD, &status);
        } else if (rank == 1) {
            MPI_Recv(in, bytes, MPI_CHAR, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, &status);
            MPI_Send(out, bytes, MPI_CHAR, status.MPI_SOURCE, status.MPI_TAG, MPI_COMM_WORLD);
        }
    }
    return (MPI_Wtime() - start) / (2.0 * LOOPS);
}

static double bandwidth(int rank, char *out, char *in, int bytes) {
    MPI_Request requests[WINDOW];
    char done = 0;
    double start = MPI_Wtime();
    for (int i = 0; i < LOOPS; i++) {
        if (rank == 0) {
            for (int k = 0; k < WINDOW; k++) {
                MPI_Isend(out, bytes, MPI_BYTE, 1, 100, MPI_COMM_WORLD, &requests[k]);
            }
            MPI_Waitall(WINDOW, requests, MPI_STATUSES_IGNORE);
            MPI_Recv(&done, 1, MPI_CHAR, 1, 101, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        } else if (rank == 1) {
            for (int k = 0; k < WINDOW; k++) {
                MPI_Irecv(in, bytes, MPI_BYTE, 0, 100, MPI_COMM_WORLD, &requests[k]);
            }
            MPI_Waitall(WINDOW, requests, MPI_STATUSES_IGNORE);
            MPI_Send(&done, 1, MPI_CHAR, 0, 101, MPI_COMM_WORLD);
        }
    }
    return (double)bytes * WINDOW * LOOPS / (MPI_Wtime() - start);
}

static double all_to_all(int ranks, char *out, char *in, int bytes) {
    double slowest = 0.0;
    for (int peer = 0; peer < ranks; peer++) {
        memset(out + (size_t)peer * (size_t)bytes, peer + 1, (size_t)bytes);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    double start = MPI_Wtime();
    MPI_Alltoall(out, bytes, MPI_CHAR, in, bytes, MPI_CHAR, MPI_COMM_WORLD);
    double own = MPI_Wtime() - start;
    MPI_Reduce(&own, &slowest, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    return slowest;
}

int main(int argc, char *argv[]) {
    int rank, ranks, length;
    char name[MPI_MAX_PROCESSOR_NAME];
    if (calls_of_main++ != 0) {
        fprintf(stderr, "the variables are those of another run\n");
        return 4;
    }
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Get_processor_name(name, &length);
    char *out = malloc((size_t)LARGEST * (size_t)ranks);
    char *in = malloc((size_t)LARGEST * (size_t)ranks);
    memset(out, 'a', (size_t)LARGEST * (size_t)ranks);
    if (ranks < 2 || out == NULL || in == NULL) {
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    for (int bytes = 1; bytes <= LARGEST; bytes *= 16) {
        double latency_s = latency(rank, out, in, bytes);
        double rate = bandwidth(rank, out, in, bytes);
        double exchange_s = all_to_all(ranks, out, in, bytes);
        for (int from = 0; from < ranks; from++) {
            if (in[(size_t)from * (size_t)bytes] != rank + 1) {
                fprintf(stderr, "rank %d: a wrong block from %d\n", rank, from);
                MPI_Abort(MPI_COMM_WORLD, 1);
            }
        }
        if (rank == 0) {
            printf("%d,%.9f,%.1f,%.9f\n", bytes, latency_s, rate, exchange_s);
        }
    }
    long own = rank + 1, sum = 0;
    MPI_Allreduce(&own, &sum, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
    free(in);
    free(out);
    MPI_Finalize();
    return sum == (long)ranks * (ranks + 1) / 2 ? 0 : 5;
}
