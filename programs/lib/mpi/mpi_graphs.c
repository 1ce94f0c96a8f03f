/* Graphs as topologies. */
#include "mpi_topology.h"

/* The neighbours of this rank go both ways. */
static void find_neighbours(struct topology *topology, int rank) {
    int first = rank == 0 ? 0 : topology->index[rank - 1];
    int count = topology->index[rank] - first;
    topology->in_count = topology->out_count = count;
    topology->in = mgen_numbers(topology->edges + first, count);
    topology->out = mgen_numbers(topology->edges + first, count);
}

int MPI_Graph_create(MPI_Comm comm, int nodes, const int *index, const int *edges, int reorder,
                     MPI_Comm *made) {
    (void)reorder;
    mgen_label("MPI_Graph_create");
    int rank = mgen_comm_rank(comm);
    if (nodes < 0 || nodes > mgen_comm_size(comm)) {
        mgen_fail("the graph has more nodes than the communicator has ranks");
    }
    MGEN_Comm_split(comm, rank < nodes ? 0 : MGEN_UNDEFINED, rank, made);
    if (*made != MPI_COMM_NULL) {
        struct topology *topology = mgen_topology_new(*made, MPI_GRAPH);
        topology->nodes = nodes;
        topology->index = mgen_numbers(index, nodes);
        topology->edges = mgen_numbers(edges, index[nodes - 1]);
        find_neighbours(topology, rank);
    }
    return mgen_left(MPI_SUCCESS);
}

int MPI_Graphdims_get(MPI_Comm comm, int *nodes, int *edges) {
    const struct topology *topology = mgen_topology(__func__, comm, MPI_GRAPH);
    *nodes = topology->nodes;
    *edges = topology->index[topology->nodes - 1];
    return MPI_SUCCESS;
}

static void copy_most(int *to, const int *from, int count, int most) {
    for (int i = 0; i < count && i < most; i++) {
        to[i] = from[i];
    }
}

int MPI_Graph_get(MPI_Comm comm, int most_index, int most_edges, int *index, int *edges) {
    const struct topology *topology = mgen_topology(__func__, comm, MPI_GRAPH);
    copy_most(index, topology->index, topology->nodes, most_index);
    copy_most(edges, topology->edges, topology->index[topology->nodes - 1], most_edges);
    return MPI_SUCCESS;
}

int MPI_Graph_neighbors_count(MPI_Comm comm, int rank, int *count) {
    const struct topology *topology = mgen_topology(__func__, comm, MPI_GRAPH);
    if (rank < 0 || rank >= topology->nodes) {
        return mgen_fails(__func__, "the graph has no such rank");
    }
    *count = topology->index[rank] - (rank == 0 ? 0 : topology->index[rank - 1]);
    return MPI_SUCCESS;
}

int MPI_Graph_neighbors(MPI_Comm comm, int rank, int most, int *neighbours) {
    const struct topology *topology = mgen_topology(__func__, comm, MPI_GRAPH);
    if (rank < 0 || rank >= topology->nodes) {
        return mgen_fails(__func__, "the graph has no such rank");
    }
    int first = rank == 0 ? 0 : topology->index[rank - 1];
    copy_most(neighbours, topology->edges + first, topology->index[rank] - first, most);
    return MPI_SUCCESS;
}

int MPI_Graph_map(MPI_Comm comm, int nodes, const int *index, const int *edges, int *rank) {
    (void)index;
    (void)edges;
    mgen_comm_of(__func__, comm);
    int own = mgen_comm_rank(comm);
    *rank = own < nodes ? own : MPI_UNDEFINED;
    return MPI_SUCCESS;
}

static int is_weighted(const int *weights) {
    return weights != MPI_UNWEIGHTED;
}

static int *kept_weights(const int *weights, int count) {
    return is_weighted(weights) ? mgen_numbers(weights, weights == MPI_WEIGHTS_EMPTY ? 0 : count)
                                : NULL;
}

int MPI_Dist_graph_create_adjacent(MPI_Comm comm, int in_count, const int *in,
                                   const int *in_weights, int out_count, const int *out,
                                   const int *out_weights, MPI_Info info, int reorder,
                                   MPI_Comm *made) {
    (void)info;
    (void)reorder;
    mgen_label("MPI_Dist_graph_create_adjacent");
    MGEN_Comm_dup(comm, made);
    struct topology *topology = mgen_topology_new(*made, MPI_DIST_GRAPH);
    topology->in_count = in_count;
    topology->out_count = out_count;
    topology->in = mgen_numbers(in, in_count);
    topology->out = mgen_numbers(out, out_count);
    topology->in_weights = kept_weights(in_weights, in_count);
    topology->out_weights = kept_weights(out_weights, out_count);
    return mgen_left(MPI_SUCCESS);
}

