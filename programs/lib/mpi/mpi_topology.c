/* Topologies that a communicator may have, and grids. */
#include "mpi_topology.h"

int *mgen_numbers(const int *from, int count) {
    if (from == NULL || count < 0) {
        return NULL;
    }
    int *made = mgen_memory((size_t)count * sizeof *made);
    memcpy(made, from, (size_t)count * sizeof *made);
    return made;
}

void mgen_topology_free(struct comm *comm) {
    struct topology *topology = comm->topology;
    if (topology == NULL) {
        return;
    }
    int *lists[] = {topology->sizes, topology->periods,    topology->coordinates,
                    topology->index, topology->edges,      topology->in,
                    topology->out,   topology->in_weights, topology->out_weights};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        free(lists[i]);
    }
    free(topology);
    comm->topology = NULL;
}

void mgen_topology_copy(const struct comm *from, struct comm *to) {
    if (from->topology == NULL) {
        return;
    }
    struct topology *copy = mgen_memory(sizeof *copy);
    *copy = *from->topology;
    copy->sizes = mgen_numbers(copy->sizes, copy->dimensions);
    copy->periods = mgen_numbers(copy->periods, copy->dimensions);
    copy->coordinates = mgen_numbers(copy->coordinates, copy->dimensions);
    copy->edges = mgen_numbers(copy->edges, copy->nodes > 0 ? copy->index[copy->nodes - 1] : 0);
    copy->index = mgen_numbers(copy->index, copy->nodes);
    copy->in = mgen_numbers(copy->in, copy->in_count);
    copy->out = mgen_numbers(copy->out, copy->out_count);
    copy->in_weights = mgen_numbers(copy->in_weights, copy->in_count);
    copy->out_weights = mgen_numbers(copy->out_weights, copy->out_count);
    to->topology = copy;
}

const struct topology *mgen_topology(const char *call, MPI_Comm comm, int kind) {
    const struct topology *found = mgen_comm_of(call, comm)->topology;
    if (found == NULL || found->kind != kind) {
        mgen_fails(call, kind == MPI_CART    ? "the communicator has no Cartesian topology"
                         : kind == MPI_GRAPH ? "the communicator has no graph topology"
                                             : "the communicator has no distributed graph");
    }
    return found;
}

struct topology *mgen_topology_new(MPI_Comm comm, int kind) {
    struct topology *made = mgen_memory(sizeof *made);
    *made = (struct topology){.kind = kind};
    mgen_comm(comm)->topology = made;
    return made;
}

int MPI_Topo_test(MPI_Comm comm, int *kind) {
    const struct topology *found = mgen_comm_of(__func__, comm)->topology;
    *kind = found != NULL ? found->kind : MPI_UNDEFINED;
    return MPI_SUCCESS;
}

/* The last coordinate varies fastest. */
static void coordinates_of(const struct topology *topology, int rank, int *coordinates) {
    for (int i = topology->dimensions - 1; i >= 0; i--) {
        coordinates[i] = rank % topology->sizes[i];
        rank /= topology->sizes[i];
    }
}

static int product(const int *sizes, int count) {
    int all = 1;
    for (int i = 0; i < count; i++) {
        all *= sizes[i];
    }
    return all;
}

static void make_grid(MPI_Comm made, int dimensions, const int *sizes, const int *periods) {
    struct topology *topology = mgen_topology_new(made, MPI_CART);
    topology->dimensions = dimensions;
    topology->sizes = mgen_numbers(sizes, dimensions);
    topology->periods = mgen_numbers(periods, dimensions);
    for (int i = 0; i < dimensions; i++) {
        topology->periods[i] = periods[i] != 0;
    }
    topology->coordinates = mgen_memory((size_t)dimensions * sizeof(int));
    coordinates_of(topology, mgen_comm_rank(made), topology->coordinates);
}

/* Ranks keep their places, whatever `reorder` allows. */
int MPI_Cart_create(MPI_Comm comm, int dimensions, const int *sizes, const int *periods,
                    int reorder, MPI_Comm *made) {
    (void)reorder;
    mgen_label("MPI_Cart_create");
    int rank = mgen_comm_rank(comm);
    int cells = product(sizes, dimensions);
    if (dimensions < 0 || cells < 1 || cells > mgen_comm_size(comm)) {
        mgen_fail("the grid has no cells, or more than the communicator has ranks");
    }
    MGEN_Comm_split(comm, rank < cells ? 0 : MGEN_UNDEFINED, rank, made);
    if (*made != MPI_COMM_NULL) {
        make_grid(*made, dimensions, sizes, periods);
    }
    return mgen_left(MPI_SUCCESS);
}

