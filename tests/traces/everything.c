/* Every call that the recorder knows, without computing. */
#include <mpi.h>
#include <stdlib.h>

enum { MOST = 64, VALUES = 300 };

static int rank, size, counts[MOST], places[MOST];
static double sent[MOST * VALUES], received[MOST * VALUES];

static void messages(MPI_Comm comm) {
    MPI_Request requests[8];
    MPI_Message message;
    int next = (rank + 1) % size, last = (rank + size - 1) % size, places_done[2], done, index;
    MPI_Sendrecv(sent, 9, MPI_INT, next, 1, received, 20, MPI_DOUBLE, last, 1, comm,
                 MPI_STATUS_IGNORE);
    MPI_Sendrecv_replace(sent, 5, MPI_DOUBLE, next, 2, last, 2, comm, MPI_STATUS_IGNORE);
    if (rank % 2 == 0 && rank + 1 < size) {
        MPI_Send(sent, VALUES, MPI_DOUBLE, rank + 1, 3, comm);
        MPI_Ssend(sent, 3, MPI_INT, rank + 1, 4, comm);
    } else if (rank % 2 == 1) {
        MPI_Recv(received, VALUES, MPI_DOUBLE, rank - 1, MPI_ANY_TAG, comm, MPI_STATUS_IGNORE);
        MPI_Probe(MPI_ANY_SOURCE, 4, comm, MPI_STATUS_IGNORE);
        MPI_Recv(received, VALUES, MPI_DOUBLE, MPI_ANY_SOURCE, 4, comm, MPI_STATUS_IGNORE);
    }
    MPI_Isend(sent, 6, MPI_DOUBLE, next, 10, comm, &requests[0]);
    MPI_Isend(sent, VALUES, MPI_DOUBLE, next, 11, comm, &requests[1]);
    MPI_Mprobe(last, MPI_ANY_TAG, comm, &message, MPI_STATUS_IGNORE);
    MPI_Mrecv(received, VALUES, MPI_DOUBLE, &message, MPI_STATUS_IGNORE);
    MPI_Mprobe(MPI_ANY_SOURCE, 11, comm, &message, MPI_STATUS_IGNORE);
    MPI_Imrecv(received, VALUES, MPI_DOUBLE, &message, &requests[2]);
    MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);
    MPI_Send(sent, 1, MPI_INT, MPI_PROC_NULL, 0, comm);
    MPI_Irecv(received, VALUES, MPI_DOUBLE, last, 5, comm, &requests[0]);
    MPI_Irecv(received + VALUES, VALUES, MPI_DOUBLE, last, 6, comm, &requests[1]);
    MPI_Isend(sent, VALUES, MPI_DOUBLE, next, 5, comm, &requests[2]);
    MPI_Issend(sent, 2, MPI_DOUBLE, next, 6, comm, &requests[3]);
    MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
    MPI_Waitall(3, requests + 1, MPI_STATUSES_IGNORE);
    for (int i = 0; i < 3; i++) {
        MPI_Irecv(received, 1, MPI_INT, last, 7 + i, comm, &requests[i]);
        MPI_Send(sent, 1, MPI_INT, next, 7 + i, comm);
    }
    MPI_Barrier(comm);
    MPI_Waitany(1, requests, &index, MPI_STATUS_IGNORE);
    MPI_Waitsome(2, requests + 1, &done, places_done, MPI_STATUSES_IGNORE);
    MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);
    MPI_Send_init(sent, 7, MPI_INT, next, 8, comm, &requests[0]);
    MPI_Recv_init(received, 7, MPI_INT, last, 8, comm, &requests[1]);
    for (int i = 0; i < 3; i++) {
        MPI_Startall(2, requests);
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    }
    MPI_Request_free(&requests[0]);
    MPI_Request_free(&requests[1]);
}

static void collectives(MPI_Comm comm, int count) {
    MPI_Barrier(comm);
    MPI_Bcast(sent, count, MPI_DOUBLE, size - 1, comm);
    MPI_Reduce(sent, received, count, MPI_DOUBLE, MPI_SUM, 0, comm);
    MPI_Allreduce(sent, received, count, MPI_INT, MPI_MAX, comm);
    MPI_Gather(sent, count, MPI_INT, received, count, MPI_INT, 0, comm);
    MPI_Scatter(sent, count, MPI_INT, received, count, MPI_INT, size - 1, comm);
    MPI_Allgather(sent, count, MPI_INT, received, count, MPI_INT, comm);
    MPI_Alltoall(sent, count, MPI_INT, received, count, MPI_INT, comm);
    MPI_Scan(sent, received, count, MPI_DOUBLE, MPI_SUM, comm);
    MPI_Exscan(sent, received, count, MPI_DOUBLE, MPI_SUM, comm);
    MPI_Reduce_scatter_block(sent, received, count, MPI_INT, MPI_SUM, comm);
    for (int i = 0; i < size; i++) {
        counts[i] = 4 + i;
        places[i] = 100 * i;
    }
    MPI_Allgatherv(sent, counts[rank], MPI_INT, received, counts, places, MPI_INT, comm);
    MPI_Gatherv(sent, counts[rank], MPI_INT, received, counts, places, MPI_INT, 1, comm);
    MPI_Scatterv(sent, counts, places, MPI_INT, received, counts[rank], MPI_INT, 0, comm);
    for (int i = 0; i < size; i++) {
        counts[i] = 3 + (rank + i) % 5;
    }
    MPI_Alltoallv(sent, counts, places, MPI_INT, received, counts, places, MPI_INT, comm);
}

static void later(MPI_Comm comm) {
    MPI_Request requests[4];
    MPI_Iallreduce(sent, received, 30, MPI_DOUBLE, MPI_SUM, comm, &requests[0]);
    MPI_Ibcast(sent + VALUES, 10, MPI_INT, 0, comm, &requests[1]);
    MPI_Ibarrier(comm, &requests[2]);
    MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);
    MPI_Ialltoall(sent, 12, MPI_INT, received, 12, MPI_INT, comm, &requests[0]);
    MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
    MPI_Iallgather(sent, 12, MPI_INT, received, 12, MPI_INT, comm, &requests[0]);
    MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
}

int main(int argc, char **argv) {
    MPI_Comm half, copy, grid;
    int dimensions[1], around[1] = {1};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    messages(MPI_COMM_WORLD);
    collectives(MPI_COMM_WORLD, 5);
    collectives(MPI_COMM_WORLD, VALUES);
    later(MPI_COMM_WORLD);
    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    messages(copy);
    MPI_Comm_split(copy, rank % 2, -rank, &half);
    MPI_Comm_rank(half, &rank);
    MPI_Comm_size(half, &size);
    collectives(half, 40);
    MPI_Comm_free(&half);
    dimensions[0] = size;
    MPI_Cart_create(copy, 1, dimensions, around, 0, &grid);
    if (grid != MPI_COMM_NULL) {
        MPI_Barrier(grid);
        MPI_Comm_free(&grid);
    }
    MPI_Comm_free(&copy);
    MPI_Finalize();
    return 0;
}
