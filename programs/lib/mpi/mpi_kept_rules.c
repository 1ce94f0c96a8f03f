/* What a program gives to a persistent call is checked when it makes the call, as MPI has it: such
 * a request may never be started. The checks are those of the call that begins at once. They enter
 * no call, so that a history is the same with them. */
#include "mpi_inter.h"

/* The blocks of a rank: none, one, one for each rank or neighbour; the elements of all ranks. */
enum part { NONE, ONE, EACH, WHOLE };

enum { SENT_AT_ROOT = 1, RECEIVED_AT_ROOT = 2, REDUCES = 4, OF_NEIGHBOURS = 8 };

struct shape {
    body *body;
    enum part sent;
    enum part received;
    int flags;
};

static const struct shape SHAPES[] = {
    {mgen_do_bcast, NONE, ONE, 0},
    {mgen_do_reduce, ONE, ONE, RECEIVED_AT_ROOT | REDUCES},
    {mgen_do_allreduce, ONE, ONE, REDUCES},
    {mgen_do_scan, ONE, ONE, REDUCES},
    {mgen_do_exscan, ONE, ONE, REDUCES},
    {mgen_do_reduce_scatter, WHOLE, ONE, REDUCES},
    {mgen_do_reduce_scatter_block, WHOLE, ONE, REDUCES},
    {mgen_do_gather, ONE, EACH, RECEIVED_AT_ROOT},
    {mgen_do_gatherv, ONE, EACH, RECEIVED_AT_ROOT},
    {mgen_do_scatter, EACH, ONE, SENT_AT_ROOT},
    {mgen_do_scatterv, EACH, ONE, SENT_AT_ROOT},
    {mgen_do_allgather, ONE, EACH, 0},
    {mgen_do_allgatherv, ONE, EACH, 0},
    {mgen_do_alltoall, EACH, EACH, 0},
    {mgen_do_alltoallv, EACH, EACH, 0},
    {mgen_do_alltoallw, EACH, EACH, 0},
    {mgen_do_neighbor_allgather, ONE, EACH, OF_NEIGHBOURS},
    {mgen_do_neighbor_allgatherv, ONE, EACH, OF_NEIGHBOURS},
    {mgen_do_neighbor_alltoall, EACH, EACH, OF_NEIGHBOURS},
    {mgen_do_neighbor_alltoallv, EACH, EACH, OF_NEIGHBOURS},
    {mgen_do_neighbor_alltoallw, EACH, EACH, OF_NEIGHBOURS},
};

static struct shape shape_of(body *body) {
    for (size_t i = 0; i < sizeof SHAPES / sizeof *SHAPES; i++) {
        if (SHAPES[i].body == body) {
            return SHAPES[i];
        }
    }
    return (struct shape){body, NONE, NONE, 0};
}

/* What a call sends, or receives. */
struct blocks {
    enum part part;
    int number;
    const void *buffer;
    int count;
    MPI_Datatype type;
    const int *counts;
    const int *places;
    const MPI_Aint *offsets;
    const MPI_Datatype *types;
};

struct block_at {
    const void *start;
    int count;
    MPI_Datatype type;
};

/* Fails in `call` if the type of the block is none. */
static struct block_at block_at(const char *call, const struct blocks *all, int number) {
    int count = all->counts != NULL ? all->counts[number] : all->count;
    MPI_Datatype type = all->types != NULL ? all->types[number] : all->type;
    const struct type *known = mgen_type_of(call, type);
    MPI_Aint offset = (MPI_Aint)number * count * known->extent;
    if (all->offsets != NULL) {
        offset = all->offsets[number];
    } else if (all->places != NULL) {
        offset = all->places[number] * (all->types != NULL ? 1 : known->extent);
    }
    return (struct block_at){mgen_place(all->buffer, offset), count, type};
}

static void check_blocks(const char *call, const struct blocks *all, int is_sent) {
    for (int i = 0; i < all->number; i++) {
        struct block_at block = block_at(call, all, i);
        mgen_check_data(call, block.start, block.count, block.type, is_sent);
    }
}

static void check_apart(const char *call, const struct blocks *sent, int from,
                        const struct blocks *received, int into) {
    struct block_at one = block_at(call, sent, from), other = block_at(call, received, into);
    int has_both = one.count > 0 && other.count > 0 && mgen_type_of(call, one.type)->size > 0;
    if (has_both && one.type == other.type && one.start == other.start && one.start != NULL) {
        mgen_fails(call, "sendbuf and recvbuf are the same memory; use MGEN_IN_PLACE");
    }
}

/* The blocks that the rank itself sends to itself. */
static void check_all_apart(const char *call, const struct blocks *sent,
                            const struct blocks *received, int rank) {
    if (sent->number == 0 || received->number == 0) {
        return;
    }
    if (sent->part == EACH && received->part == EACH) {
        for (int i = 0; i < sent->number; i++) {
            check_apart(call, sent, i, received, i);
        }
        return;
    }
    check_apart(call, sent, sent->part == EACH ? rank : 0, received,
                received->part == EACH ? rank : 0);
}

static struct blocks sent_of(const struct call *call) {
    return (struct blocks){.buffer = call->sent,
                           .count = call->sent_count,
                           .type = call->sent_type,
                           .counts = call->sent_counts,
                           .places = call->sent_places,
                           .offsets = call->sent_offsets,
                           .types = call->sent_types};
}

static struct blocks received_of(const struct call *call) {
    return (struct blocks){.buffer = call->received,
                           .count = call->received_count,
                           .type = call->received_type,
                           .counts = call->received_counts,
                           .places = call->received_places,
                           .offsets = call->received_offsets,
                           .types = call->received_types};
}