int MPI_Cartdim_get(MPI_Comm comm, int *dimensions) {
    *dimensions = mgen_topology(__func__, comm, MPI_CART)->dimensions;
    return MPI_SUCCESS;
}

int MPI_Cart_get(MPI_Comm comm, int most, int *sizes, int *periods, int *coordinates) {
    const struct topology *topology = mgen_topology(__func__, comm, MPI_CART);
    for (int i = 0; i < topology->dimensions && i < most; i++) {
        sizes[i] = topology->sizes[i];
        periods[i] = topology->periods[i];
        coordinates[i] = topology->coordinates[i];
    }
    return MPI_SUCCESS;
}

int mgen_cart_rank(const struct topology *topology, const int *coordinates) {
    int rank = 0;
    for (int i = 0; i < topology->dimensions; i++) {
        int size = topology->sizes[i];
        int place = coordinates[i];
        if (topology->periods[i]) {
            place = (place % size + size) % size;
        } else if (place < 0 || place >= size) {
            return MPI_PROC_NULL;
        }
        rank = rank * size + place;
    }
    return rank;
}

int MPI_Cart_rank(MPI_Comm comm, const int *coordinates, int *rank) {
    *rank = mgen_cart_rank(mgen_topology(__func__, comm, MPI_CART), coordinates);
    if (*rank == MPI_PROC_NULL) {
        return mgen_fails(__func__, "a coordinate lies outside of the grid");
    }
    return MPI_SUCCESS;
}

int MPI_Cart_coords(MPI_Comm comm, int rank, int most, int *coordinates) {
    const struct topology *topology = mgen_topology(__func__, comm, MPI_CART);
    if (rank < 0 || rank >= product(topology->sizes, topology->dimensions) ||
        most < topology->dimensions) {
        return mgen_fails(__func__, "the grid has no such rank, or more dimensions");
    }
    coordinates_of(topology, rank, coordinates);
    return MPI_SUCCESS;
}

void mgen_cart_shift(const struct topology *topology, int dimension, int distance, int *source,
                     int *dest) {
    int *place = mgen_numbers(topology->coordinates, topology->dimensions);
    place[dimension] += distance;
    *dest = mgen_cart_rank(topology, place);
    place[dimension] -= 2 * distance;
    *source = mgen_cart_rank(topology, place);
    free(place);
}

int MPI_Cart_shift(MPI_Comm comm, int dimension, int distance, int *source, int *dest) {
    const struct topology *topology = mgen_topology(__func__, comm, MPI_CART);
    if (dimension < 0 || dimension >= topology->dimensions) {
        return mgen_fails(__func__, "the grid has no such dimension");
    }
    mgen_cart_shift(topology, dimension, distance, source, dest);
    return MPI_SUCCESS;
}

int MPI_Cart_sub(MPI_Comm comm, const int *remains, MPI_Comm *made) {
    const struct topology *topology = mgen_topology(__func__, comm, MPI_CART);
    int *sizes = mgen_memory((size_t)topology->dimensions * sizeof *sizes);
    int *periods = mgen_memory((size_t)topology->dimensions * sizeof *periods);
    int color = 0;
    int key = 0;
    int left = 0;
    for (int i = 0; i < topology->dimensions; i++) {
        if (remains[i]) {
            key = key * topology->sizes[i] + topology->coordinates[i];
            sizes[left] = topology->sizes[i];
            periods[left++] = topology->periods[i];
        } else {
            color = color * topology->sizes[i] + topology->coordinates[i];
        }
    }
    mgen_label("MPI_Cart_sub");
    MGEN_Comm_split(comm, color, key, made);
    make_grid(*made, left, sizes, periods);
    free(sizes);
    free(periods);
    return mgen_left(MPI_SUCCESS);
}

int MPI_Cart_map(MPI_Comm comm, int dimensions, const int *sizes, const int *periods, int *rank) {
    (void)periods;
    mgen_comm_of(__func__, comm);
    int own = mgen_comm_rank(comm);
    *rank = own < product(sizes, dimensions) ? own : MPI_UNDEFINED;
    return MPI_SUCCESS;
}
