/* Collectives, and communicators that are made and freed. */
#include "blocks.h"

static struct event block(int call, MPI_Count count, MPI_Datatype type, int root, MPI_Comm comm) {
    int number = trace_comm(comm);
    if (trace_is_inter(number)) {
        trace_unseen("a collective over an intercommunicator");
    }
    return (struct event){.call = call,
                          .bytes = trace_bytes(count, type),
                          .element = trace_element(type),
                          .peer = root,
                          .comm = number,
                          .request = -1};
}

static int is_root(int root, MPI_Comm comm) {
    int rank = 0;
    PMPI_Comm_rank(comm, &rank);
    return rank == root;
}

/* Calls a collective and records it: the same for one that waits, one with a request, and a
 * persistent one. */
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
    }                                                                                              \
    KEPT(name, CALL_Start_AS_##later, ALL(parameters), ALL(arguments), row, )

#define BOTH_BUFFERS                                                                               \
    const void *sent, COUNT sent_count, MPI_Datatype sent_type, void *received,                    \
        COUNT received_count, MPI_Datatype received_type
#define BOTH sent, sent_count, sent_type, received, received_count, received_type

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

#define BARRIER_KEPT_BY(prefix)                                                                    \
    int P##prefix##_Barrier_init(MPI_Comm comm, MPI_Info info, MPI_Request *request)               \
        __attribute__((weak));                                                                     \
    int prefix##_Barrier_init(MPI_Comm comm, MPI_Info info, MPI_Request *request) {                \
        trace_enter();                                                                             \
        int code = P##prefix##_Barrier_init(comm, info, request);                                  \
        trace_persistent(*request, block(CALL_Start_AS_Ibarrier, 0, MPI_BYTE, NOBODY, comm));      \
        trace_pass();                                                                              \
        return code;                                                                               \
    }

BARRIER_KEPT_BY(MPI)
BARRIER_KEPT_BY(MPIX)
#endif

/* Over an intercommunicator the counts are those of the other side: none of them are read. */
static struct blocks of_type(const COUNT *counts, MPI_Datatype type, MPI_Comm comm) {
    struct blocks found = {.counts = counts, .type = type};
    if (!trace_is_inter(trace_comm(comm))) {
        PMPI_Comm_size(comm, &found.count);
    }
    return found;
}

static struct blocks of_types(const COUNT *counts, const MPI_Datatype *types, MPI_Comm comm) {
    struct blocks found = of_type(counts, MPI_BYTE, comm);
    found.types = types;
    return found;
}

static const struct blocks none;

#define TO_EACH const void *sent, const COUNT *sent_counts, const PLACE *sent_places
#define FROM_EACH void *received, const COUNT *counts, const PLACE *places

/* In place, what a rank sends is as long as what it receives. */
static struct event alltoallv(int call, const void *sent, struct blocks out, struct blocks in,
                              MPI_Comm comm) {
    return with_blocks(block(call, 0, MPI_BYTE, NOBODY, comm), sent == MPI_IN_PLACE ? in : out, in);
}

OF_BLOCKS(Alltoallv, Ialltoallv, CALL_Alltoallv, CALL_Ialltoallv, CALL_Start_AS_Ialltoallv,
          ALL(TO_EACH, MPI_Datatype sent_type, FROM_EACH, MPI_Datatype type),
          ALL(sent, sent_counts, sent_places, sent_type, received, counts, places, type),
          alltoallv(call, sent, of_type(sent_counts, sent_type, comm), of_type(counts, type, comm),
                    comm))
OF_BLOCKS(Alltoallw, Ialltoallw, CALL_Alltoallw_AS_Alltoallv, CALL_Ialltoallw_AS_Ialltoallv,
          CALL_Start_AS_Ialltoallv,
          ALL(TO_EACH, const MPI_Datatype *sent_types, FROM_EACH, const MPI_Datatype *types),
          ALL(sent, sent_counts, sent_places, sent_types, received, counts, places, types),
          alltoallv(call, sent, of_types(sent_counts, sent_types, comm),
                    of_types(counts, types, comm), comm))

static int own_place(MPI_Comm comm) {
    int rank = 0;
    if (!trace_is_inter(trace_comm(comm))) {
        PMPI_Comm_rank(comm, &rank);
    }
    return rank;
}

OF_BLOCKS(Allgatherv, Iallgatherv, CALL_Allgatherv, CALL_Iallgatherv, CALL_Start_AS_Iallgatherv,
          ALL(const void *sent, COUNT count, MPI_Datatype sent_type, FROM_EACH, MPI_Datatype type),
          ALL(sent, count, sent_type, received, counts, places, type),
          with_blocks(block(call, counts[own_place(comm)], type, NOBODY, comm),
                      of_type(counts, type, comm), none))

/* At the root the blocks of all, elsewhere the own one. */
static struct event rooted(int call, COUNT count, MPI_Datatype type, struct blocks all, int root,
                           MPI_Comm comm) {
    return is_root(root, comm)
               ? with_blocks(block(call, all.counts[root], all.type, root, comm), all, none)
               : with_blocks(block(call, count, type, root, comm), none, none);
}

OF_BLOCKS(Gatherv, Igatherv, CALL_Gatherv, CALL_Igatherv, CALL_Start_AS_Igatherv,
          ALL(const void *sent, COUNT count, MPI_Datatype sent_type, FROM_EACH, MPI_Datatype type,
              int root),
          ALL(sent, count, sent_type, received, counts, places, type, root),
          rooted(call, count, sent_type, of_type(counts, type, comm), root, comm))
OF_BLOCKS(Scatterv, Iscatterv, CALL_Scatterv, CALL_Iscatterv, CALL_Start_AS_Iscatterv,
          ALL(TO_EACH, MPI_Datatype sent_type, void *received, COUNT count, MPI_Datatype type,
              int root),
          ALL(sent, sent_counts, sent_places, sent_type, received, count, type, root),
          rooted(call, count, type, of_type(sent_counts, sent_type, comm), root, comm))

static struct event scattered(int call, const COUNT *counts, MPI_Datatype type, MPI_Op op,
                              MPI_Comm comm) {
    struct event event = reduced(call, 0, type, op, NOBODY, comm);
    const int64_t is_ordered = event.more_count;
    event.more_count = 1;
    event.more = &is_ordered;
    return with_blocks(event, of_type(counts, type, comm), none);
}

OF_BLOCKS(Reduce_scatter, Ireduce_scatter, CALL_Reduce_scatter, CALL_Ireduce_scatter,
          CALL_Start_AS_Ireduce_scatter,
          ALL(const void *sent, void *received, const COUNT *counts, MPI_Datatype type, MPI_Op op),
          ALL(sent, received, counts, type, op), scattered(call, counts, type, op, comm))
