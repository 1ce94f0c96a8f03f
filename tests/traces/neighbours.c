/* Collectives of neighbours in grids and graphs, without computing. */
#include <mpi.h>

/* Open MPI 4 has persistent ones by names of its own. */
#if defined(OPEN_MPI) && OMPI_MAJOR_VERSION < 5
#include <mpi-ext.h>
#define INIT(name) MPIX_Neighbor_##name##_init
#else
#define INIT(name) MPI_Neighbor_##name##_init
#endif

enum { MOST = 16, VALUES = 300 };

static int rank, size;
static int counts[MOST], places[MOST];
static MPI_Aint offsets[MOST];
static MPI_Datatype types[MOST];
static double sent[MOST * VALUES], received[2][MOST * VALUES];

/* In a grid a block that goes forth may be longer than one that goes back. Open MPI 4 mixes them up
 * where both neighbours are the same rank. */
static void exchange(MPI_Comm comm, int count, int differs) {
    MPI_Request requests[2];
    int back[MOST];
    for (int i = 0; i < MOST; i++) {
        counts[i] = differs ? count + i % 2 : count;
        back[i] = differs ? count + 1 - i % 2 : count;
        places[i] = VALUES * i;
        offsets[i] = (MPI_Aint)VALUES * i * (MPI_Aint)sizeof *sent;
        types[i] = MPI_DOUBLE;
    }
    MPI_Neighbor_allgather(sent, count, MPI_DOUBLE, received[0], count, MPI_DOUBLE, comm);
    MPI_Neighbor_alltoall(sent, count, MPI_DOUBLE, received[0], count, MPI_DOUBLE, comm);
    MPI_Neighbor_alltoallv(sent, counts, places, MPI_DOUBLE, received[0], back, places, MPI_DOUBLE,
                           comm);
    MPI_Neighbor_alltoallw(sent, counts, offsets, types, received[0], back, offsets, types, comm);
    MPI_Ineighbor_alltoall(sent, count, MPI_DOUBLE, received[0], count, MPI_DOUBLE, comm,
                           &requests[0]);
    MPI_Ineighbor_alltoallv(sent, counts, places, MPI_DOUBLE, received[1], back, places, MPI_DOUBLE,
                            comm, &requests[1]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    MPI_Ineighbor_allgather(sent, count, MPI_DOUBLE, received[0], count, MPI_DOUBLE, comm,
                            &requests[0]);
    MPI_Ineighbor_alltoallw(sent, counts, offsets, types, received[1], back, offsets, types, comm,
                            &requests[1]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    INIT(alltoall)(sent, count, MPI_DOUBLE, received[0], count, MPI_DOUBLE, comm, MPI_INFO_NULL,
                   &requests[0]);
    MPI_Start(&requests[0]);
    MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
    MPI_Request_free(&requests[0]);
    /* From each rank as much as it says. */
    for (int i = 0; i < MOST; i++) {
        counts[i] = count;
    }
    MPI_Neighbor_allgatherv(sent, count, MPI_DOUBLE, received[0], counts, places, MPI_DOUBLE, comm);
    MPI_Ineighbor_allgatherv(sent, count, MPI_DOUBLE, received[0], counts, places, MPI_DOUBLE, comm,
                             &requests[0]);
    MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
}

static void grids(MPI_Comm comm) {
    MPI_Comm grid, line, copy;
    int sizes[] = {2, 2}, periods[] = {1, 0}, keep[] = {1, 0}, ring[] = {size}, open[] = {0};
    MPI_Cart_create(comm, 2, sizes, periods, 0, &grid);
    exchange(grid, 5, 0);
    exchange(grid, VALUES - 1, 0);
    MPI_Cart_sub(grid, keep, &line);
    exchange(line, 200, 0);
    MPI_Comm_free(&line);
    MPI_Comm_dup(grid, &copy);
    exchange(copy, 7, 0);
    MPI_Comm_free(&copy);
    MPI_Comm_free(&grid);
    MPI_Cart_create(comm, 1, ring, open, 0, &line);
    exchange(line, 40, 1);
    MPI_Comm_free(&line);
    ring[0] = 3;
    open[0] = 1;
    MPI_Cart_create(comm, 1, ring, open, 0, &line);
    if (line != MPI_COMM_NULL) {
        exchange(line, 150, 1);
        MPI_Comm_free(&line);
    }
}

static void graphs(MPI_Comm comm) {
    MPI_Comm graph;
    /* Of the first three ranks: 0 and 1, 1 and 2. */
    int index[] = {1, 3, 4}, edges[] = {1, 0, 2, 1};
    MPI_Graph_create(comm, 3, index, edges, 0, &graph);
    if (graph != MPI_COMM_NULL) {
        exchange(graph, 20, 0);
        MPI_Comm_free(&graph);
    }
    /* A ring that goes one way, and rank 0 sends to rank 2, too. Once: MPICH 4.0 may wait forever
     * for the second of two blocks of the same rank. */
    int from[] = {(rank + size - 1) % size, 0}, to[] = {(rank + 1) % size, 2};
    MPI_Dist_graph_create_adjacent(comm, rank == 2 ? 2 : 1, from, MPI_UNWEIGHTED, rank == 0 ? 2 : 1,
                                   to, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &graph);
    exchange(graph, 11, 0);
    exchange(graph, VALUES, 0);
    MPI_Comm_free(&graph);
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    grids(MPI_COMM_WORLD);
    graphs(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
