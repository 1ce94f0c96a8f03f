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

CALL(Alltoallv) {
    int size = members(own, event);
    replay_needs(own, event, 2 * (int64_t)size);
    int *sent = counts_of(own, more, size);
    int *received = counts_of(own, more + size, size);
    MPI_Alltoallv(NULL, sent, sent + size, MPI_BYTE, NULL, received, received + size, MPI_BYTE,
                  replay_comm_of(own, event));
    free(sent);
    free(received);
}

CALL(Allgatherv) {
    int size = members(own, event);
    replay_needs(own, event, size);
    int *received = counts_of(own, more, size);
    struct amount sent = replay_amount_of(own, event->bytes, 1);
    MPI_Allgatherv(NULL, sent.count, MPI_BYTE, NULL, received, received + size, MPI_BYTE,
                   replay_comm_of(own, event));
    free(received);
}

static int *at_root(struct replay *own, const struct event *event, const int64_t *more) {
    int size = is_root(own, event) ? members(own, event) : 0;
    replay_needs(own, event, size);
    return counts_of(own, more, size);
}

CALL(Gatherv) {
    int *received = at_root(own, event, more);
    struct amount sent = replay_amount_of(own, event->bytes, 1);
    MPI_Gatherv(NULL, sent.count, MPI_BYTE, NULL, received, received + members(own, event),
                MPI_BYTE, event->peer, replay_comm_of(own, event));
    free(received);
}

CALL(Scatterv) {
    int *sent = at_root(own, event, more);
    struct amount room = replay_amount_of(own, event->bytes, 1);
    MPI_Scatterv(NULL, sent, sent + members(own, event), MPI_BYTE, NULL, room.count, MPI_BYTE,
                 event->peer, replay_comm_of(own, event));
    free(sent);
}