/* Of a reduction there is one type. Where its result is scattered, each rank sends the elements of
 * all and receives its own. */
static void reduce(const struct call *call, enum part part, struct blocks *sent,
                   struct blocks *received) {
    *sent = *received;
    sent->buffer = call->sent;
    if (part != WHOLE) {
        return;
    }
    int size = mgen_comm_size(call->comm);
    int total = 0;
    for (int i = 0; i < size; i++) {
        total += call->received_counts != NULL ? call->received_counts[i] : call->received_count;
    }
    if (call->received_counts != NULL) {
        received->count = call->received_counts[mgen_comm_rank(call->comm)];
    }
    sent->count = total;
    sent->counts = received->counts = NULL;
}

/* How many blocks there are if there is one for each. */
static int each(const char *call, const struct shape *shape, MPI_Comm comm, int is_sent) {
    if ((shape->flags & OF_NEIGHBOURS) == 0) {
        return mgen_is_inter(comm) ? mgen_comm(comm)->remote.size : mgen_comm_size(comm);
    }
    const struct topology *topology = mgen_comm(comm)->topology;
    if (topology == NULL) {
        mgen_fails(call, "the communicator has no topology");
    }
    if (topology->kind == MPI_CART) {
        return 2 * topology->dimensions;
    }
    return is_sent ? topology->out_count : topology->in_count;
}

static void set_part(struct blocks *all, enum part part, int number) {
    int is_one = part == ONE || part == WHOLE;
    all->part = part;
    all->number = part == NONE ? 0 : is_one && number > 1 ? 1 : number;
}

/* Takes away the parts that this rank does not have. Between two sides, a root has one part only.
 */
static void choose_parts(struct shape *shape, const struct call *call, int rank) {
    int is_inter = mgen_is_inter(call->comm);
    int is_root = call->root == (is_inter ? MPI_ROOT : rank);
    enum part *of_root = (shape->flags & SENT_AT_ROOT) != 0       ? &shape->sent
                         : (shape->flags & RECEIVED_AT_ROOT) != 0 ? &shape->received
                                                                  : NULL;
    if (is_inter && call->root == MPI_PROC_NULL) {
        shape->sent = shape->received = NONE;
    } else if (of_root != NULL && !is_root) {
        *of_root = NONE;
    } else if (of_root != NULL && is_inter) {
        *(of_root == &shape->sent ? &shape->received : &shape->sent) = NONE;
    }
}

/* Takes away the part that MPI_IN_PLACE stands for. */
static void put_in_place(const char *name, const struct call *call, const struct shape *shape,
                         int rank, struct blocks *sent, struct blocks *received) {
    struct blocks *own = (shape->flags & SENT_AT_ROOT) != 0 ? received : sent;
    if (own->number == 0 || own->buffer != MPI_IN_PLACE) {
        return;
    }
    if (call->root >= 0 && call->root != rank) {
        mgen_fails(name, "only the root may give MGEN_IN_PLACE");
    }
    if (own == sent && shape->sent == WHOLE) {
        sent->buffer = received->buffer;
        received->number = 0;
    } else {
        own->number = 0;
    }
}

static void check_rank(const char *call, MPI_Comm comm, int rank) {
    int size = mgen_is_inter(comm) ? mgen_comm(comm)->remote.size : mgen_comm_size(comm);
    if (rank < 0 || rank >= size) {
        char text[80];
        snprintf(text, sizeof text, "rank %d does not exist: the communicator has %d", rank, size);
        mgen_fails(call, text);
    }
}

static void check_comm(const char *call, MPI_Comm comm) {
    mgen_called(call);
    if (comm == MPI_COMM_NULL) {
        mgen_fails(call, "MGEN_COMM_NULL has no ranks");
    }
}

void mgen_check_kept_message(const char *name, const struct persistent *message) {
    int is_sent = message->mode != SEND_NOTHING;
    check_comm(name, message->comm);
    mgen_check_data(name, message->buffer, message->count, message->type, is_sent);
    if (message->other != MPI_PROC_NULL && (is_sent || message->other != MPI_ANY_SOURCE)) {
        check_rank(name, message->comm, message->other);
    }
}

static void check_root(const char *name, const struct call *call) {
    int is_special = call->root == MPI_ROOT || call->root == MPI_PROC_NULL;
    if (call->root != -1 && !(is_special && mgen_is_inter(call->comm))) {
        check_rank(name, call->comm, call->root);
    }
}

void mgen_check_kept(const char *name, body *body, const struct call *call) {
    struct shape shape = shape_of(body);
    struct blocks sent = sent_of(call), received = received_of(call);
    check_comm(name, call->comm);
    int is_inter = mgen_is_inter(call->comm);
    int rank = mgen_comm_rank(call->comm);
    if (is_inter && mgen_between(body) == NULL) {
        mgen_fails(name, NOT_BETWEEN);
    }
    check_root(name, call);
    if ((shape.flags & REDUCES) != 0) {
        mgen_type_of(name, call->received_type);
        const char *why = mgen_wrong_op(call->received_type, call->op);
        if (why != NULL) {
            mgen_fails(name, why);
        }
        reduce(call, shape.sent, &sent, &received);
    }
    choose_parts(&shape, call, rank);
    set_part(&sent, shape.sent, each(name, &shape, call->comm, 1));
    set_part(&received, shape.received, each(name, &shape, call->comm, 0));
    if (!is_inter && (shape.flags & OF_NEIGHBOURS) == 0) {
        put_in_place(name, call, &shape, rank, &sent, &received);
        check_all_apart(name, &sent, &received, rank);
    }
    check_blocks(name, &sent, 1);
    check_blocks(name, &received, 0);
}
