/* Collectives, and communicators that are made and freed. */
#include "counts.h"
#include "trace.h"
#include <stdlib.h>

static struct event block(int call, MPI_Count count, MPI_Datatype type, int root, MPI_Comm comm) {
    return (struct event){.call = call,
                          .bytes = trace_bytes(count, type),
                          .element = trace_element(type),
                          .peer = root,
                          .comm = trace_comm(comm),
                          .request = -1};
}

static int is_root(int root, MPI_Comm comm) {
    int rank = 0;
    PMPI_Comm_rank(comm, &rank);
    return rank == root;
}

/* Calls a collective and records it: the same for one that waits and one with a request. */
#define COLLECTIVE(name, later, parameters, arguments, row)                                        \
    int FOR_COUNT(MPI_##name)(parameters, MPI_Comm comm) {                                         \
        trace_enter();                                                                             \
        int code = FOR_COUNT(PMPI_##name)(arguments, comm);                                        \
        int call = CALL_##name;                                                                    \
        trace_leave(row);                                                                          \
        return code;                                                                               \
    }                                                                                              \
    int FOR_COUNT(MPI_##later)(parameters, MPI_Comm comm, MPI_Request * request) {                 \
        trace_enter();                                                                             \
        int code = FOR_COUNT(PMPI_##later)(arguments, comm, request);                              \
        int call = CALL_##later;                                                                   \
        struct event made = row;                                                                   \
        made.request = trace_request(*request);                                                    \
        trace_leave(made);                                                                         \
        return code;                                                                               \
    }

#define BOTH_BUFFERS                                                                               \
    const void *sent, COUNT sent_count, MPI_Datatype sent_type, void *received,                    \
        COUNT received_count, MPI_Datatype received_type
#define BOTH sent, sent_count, sent_type, received, received_count, received_type
#define ALL(...) __VA_ARGS__

COLLECTIVE(Bcast, Ibcast, ALL(void *buffer, COUNT count, MPI_Datatype type, int root),
           ALL(buffer, count, type, root), block(call, count, type, root, comm))
COLLECTIVE(Allgather, Iallgather, ALL(BOTH_BUFFERS), ALL(BOTH),
           block(call, received_count, received_type, NOBODY, comm))
COLLECTIVE(Alltoall, Ialltoall, ALL(BOTH_BUFFERS), ALL(BOTH),
           block(call, received_count, received_type, NOBODY, comm))
/* The counts of the side that this rank is on: the root may do so in place. */
COLLECTIVE(Gather, Igather, ALL(BOTH_BUFFERS, int root), ALL(BOTH, root),
           is_root(root, comm) ? block(call, received_count, received_type, root, comm)
                               : block(call, sent_count, sent_type, root, comm))
COLLECTIVE(Scatter, Iscatter, ALL(BOTH_BUFFERS, int root), ALL(BOTH, root),
           is_root(root, comm) ? block(call, sent_count, sent_type, root, comm)
                               : block(call, received_count, received_type, root, comm))

static struct event reduced(int call, MPI_Count count, MPI_Datatype type, MPI_Op op, int root,
                            MPI_Comm comm) {
    static const int64_t in_order[] = {1};
    struct event event = block(call, count, type, root, comm);
    int commutes = 1;
    PMPI_Op_commutative(op, &commutes);
    event.more_count = commutes ? 0 : 1;
    event.more = in_order;
    return event;
}

#define VALUES const void *sent, void *received, COUNT count, MPI_Datatype type, MPI_Op op
#define REDUCTION(name, later)                                                                     \
    COLLECTIVE(name, later, ALL(VALUES), ALL(sent, received, count, type, op),                     \
               reduced(call, count, type, op, NOBODY, comm))

REDUCTION(Allreduce, Iallreduce)
REDUCTION(Scan, Iscan)
REDUCTION(Exscan, Iexscan)
REDUCTION(Reduce_scatter_block, Ireduce_scatter_block)
COLLECTIVE(Reduce, Ireduce, ALL(VALUES, int root), ALL(sent, received, count, type, op, root),
           reduced(call, count, type, op, root, comm))

#ifndef LARGE
int MPI_Barrier(MPI_Comm comm) {
    trace_enter();
    int code = PMPI_Barrier(comm);
    trace_leave(block(CALL_Barrier, 0, MPI_BYTE, NOBODY, comm));
    return code;
}

int MPI_Ibarrier(MPI_Comm comm, MPI_Request *request) {
    trace_enter();
    int code = PMPI_Ibarrier(comm, request);
    struct event event = block(CALL_Ibarrier, 0, MPI_BYTE, NOBODY, comm);
    event.request = trace_request(*request);
    trace_leave(event);
    return code;
}
#endif

/* Unequal blocks: the bytes of each, up to two lists. */
static void unequal(struct event event, const COUNT *first, MPI_Datatype first_type,
                    const COUNT *second, MPI_Datatype second_type, MPI_Comm comm) {
    int size = 0;
    PMPI_Comm_size(comm, &size);
    int lists = (first != NULL) + (second != NULL);
    int64_t *more = malloc((size_t)(size * lists) * sizeof *more + 1);
    int count = 0;
    for (int i = 0; first != NULL && i < size; i++) {
        more[count++] = trace_bytes(first[i], first_type);
    }
    for (int i = 0; second != NULL && i < size; i++) {
        more[count++] = trace_bytes(second[i], second_type);
    }
    event.more_count = count;
    event.more = more;
    trace_leave(event);
    free(more);
}

int FOR_COUNT(MPI_Alltoallv)(const void *sent, const COUNT *sent_counts, const PLACE *sent_places,
                             MPI_Datatype sent_type, void *received, const COUNT *received_counts,
                             const PLACE *received_places, MPI_Datatype received_type,
                             MPI_Comm comm) {
    trace_enter();
    int code = FOR_COUNT(PMPI_Alltoallv)(sent, sent_counts, sent_places, sent_type, received,
                                         received_counts, received_places, received_type, comm);
    int in_place = sent == MPI_IN_PLACE;
    unequal(block(CALL_Alltoallv, 0, MPI_BYTE, NOBODY, comm),
            in_place ? received_counts : sent_counts, in_place ? received_type : sent_type,
            received_counts, received_type, comm);
    return code;
}

int FOR_COUNT(MPI_Allgatherv)(const void *sent, COUNT count, MPI_Datatype type, void *received,
                              const COUNT *counts, const PLACE *places, MPI_Datatype received_type,
                              MPI_Comm comm) {
    int rank = 0;
    trace_enter();
    int code = FOR_COUNT(PMPI_Allgatherv)(sent, count, type, received, counts, places,
                                          received_type, comm);
    PMPI_Comm_rank(comm, &rank);
    struct event event = block(CALL_Allgatherv, counts[rank], received_type, NOBODY, comm);
    unequal(event, NULL, MPI_BYTE, counts, received_type, comm);
    return code;
}

int FOR_COUNT(MPI_Gatherv)(const void *sent, COUNT count, MPI_Datatype type, void *received,
                           const COUNT *counts, const PLACE *places, MPI_Datatype received_type,
                           int root, MPI_Comm comm) {
    trace_enter();
    int code = FOR_COUNT(PMPI_Gatherv)(sent, count, type, received, counts, places, received_type,
                                       root, comm);
    int roots = is_root(root, comm);
    struct event event = roots ? block(CALL_Gatherv, counts[root], received_type, root, comm)
                               : block(CALL_Gatherv, count, type, root, comm);
    unequal(event, NULL, MPI_BYTE, roots ? counts : NULL, received_type, comm);
    return code;
}

int FOR_COUNT(MPI_Scatterv)(const void *sent, const COUNT *counts, const PLACE *places,
                            MPI_Datatype sent_type, void *received, COUNT count, MPI_Datatype type,
                            int root, MPI_Comm comm) {
    trace_enter();
    int code = FOR_COUNT(PMPI_Scatterv)(sent, counts, places, sent_type, received, count, type,
                                        root, comm);
    int roots = is_root(root, comm);
    struct event event = roots ? block(CALL_Scatterv, counts[root], sent_type, root, comm)
                               : block(CALL_Scatterv, count, type, root, comm);
    unequal(event, NULL, MPI_BYTE, roots ? counts : NULL, sent_type, comm);
    return code;
}
