/* Collectives, of the ranks of a communicator. */
#include "replay.h"

/* Collectives. A reduction has elements of a number's size, or of any other with an operator that
 * does nothing; `more` says whether its operator does not commute. */
static void nothing(void *in, void *out, int *count, MPI_Datatype *type) {
    (void)in;
    (void)out;
    (void)count;
    (void)type;
}

struct reduced {
    int count;
    MPI_Datatype type;
    MPI_Op op;
    int is_made;
};

static struct reduced reduced_of(struct replay *own, const struct event *event,
                                 const int64_t *more) {
    struct amount of = replay_amount(own, event);
    struct reduced found = {of.count, of.type, MPI_SUM, 0};
    int ordered = event->more > 0 && more[0] != 0;
    switch (ordered ? 0 : event->element) {
    case 1:
        found.type = MPI_UNSIGNED_CHAR;
        break;
    case 2:
        found.type = MPI_SHORT;
        break;
    case 4:
        found.type = MPI_INT;
        break;
    case 8:
        found.type = MPI_LONG;
        break;
    default:
        MPI_Op_create(nothing, !ordered, &found.op);
        found.is_made = 1;
    }
    return found;
}

static void end_reduced(struct reduced *of) {
    if (of->is_made) {
        MPI_Op_free(&of->op);
    }
}

/* A collective that waits and the same with a request, of these arguments before the communicator.
 */
#define COLLECTIVE(name, later, prepare, finish, ...)                                              \
    CALL(name) {                                                                                   \
        (void)more;                                                                                \
        prepare;                                                                                   \
        MPI_##name(__VA_ARGS__ replay_comm_of(own, event));                                        \
        finish;                                                                                    \
    }                                                                                              \
    CALL(later) {                                                                                  \
        (void)more;                                                                                \
        MPI_Request request = MPI_REQUEST_NULL;                                                    \
        prepare;                                                                                   \
        MPI_##later(__VA_ARGS__ replay_comm_of(own, event), &request);                             \
        finish;                                                                                    \
        replay_keep(own, event, request);                                                          \
    }

#define BLOCK struct amount of = replay_amount(own, event)
#define REDUCED struct reduced of = reduced_of(own, event, more)
#define FREE end_reduced(&of)
#define BOTH NULL, of.count, of.type, NULL, of.count, of.type

COLLECTIVE(Barrier, Ibarrier, , , )
COLLECTIVE(Bcast, Ibcast, BLOCK, , NULL, of.count, of.type, event->peer, )
COLLECTIVE(Gather, Igather, BLOCK, , BOTH, event->peer, )
COLLECTIVE(Scatter, Iscatter, BLOCK, , BOTH, event->peer, )
COLLECTIVE(Allgather, Iallgather, BLOCK, , BOTH, )
COLLECTIVE(Alltoall, Ialltoall, BLOCK, , BOTH, )
COLLECTIVE(Reduce, Ireduce, REDUCED, FREE, NULL, NULL, of.count, of.type, of.op, event->peer, )
COLLECTIVE(Allreduce, Iallreduce, REDUCED, FREE, NULL, NULL, of.count, of.type, of.op, )
COLLECTIVE(Scan, Iscan, REDUCED, FREE, NULL, NULL, of.count, of.type, of.op, )
COLLECTIVE(Exscan, Iexscan, REDUCED, FREE, NULL, NULL, of.count, of.type, of.op, )
COLLECTIVE(Reduce_scatter_block, Ireduce_scatter_block, REDUCED, FREE, NULL, NULL, of.count,
           of.type, of.op, )

/* Of unequal blocks, `more` holds the bytes: as counts, beside places that do not matter. */
static int *counts_of(struct replay *own, const int64_t *bytes, int64_t count) {
    int *counts = replay_memory(own, NULL, (size_t)count * 2 * sizeof *counts);
    for (int64_t i = 0; i < count; i++) {
        if (bytes[i] < 0 || bytes[i] > INT32_MAX) {
            replay_stop(own, "a block of it has more bytes than a count holds");
        }
        counts[i] = (int)bytes[i];
        counts[count + i] = 0;
    }
    return counts;
}

static int members(struct replay *own, const struct event *event) {
    int size = 0;
    MPI_Comm_size(replay_comm_of(own, event), &size);
    return size;
}

static int is_root(struct replay *own, const struct event *event) {
    int rank = 0;
    MPI_Comm_rank(replay_comm_of(own, event), &rank);
    return rank == event->peer;
}

/* The blocks that `more` holds, to be freed. */
struct vectors {
    int *sent;
    int *received;
    int size;
    struct amount own;
};

