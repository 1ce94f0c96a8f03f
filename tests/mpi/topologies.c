/* Grids and graphs, and collectives of neighbours. */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

static int rank;
static int size;

#define SAY(...) (printf("%d: ", rank), printf(__VA_ARGS__), printf("\n"))

static void say(const char *what, const int *numbers, int count) {
    printf("%d: %s", rank, what);
    for (int i = 0; i < count; i++) {
        printf(" %d", numbers[i]);
    }
    printf("\n");
}

static void dimensions(void) {
    int asked[][4] = {{12, 2, 0, 0}, {7, 2, 0, 0},  {16, 2, 0, 0}, {6, 3, 0, 0},
                      {12, 2, 3, 0}, {64, 3, 0, 0}, {60, 3, 0, 0}, {1, 2, 0, 0}};
    for (int i = 0; i < 8; i++) {
        int sizes[3] = {asked[i][2], asked[i][3], 0};
        MPI_Dims_create(asked[i][0], asked[i][1], sizes);
        say("dims", sizes, asked[i][1]);
    }
}

/* Neighbours of a grid say who they are, each direction apart. */
static void neighbours(MPI_Comm grid, int count) {
    int own[12], got[12], counts[12], places[12], kind, me;
    MPI_Aint offsets[12];
    MPI_Datatype types[12];
    MPI_Comm_rank(grid, &me);
    MPI_Topo_test(grid, &kind);
    SAY("kind %d", kind == MPI_CART ? 1 : kind == MPI_GRAPH ? 2 : kind == MPI_DIST_GRAPH ? 3 : 0);
    for (int i = 0; i < 12; i++) {
        own[i] = 100 * me + i;
        got[i] = -1;
        counts[i] = 1;
        places[i] = i;
        offsets[i] = (MPI_Aint)(i * sizeof(int));
        types[i] = MPI_INT;
    }
    MPI_Neighbor_allgather(own, 1, MPI_INT, got, 1, MPI_INT, grid);
    say("allgather", got, count);
    memset(got, -1, sizeof got);
    MPI_Neighbor_alltoall(own, 1, MPI_INT, got, 1, MPI_INT, grid);
    say("alltoall", got, count);
    memset(got, -1, sizeof got);
    MPI_Neighbor_allgatherv(own, 1, MPI_INT, got, counts, places, MPI_INT, grid);
    say("allgatherv", got, count);
    memset(got, -1, sizeof got);
    MPI_Neighbor_alltoallv(own, counts, places, MPI_INT, got, counts, places, MPI_INT, grid);
    say("alltoallv", got, count);
    memset(got, -1, sizeof got);
    MPI_Neighbor_alltoallw(own, counts, offsets, types, got, counts, offsets, types, grid);
    say("alltoallw", got, count);
    MPI_Request requests[2];
    int more[12];
    memset(got, -1, sizeof got);
    memset(more, -1, sizeof more);
    MPI_Ineighbor_alltoall(own, 1, MPI_INT, got, 1, MPI_INT, grid, &requests[0]);
    MPI_Ineighbor_allgather(own, 1, MPI_INT, more, 1, MPI_INT, grid, &requests[1]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    say("ialltoall", got, count);
    say("iallgather", more, count);
}

static void grids(void) {
    MPI_Comm grid, line, copy;
    int sizes[2] = {0, 0}, periods[2] = {1, 0}, at[2], got_sizes[2], got_periods[2], me, kind;
    MPI_Topo_test(MPI_COMM_WORLD, &kind);
    SAY("none %d", kind == MPI_UNDEFINED);
    MPI_Dims_create(size, 2, sizes);
    MPI_Cart_create(MPI_COMM_WORLD, 2, sizes, periods, 0, &grid);
    MPI_Comm_rank(grid, &me);
    MPI_Cartdim_get(grid, &kind);
    MPI_Cart_get(grid, 2, got_sizes, got_periods, at);
    SAY("dimensions %d: %d x %d, periods %d %d, at %d %d", kind, got_sizes[0], got_sizes[1],
        got_periods[0] != 0, got_periods[1] != 0, at[0], at[1]);
    int back;
    MPI_Cart_rank(grid, at, &back);
    int beyond[2] = {at[0] + 3 * sizes[0] + 1, at[1]};
    MPI_Cart_rank(grid, beyond, &kind);
    SAY("rank %d %d, beyond %d", me, back, kind);
    for (int i = 0; i < size; i++) {
        MPI_Cart_coords(grid, i, 2, at);
        SAY("coordinates of %d: %d %d", i, at[0], at[1]);
    }
    for (int dimension = 0; dimension < 2; dimension++) {
        for (int distance = -2; distance <= 2; distance++) {
            int source, dest;
            MPI_Cart_shift(grid, dimension, distance, &source, &dest);
            SAY("shift %d by %d: %d %d", dimension, distance, source == MPI_PROC_NULL ? -1 : source,
                dest == MPI_PROC_NULL ? -1 : dest);
        }
    }
    neighbours(grid, 4);
    MPI_Comm_dup(grid, &copy);
    MPI_Cartdim_get(copy, &kind);
    SAY("a copy has %d", kind);
    MPI_Comm_free(&copy);
    int remains[2] = {0, 1}, length, own;
    MPI_Cart_sub(grid, remains, &line);
    MPI_Comm_size(line, &length);
    MPI_Comm_rank(line, &own);
    MPI_Cart_get(line, 1, got_sizes, got_periods, at);
    SAY("line of %d, %d, at %d, period %d", length, own, at[0], got_periods[0] != 0);
    MPI_Comm_free(&line);
    MPI_Comm_free(&grid);
    int two[1] = {2}, round[1] = {1};
    if (size > 2) {
        MPI_Cart_create(MPI_COMM_WORLD, 1, two, round, 1, &grid);
        SAY("left out %d", grid == MPI_COMM_NULL);
        if (grid != MPI_COMM_NULL) {
            neighbours(grid, 2);
            MPI_Comm_free(&grid);
        }
    }
    int one[3] = {1, 1, size};
    int all_round[3] = {1, 1, 1};
    MPI_Cart_create(MPI_COMM_WORLD, 3, one, all_round, 0, &grid);
    neighbours(grid, 6);
    MPI_Comm_free(&grid);
}

static void graphs(void) {
    if (size < 3) {
        return;
    }
    /* Rank 0 knows 1 and 2; 1 knows 0; 2 knows 0. */
    int index[3] = {2, 3, 4}, edges[4] = {1, 2, 0, 0}, nodes, count, got_index[3], got_edges[4];
    MPI_Comm graph;
    MPI_Graph_create(MPI_COMM_WORLD, 3, index, edges, 0, &graph);
    if (graph != MPI_COMM_NULL) {
        MPI_Graphdims_get(graph, &nodes, &count);
        MPI_Graph_get(graph, 3, 4, got_index, got_edges);
        SAY("graph %d %d: %d %d, %d %d", nodes, count, got_index[0], got_index[2], got_edges[1],
            got_edges[3]);
        for (int i = 0; i < 3; i++) {
            int known[3] = {-1, -1, -1};
            MPI_Graph_neighbors_count(graph, i, &count);
            MPI_Graph_neighbors(graph, i, 3, known);
            SAY("rank %d knows %d: %d %d", i, count, known[0], known[1]);
        }
        MPI_Graph_neighbors_count(graph, rank, &count);
        neighbours(graph, count);
        MPI_Comm_free(&graph);
    } else {
        SAY("not in the graph");
    }
    /* A ring in one direction, and rank 0 sends to all. */
    int in[16], out[16], weights[16], in_count = 0, out_count = 0;
    in[in_count++] = (rank + size - 1) % size;
    out[out_count++] = (rank + 1) % size;
    if (rank == 0) {
        for (int i = 2; i < size; i++) {
            out[out_count++] = i;
        }
    } else if (rank > 1) {
        in[in_count++] = 0;
    }
    for (int i = 0; i < 16; i++) {
        weights[i] = 10 * rank + i;
    }
    MPI_Comm ring;
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, in_count, in, weights, out_count, out, weights,
                                   MPI_INFO_NULL, 0, &ring);
    int weighted, ins, outs, in_weights[16], out_weights[16];
    MPI_Dist_graph_neighbors_count(ring, &ins, &outs, &weighted);
    MPI_Dist_graph_neighbors(ring, 16, in, in_weights, 16, out, out_weights);
    SAY("adjacent %d %d weighted %d", ins, outs, weighted);
    say("in", in, ins);
    say("in weights", in_weights, ins);
    say("out", out, outs);
    say("out weights", out_weights, outs);
    neighbours(ring, ins);
    MPI_Comm_free(&ring);
    int source = rank, degree = 1, dest = (rank + 2) % size;
    MPI_Dist_graph_create(MPI_COMM_WORLD, 1, &source, &degree, &dest, MPI_UNWEIGHTED, MPI_INFO_NULL,
                          0, &ring);
    MPI_Dist_graph_neighbors_count(ring, &ins, &outs, &weighted);
    MPI_Dist_graph_neighbors(ring, 16, in, MPI_UNWEIGHTED, 16, out, MPI_UNWEIGHTED);
    SAY("distributed %d %d weighted %d: %d %d", ins, outs, weighted, in[0], out[0]);
    neighbours(ring, ins);
    MPI_Comm_free(&ring);
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (rank == 0) {
        dimensions();
    }
    grids();
    graphs();
    MPI_Finalize();
    return 0;
}