/* Three numbers of an edge: from, to, weight. */
enum { PER_EDGE = 3 };

static void add_neighbour(int **list, int **weights, int *count, int rank, int weight) {
    size_t room = ((size_t)*count + 1) * sizeof(int);
    *list = mgen_more_memory(*list, room);
    *weights = mgen_more_memory(*weights, room);
    (*list)[*count] = rank;
    (*weights)[(*count)++] = weight;
}

/* Every rank learns all edges and keeps its own. */
int MPI_Dist_graph_create(MPI_Comm comm, int count, const int *sources, const int *degrees,
                          const int *dests, const int *weights, MPI_Info info, int reorder,
                          MPI_Comm *made) {
    (void)info;
    (void)reorder;
    mgen_label("MPI_Dist_graph_create");
    int size = mgen_comm_size(comm);
    int own_edges = 0;
    for (int i = 0; i < count; i++) {
        own_edges += degrees[i];
    }
    int has_weights = is_weighted(weights) && weights != MPI_WEIGHTS_EMPTY;
    int most = own_edges;
    MGEN_Comm_dup(comm, made);
    mgen_collective_allreduce("recursive_doubling", MGEN_IN_PLACE, &most, 1, MGEN_INT, MGEN_MAX,
                              *made);
    size_t room = ((size_t)most * PER_EDGE + 1) * sizeof(int);
    int *own = mgen_memory(room);
    int *all = mgen_memory(room * (size_t)size);
    memset(own, 0, room);
    own[0] = own_edges;
    for (int i = 0, edge = 0; i < count; i++) {
        for (int j = 0; j < degrees[i]; j++, edge++) {
            own[1 + PER_EDGE * edge] = sources[i];
            own[2 + PER_EDGE * edge] = dests[edge];
            own[3 + PER_EDGE * edge] = has_weights ? weights[edge] : 1;
        }
    }
    mgen_collective_allgather("ring", own, all, room, *made);
    struct topology *topology = mgen_topology_new(*made, MPI_DIST_GRAPH);
    int rank = mgen_comm_rank(*made);
    for (int from = 0; from < size; from++) {
        const int *of_rank = all + (size_t)from * (room / sizeof(int));
        for (int edge = 0; edge < of_rank[0]; edge++) {
            const int *numbers = of_rank + 1 + PER_EDGE * edge;
            if (numbers[0] == rank) {
                add_neighbour(&topology->out, &topology->out_weights, &topology->out_count,
                              numbers[1], numbers[2]);
            }
            if (numbers[1] == rank) {
                add_neighbour(&topology->in, &topology->in_weights, &topology->in_count, numbers[0],
                              numbers[2]);
            }
        }
    }
    if (!is_weighted(weights)) {
        free(topology->in_weights);
        free(topology->out_weights);
        topology->in_weights = topology->out_weights = NULL;
    }
    free(own);
    free(all);
    return mgen_left(MPI_SUCCESS);
}

int MPI_Dist_graph_neighbors_count(MPI_Comm comm, int *in_count, int *out_count, int *weighted) {
    const struct topology *topology = mgen_topology(__func__, comm, MPI_DIST_GRAPH);
    *in_count = topology->in_count;
    *out_count = topology->out_count;
    *weighted = topology->in_weights != NULL || topology->out_weights != NULL;
    return MPI_SUCCESS;
}

int MPI_Dist_graph_neighbors(MPI_Comm comm, int most_in, int *in, int *in_weights, int most_out,
                             int *out, int *out_weights) {
    const struct topology *topology = mgen_topology(__func__, comm, MPI_DIST_GRAPH);
    copy_most(in, topology->in, topology->in_count, most_in);
    copy_most(out, topology->out, topology->out_count, most_out);
    if (is_weighted(in_weights) && topology->in_weights != NULL) {
        copy_most(in_weights, topology->in_weights, topology->in_count, most_in);
    }
    if (is_weighted(out_weights) && topology->out_weights != NULL) {
        copy_most(out_weights, topology->out_weights, topology->out_count, most_out);
    }
    return MPI_SUCCESS;
}
