/* Persistent collectives, started one by one and several at once, without computing. */
#include <mpi.h>

/* Open MPI 4 has them by names of its own. */
#if defined(OPEN_MPI) && OMPI_MAJOR_VERSION < 5
#include <mpi-ext.h>
#define INIT(name) MPIX_##name##_init
#else
#define INIT(name) MPI_##name##_init
#endif

/* MPICH 4.0 cannot start a scatter a second time: only the first few are started again. */
enum { MOST = 64, VALUES = 300, REQUESTS = 17, AGAIN = 5 };

static int rank, size, counts[MOST], places[MOST];
static double sent[MOST * VALUES], received[REQUESTS][MOST * VALUES];

static void of_blocks(MPI_Comm comm, MPI_Request *requests) {
    const MPI_Info info = MPI_INFO_NULL;
    MPI_Datatype types[MOST];
    int offsets[MOST];
    for (int i = 0; i < size; i++) {
        counts[i] = 4 + i;
        places[i] = 100 * i;
        offsets[i] = 400 * i;
        types[i] = MPI_INT;
    }
    INIT(Allgatherv)(sent, counts[rank], MPI_INT, received[11], counts, places, MPI_INT, comm, info,
                     &requests[11]);
    INIT(Gatherv)(sent, counts[rank], MPI_INT, received[12], counts, places, MPI_INT, 1, comm, info,
                  &requests[12]);
    INIT(Scatterv)(sent, counts, places, MPI_INT, received[13], counts[rank], MPI_INT, 0, comm,
                   info, &requests[13]);
    INIT(Reduce_scatter)(sent, received[14], counts, MPI_INT, MPI_SUM, comm, info, &requests[14]);
    /* The library may read these when the collective starts, so they stay. */
    static int equal[MOST];
    static int equal_places[MOST];
    static int equal_offsets[MOST];
    static MPI_Datatype equal_types[MOST];
    for (int i = 0; i < size; i++) {
        equal[i] = 6;
        equal_places[i] = places[i];
        equal_offsets[i] = offsets[i];
        equal_types[i] = types[i];
    }
    INIT(Alltoallv)(sent, equal, equal_places, MPI_INT, received[15], equal, equal_places, MPI_INT,
                    comm, info, &requests[15]);
    INIT(Alltoallw)(sent, equal, equal_offsets, equal_types, received[16], equal, equal_offsets,
                    equal_types, comm, info, &requests[16]);
}

static void of_equal_blocks(MPI_Comm comm, int count, MPI_Request *requests) {
    const MPI_Info info = MPI_INFO_NULL;
    INIT(Barrier)(comm, info, &requests[0]);
    INIT(Bcast)(received[1], count, MPI_DOUBLE, size - 1, comm, info, &requests[1]);
    INIT(Reduce)(sent, received[2], count, MPI_DOUBLE, MPI_SUM, 0, comm, info, &requests[2]);
    INIT(Allreduce)(sent, received[3], count, MPI_INT, MPI_MAX, comm, info, &requests[3]);
    INIT(Gather)(sent, count, MPI_INT, received[4], count, MPI_INT, 0, comm, info, &requests[4]);
    INIT(Scatter)(sent, count, MPI_INT, received[5], count, MPI_INT, size - 1, comm, info,
                  &requests[5]);
    INIT(Allgather)(sent, count, MPI_INT, received[6], count, MPI_INT, comm, info, &requests[6]);
    INIT(Alltoall)(sent, count, MPI_INT, received[7], count, MPI_INT, comm, info, &requests[7]);
    INIT(Scan)(sent, received[8], count, MPI_DOUBLE, MPI_SUM, comm, info, &requests[8]);
    INIT(Exscan)(sent, received[9], count, MPI_DOUBLE, MPI_SUM, comm, info, &requests[9]);
    INIT(Reduce_scatter_block)(sent, received[10], count, MPI_INT, MPI_SUM, comm, info,
                               &requests[10]);
}

static void begin(MPI_Comm comm, int count, MPI_Request *requests) {
    of_equal_blocks(comm, count, requests);
    of_blocks(comm, requests);
}

static void end(MPI_Request *requests) {
    for (int i = 0; i < REQUESTS; i++) {
        MPI_Request_free(&requests[i]);
    }
}

static void collectives(MPI_Comm comm, int count) {
    MPI_Request requests[REQUESTS];
    begin(comm, count, requests);
    for (int i = 0; i < REQUESTS + AGAIN; i++) {
        MPI_Start(&requests[i % REQUESTS]);
        MPI_Wait(&requests[i % REQUESTS], MPI_STATUS_IGNORE);
    }
    end(requests);
    begin(comm, count, requests);
    MPI_Startall(REQUESTS, requests);
    MPI_Waitall(REQUESTS, requests, MPI_STATUSES_IGNORE);
    end(requests);
}

int main(int argc, char **argv) {
    MPI_Comm half;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    collectives(MPI_COMM_WORLD, 5);
    collectives(MPI_COMM_WORLD, VALUES);
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, -rank, &half);
    MPI_Comm_rank(half, &rank);
    MPI_Comm_size(half, &size);
    collectives(half, 40);
    MPI_Comm_free(&half);
    MPI_Finalize();
    return 0;
}