static struct vectors to_and_from_each(struct replay *own, const struct event *event,
                                       const int64_t *more) {
    struct vectors found = {.size = members(own, event)};
    replay_needs(own, event, 2 * (int64_t)found.size);
    found.sent = counts_of(own, more, found.size);
    found.received = counts_of(own, more + found.size, found.size);
    return found;
}

static struct vectors from_each(struct replay *own, const struct event *event,
                                const int64_t *more) {
    struct vectors found = {.size = members(own, event)};
    replay_needs(own, event, found.size);
    found.received = counts_of(own, more, found.size);
    found.own = replay_amount_of(own, event->bytes, 1);
    return found;
}

/* Only the root has the blocks of all. */
static struct vectors of_root(struct replay *own, const struct event *event, const int64_t *more) {
    struct vectors found = {.size = is_root(own, event) ? members(own, event) : 0};
    replay_needs(own, event, found.size);
    found.received = counts_of(own, more, found.size);
    found.own = replay_amount_of(own, event->bytes, 1);
    return found;
}

static void end_vectors(struct vectors *of) {
    free(of->sent);
    free(of->received);
}

#define PLACED(counts) counts, counts + of.size
#define TO_AND_FROM_EACH struct vectors of = to_and_from_each(own, event, more)
#define FROM_EACH struct vectors of = from_each(own, event, more)
#define OF_ROOT struct vectors of = of_root(own, event, more)
#define END end_vectors(&of)

COLLECTIVE(Alltoallv, Ialltoallv, TO_AND_FROM_EACH, END, NULL, PLACED(of.sent), MPI_BYTE, NULL,
           PLACED(of.received), MPI_BYTE, )
COLLECTIVE(Allgatherv, Iallgatherv, FROM_EACH, END, NULL, of.own.count, MPI_BYTE, NULL,
           PLACED(of.received), MPI_BYTE, )
COLLECTIVE(Gatherv, Igatherv, OF_ROOT, END, NULL, of.own.count, MPI_BYTE, NULL, PLACED(of.received),
           MPI_BYTE, event->peer, )
COLLECTIVE(Scatterv, Iscatterv, OF_ROOT, END, NULL, PLACED(of.received), MPI_BYTE, NULL,
           of.own.count, MPI_BYTE, event->peer, )

/* `more` says first whether the operator does not commute. The blocks are whole elements. */
struct scattered {
    struct reduced sum;
    int *counts;
};

static struct scattered scattered_of(struct replay *own, const struct event *event,
                                     const int64_t *more) {
    int size = members(own, event);
    replay_needs(own, event, 1 + (int64_t)size);
    struct scattered found = {reduced_of(own, event, more), counts_of(own, more + 1, size)};
    for (int i = 0; i < size; i++) {
        if (found.counts[i] % event->element != 0) {
            replay_stop(own, "a block of it is no number of elements");
        }
        found.counts[i] /= event->element;
    }
    return found;
}

static void end_scattered(struct scattered *of) {
    end_reduced(&of->sum);
    free(of->counts);
}

COLLECTIVE(Reduce_scatter, Ireduce_scatter, struct scattered of = scattered_of(own, event, more),
           end_scattered(&of), NULL, NULL, of.counts, of.sum.type, of.sum.op, )

/* To each neighbour and from each, in the order of the topology. */
struct exchanged {
    int *sent;
    int *received;
    int out;
    int in;
};

static struct exchanged exchanged_of(struct replay *own, const struct event *event,
                                     const int64_t *more) {
    struct exchanged found = {0};
    int kind = MPI_UNDEFINED;
    int number = 0;
    MPI_Comm comm = replay_comm_of(own, event);
    MPI_Topo_test(comm, &kind);
    if (kind == MPI_CART) {
        MPI_Cartdim_get(comm, &number);
        found.in = found.out = 2 * number;
    } else if (kind == MPI_DIST_GRAPH) {
        MPI_Dist_graph_neighbors_count(comm, &found.in, &found.out, &number);
    } else {
        replay_stop(own, "its communicator has no neighbours");
    }
    replay_needs(own, event, (int64_t)found.in + found.out);
    found.sent = counts_of(own, more, found.out);
    found.received = counts_of(own, more + found.out, found.in);
    return found;
}

static void end_exchanged(struct exchanged *of) {
    free(of->sent);
    free(of->received);
}

COLLECTIVE(Neighbor_alltoallv, Ineighbor_alltoallv,
           struct exchanged of = exchanged_of(own, event, more), end_exchanged(&of), NULL, of.sent,
           of.sent + of.out, MPI_BYTE, NULL, of.received, of.received + of.in, MPI_BYTE, )
