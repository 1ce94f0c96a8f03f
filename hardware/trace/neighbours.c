/* Collectives of neighbours in a topology. A trace has them as the one with a block of its own size
 * for each neighbour. */
#include "blocks.h"

#ifndef LARGE
/* Of a grid, those before and behind a rank in each dimension, also at an end. */
struct neighbours trace_neighbours(MPI_Comm comm) {
    struct neighbours found = {0, 0};
    int kind = MPI_UNDEFINED;
    int number = 0;
    PMPI_Topo_test(comm, &kind);
    if (kind == MPI_CART) {
        PMPI_Cartdim_get(comm, &number);
        found = (struct neighbours){2 * number, 2 * number};
    } else if (kind == MPI_GRAPH) {
        int rank = 0;
        PMPI_Comm_rank(comm, &rank);
        PMPI_Graph_neighbors_count(comm, rank, &number);
        found = (struct neighbours){number, number};
    } else if (kind == MPI_DIST_GRAPH) {
        PMPI_Dist_graph_neighbors_count(comm, &found.in, &found.out, &number);
    }
    return found;
}
#endif

static struct event exchange(int call, struct blocks out, struct blocks in, MPI_Comm comm) {
    struct neighbours neighbours = trace_neighbours(comm);
    out.count = neighbours.out;
    in.count = neighbours.in;
    return with_blocks(
        (struct event){
            .call = call, .peer = NOBODY, .element = 1, .comm = trace_comm(comm), .request = -1},
        out, in);
}

#define NEIGHBOURS(name, parameters, arguments, out, in)                                           \
    OF_BLOCKS(Neighbor_##name, Ineighbor_##name, CALL_Neighbor_##name##_AS_Neighbor_alltoallv,     \
              CALL_Ineighbor_##name##_AS_Ineighbor_alltoallv, CALL_Start_AS_Ineighbor_alltoallv,   \
              ALL(parameters), ALL(arguments), exchange(call, out, in, comm))
#define CALL_Neighbor_alltoallv_AS_Neighbor_alltoallv CALL_Neighbor_alltoallv
#define CALL_Ineighbor_alltoallv_AS_Ineighbor_alltoallv CALL_Ineighbor_alltoallv

#define SAME_BLOCK(number, of_type) ((struct blocks){.each = (number), .type = (of_type)})
#define OWN_BLOCKS(numbers, of_type) ((struct blocks){.counts = (numbers), .type = (of_type)})
#define TYPED_BLOCKS(numbers, of_types) ((struct blocks){.counts = (numbers), .types = (of_types)})

NEIGHBOURS(allgather,
           ALL(const void *sent, COUNT sent_count, MPI_Datatype sent_type, void *received,
               COUNT count, MPI_Datatype type),
           ALL(sent, sent_count, sent_type, received, count, type),
           SAME_BLOCK(sent_count, sent_type), SAME_BLOCK(count, type))
NEIGHBOURS(alltoall,
           ALL(const void *sent, COUNT sent_count, MPI_Datatype sent_type, void *received,
               COUNT count, MPI_Datatype type),
           ALL(sent, sent_count, sent_type, received, count, type),
           SAME_BLOCK(sent_count, sent_type), SAME_BLOCK(count, type))
NEIGHBOURS(allgatherv,
           ALL(const void *sent, COUNT sent_count, MPI_Datatype sent_type, void *received,
               const COUNT *counts, const PLACE *places, MPI_Datatype type),
           ALL(sent, sent_count, sent_type, received, counts, places, type),
           SAME_BLOCK(sent_count, sent_type), OWN_BLOCKS(counts, type))
NEIGHBOURS(alltoallv,
           ALL(const void *sent, const COUNT *sent_counts, const PLACE *sent_places,
               MPI_Datatype sent_type, void *received, const COUNT *counts, const PLACE *places,
               MPI_Datatype type),
           ALL(sent, sent_counts, sent_places, sent_type, received, counts, places, type),
           OWN_BLOCKS(sent_counts, sent_type), OWN_BLOCKS(counts, type))
NEIGHBOURS(alltoallw,
           ALL(const void *sent, const COUNT *sent_counts, const MPI_Aint *sent_places,
               const MPI_Datatype *sent_types, void *received, const COUNT *counts,
               const MPI_Aint *places, const MPI_Datatype *types),
           ALL(sent, sent_counts, sent_places, sent_types, received, counts, places, types),
           TYPED_BLOCKS(sent_counts, sent_types), TYPED_BLOCKS(counts, types))
