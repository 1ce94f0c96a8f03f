/* Blocks of unequal sizes, buffered sends, and communicators of groups and copies. */
#include <mpi.h>
#include <stdlib.h>

enum { MOST = 64, VALUES = 300 };

static int rank, size, counts[MOST], places[MOST];
static double sent[MOST * VALUES], received[MOST * VALUES];

static void sums(MPI_Comm comm, int scale) {
    MPI_Request request;
    for (int i = 0; i < size; i++) {
        counts[i] = scale * (1 + i % 3);
    }
    MPI_Reduce_scatter(sent, received, counts, MPI_DOUBLE, MPI_SUM, comm);
    MPI_Ireduce_scatter(sent, received, counts, MPI_INT, MPI_MAX, comm, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Reduce_scatter_block(sent, received, scale, MPI_DOUBLE, MPI_SUM, comm);
}

static void blocks(MPI_Comm comm, int scale) {
    MPI_Request requests[4];
    MPI_Datatype types[MOST];
    for (int i = 0; i < size; i++) {
        counts[i] = scale + i;
        places[i] = 2 * scale * i;
    }
    MPI_Iallgatherv(sent, counts[rank], MPI_INT, received, counts, places, MPI_INT, comm,
                    &requests[0]);
    MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
    MPI_Igatherv(sent, counts[rank], MPI_INT, received, counts, places, MPI_INT, 1, comm,
                 &requests[0]);
    MPI_Iscatterv(sent + VALUES, counts, places, MPI_INT, received + MOST * VALUES / 2,
                  counts[rank], MPI_INT, 0, comm, &requests[1]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    for (int i = 0; i < size; i++) {
        counts[i] = scale + (rank + i) % 5;
        places[i] = 16 * scale * i;
        types[i] = (rank + i) % 2 ? MPI_INT : MPI_DOUBLE;
    }
    MPI_Ialltoallv(sent, counts, places, MPI_INT, received, counts, places, MPI_INT, comm,
                   &requests[0]);
    MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
    MPI_Alltoallw(sent, counts, places, types, received, counts, places, types, comm);
    MPI_Ialltoallw(sent, counts, places, types, received, counts, places, types, comm,
                   &requests[0]);
    MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
}

static void buffered(MPI_Comm comm) {
    static char buffer[1 << 16];
    MPI_Request requests[2];
    void *detached;
    int bytes, next = (rank + 1) % size, last = (rank + size - 1) % size;
    MPI_Buffer_attach(buffer, sizeof buffer);
    MPI_Bsend(sent, VALUES, MPI_DOUBLE, next, 1, comm);
    MPI_Ibsend(sent, 7, MPI_DOUBLE, next, 2, comm, &requests[0]);
    MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
    MPI_Bsend_init(sent, VALUES, MPI_INT, next, 3, comm, &requests[0]);
    MPI_Start(&requests[0]);
    MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
    for (int tag = 1; tag <= 3; tag++) {
        MPI_Recv(received, VALUES, MPI_DOUBLE, last, tag, comm, MPI_STATUS_IGNORE);
    }
    MPI_Buffer_detach(&detached, &bytes);
    MPI_Request_free(&requests[0]);
}

static void all(MPI_Comm comm) {
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    sums(comm, 3);
    sums(comm, VALUES);
    blocks(comm, 2);
    blocks(comm, 40);
}

int main(int argc, char **argv) {
    MPI_Comm made, copy, twin;
    MPI_Group everybody, some;
    MPI_Request request;
    int members[MOST], zero = 0;
    MPI_Init(&argc, &argv);
    all(MPI_COMM_WORLD);
    buffered(MPI_COMM_WORLD);
    for (int i = 0; i + 1 < size; i++) {
        members[i] = size - 1 - i;
    }
    MPI_Comm_group(MPI_COMM_WORLD, &everybody);
    MPI_Group_incl(everybody, size - 1, members, &some);
    if (rank != 0) {
        MPI_Comm_create_group(MPI_COMM_WORLD, some, 5, &made);
        MPI_Allreduce(MPI_IN_PLACE, &zero, 1, MPI_INT, MPI_SUM, made);
        MPI_Comm_free(&made);
    }
    MPI_Comm_idup(MPI_COMM_WORLD, &copy, &request);
    MPI_Bcast(&zero, 1, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Comm_dup_with_info(copy, MPI_INFO_NULL, &twin);
    all(twin);
    MPI_Comm_disconnect(&twin);
    MPI_Comm_free(&copy);
    MPI_Finalize();
    return 0;
}
