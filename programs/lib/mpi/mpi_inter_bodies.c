/* Collectives of intercommunicators. The messages between both sides go straight from rank to rank,
 * or between rank 0 of the one and rank 0 of the other. */
#include "mpi_inter.h"

static MPI_Comm local_of(const struct call *call) {
    return mgen_comm(call->comm)->local;
}

static int is_first(const struct call *call) {
    return mgen_comm_rank(call->comm) == 0;
}

static void inter_barrier(const struct call *call) {
    struct group group = mgen_collective_begin(COLLECTIVE_BARRIER, call->comm);
    mgen_collective_barrier("dissemination", local_of(call));
    if (is_first(call)) {
        mgen_collective_exchange(&group, NULL, 0, 0, NULL, 0, 0);
    }
    mgen_collective_barrier("dissemination", local_of(call));
}

static void inter_bcast(const struct call *call) {
    struct group group = mgen_collective_begin(COLLECTIVE_BCAST, call->comm);
    if (call->root == MPI_PROC_NULL) {
        return;
    }
    int is_root = call->root == MPI_ROOT;
    struct dense dense =
        mgen_dense(call->received, call->received_count, call->received_type, is_root);
    if (is_root) {
        mgen_collective_send(&group, dense.data, dense.bytes, 0);
        mgen_collective_free(dense.copy);
        return;
    }
    if (is_first(call)) {
        mgen_collective_receive(&group, dense.data, dense.bytes, call->root);
    }
    mgen_collective_bcast("binomial", dense.data, dense.bytes, 0, local_of(call));
    mgen_later_received(&dense);
}

/* The blocks that a rank has for the other side, or gets from there: none, one for the root, one
 * for all ranks, or one for each rank. */
enum blocks { NONE, ROOT, SAME, EACH };

static struct dense block_of(const struct call *call, int number, int is_sent) {
    const int *counts = is_sent ? call->sent_counts : call->received_counts;
    const int *places = is_sent ? call->sent_places : call->received_places;
    const MPI_Datatype *types = is_sent ? call->sent_types : call->received_types;
    const void *buffer = is_sent ? call->sent : call->received;
    int count = is_sent ? call->sent_count : call->received_count;
    MPI_Datatype type = is_sent ? call->sent_type : call->received_type;
    if (types != NULL) {
        return mgen_dense(mgen_place(buffer, places[number]), counts[number], types[number],
                          is_sent);
    }
    if (counts != NULL) {
        return mgen_dense(mgen_elements(buffer, places[number], type), counts[number], type,
                          is_sent);
    }
    return mgen_dense(mgen_elements(buffer, (MPI_Count)number * count, type), count, type, is_sent);
}

static struct dense *all_blocks(const struct call *call, enum blocks which, int remote,
                                int is_sent) {
    int count = which == NONE ? 0 : which == EACH ? remote : 1;
    struct dense *made = mgen_memory((size_t)count * sizeof *made);
    for (int i = 0; i < count; i++) {
        made[i] = block_of(call, which == EACH ? i : 0, is_sent);
    }
    return made;
}

static void across(const struct call *call, enum blocks sent, enum blocks received) {
    struct group group = mgen_collective_begin(COLLECTIVE_ALLTOALL, call->comm);
    int remote = mgen_comm(call->comm)->remote.size;
    struct dense *to = all_blocks(call, sent, remote, 1);
    struct dense *from = all_blocks(call, received, remote, 0);
    struct batch batch = mgen_collective_batch(2 * remote);
    for (int i = 0; i < remote; i++) {
        if (received == EACH || (received == ROOT && i == call->root)) {
            struct dense *block = &from[received == EACH ? i : 0];
            mgen_collective_start_receive(&group, &batch, block->data, block->bytes, i);
        }
    }
    for (int i = 0; i < remote; i++) {
        if (sent >= SAME || (sent == ROOT && i == call->root)) {
            struct dense *block = &to[sent == EACH ? i : 0];
            mgen_collective_start_send(&group, &batch, block->data, block->bytes, i);
        }
    }
    mgen_collective_finish(&batch);
    for (int i = 0; i < (sent == NONE ? 0 : sent == EACH ? remote : 1); i++) {
        mgen_collective_free(to[i].copy);
    }
    for (int i = 0; i < (received == NONE ? 0 : received == EACH ? remote : 1); i++) {
        mgen_later_received(&from[i]);
    }
    free(to);
    free(from);
}

static void inter_gather(const struct call *call) {
    if (call->root != MPI_PROC_NULL) {
        across(call, call->root == MPI_ROOT ? NONE : ROOT, call->root == MPI_ROOT ? EACH : NONE);
    }
}

static void inter_scatter(const struct call *call) {
    if (call->root != MPI_PROC_NULL) {
        across(call, call->root == MPI_ROOT ? EACH : NONE, call->root == MPI_ROOT ? NONE : ROOT);
    }
}

static void inter_allgather(const struct call *call) {
    across(call, SAME, EACH);
}

static void inter_alltoall(const struct call *call) {
    across(call, EACH, EACH);
}

/* The values of the own side, reduced; only rank 0 has them. */
static void *reduced(const struct call *call, const void *own, int count) {
    size_t bytes = (size_t)count * mgen_type_size(call->received_type);
    void *sum = mgen_collective_scratch(own, bytes);
    MPI_Comm local = local_of(call);
    if (mgen_op_commutes(call->op)) {
        mgen_collective_reduce("binomial", own, sum, count, call->received_type, call->op, 0,
                               local);
    } else {
        mgen_reduce_in_order(own, sum, count, call->received_type, call->op, 0, local);
    }
    return sum;
}

static void inter_reduce(const struct call *call) {
    if (call->root == MPI_PROC_NULL) {
        return;
    }
    mgen_check_op(call->received_type, call->op);
    struct group group = mgen_collective_begin(COLLECTIVE_REDUCE, call->comm);
    int is_root = call->root == MPI_ROOT;
    struct values values = mgen_values(call->sent, call->received, is_root ? WRITTEN : READ,
                                       call->received_count, call->received_type);
    size_t bytes = (size_t)call->received_count * mgen_type_size(call->received_type);
    if (is_root) {
        mgen_collective_receive(&group, values.result, bytes, 0);
    } else {
        void *sum = reduced(call, values.own, call->received_count);
        if (is_first(call)) {
            mgen_collective_send(&group, sum, bytes, call->root);
        }
        mgen_collective_free(sum);
    }
    mgen_values_end(&values, is_root);
}

static void inter_allreduce(const struct call *call) {
    mgen_check_op(call->received_type, call->op);
    struct group group = mgen_collective_begin(COLLECTIVE_ALLREDUCE, call->comm);
    struct values values = mgen_values(call->sent, call->received, READ | WRITTEN,
                                       call->received_count, call->received_type);
    size_t bytes = (size_t)call->received_count * mgen_type_size(call->received_type);
    void *sum = reduced(call, values.own, call->received_count);
    if (is_first(call)) {
        mgen_collective_exchange(&group, sum, bytes, 0, values.result, bytes, 0);
    }
    mgen_collective_bcast("binomial", values.result, bytes, 0, local_of(call));
    mgen_collective_free(sum);
    mgen_values_end(&values, 1);
}

/* Rank 0 gets what the other side has reduced, and gives each rank of its side a part. */
static void inter_reduce_scatter(const struct call *call) {
    mgen_check_op(call->received_type, call->op);
    struct group group = mgen_collective_begin(COLLECTIVE_ALLREDUCE, call->comm);
    struct group side = mgen_collective_begin(COLLECTIVE_SCATTER, local_of(call));
    const int *counts = call->received_counts;
    int total = 0;
    for (int i = 0; i < side.size; i++) {
        total += counts != NULL ? counts[i] : call->received_count;
    }
    int own = counts != NULL ? counts[side.rank] : call->received_count;
    size_t size = mgen_type_size(call->received_type);
    struct values sent = mgen_values(call->sent, NULL, READ, total, call->received_type);
    struct values got = mgen_values(NULL, call->received, WRITTEN, own, call->received_type);
    void *sum = reduced(call, sent.own, total);
    void *parts = mgen_collective_scratch(sum, (size_t)total * size);
    if (side.rank == 0) {
        size_t bytes = (size_t)total * size;
        mgen_collective_exchange(&group, sum, bytes, 0, parts, bytes, 0);
        mgen_collective_copy(got.result, parts, (size_t)own * size);
        size_t place = (size_t)own * size;
        for (int i = 1; i < side.size; i++) {
            size_t part = (size_t)(counts != NULL ? counts[i] : call->received_count) * size;
            mgen_collective_send(&side, mgen_collective_at(parts, place), part, i);
            place += part;
        }
    } else {
        mgen_collective_receive(&side, got.result, (size_t)own * size, 0);
    }
    mgen_collective_free(sum);
    mgen_collective_free(parts);
    mgen_values_end(&sent, 0);
    mgen_values_end(&got, 1);
}

body *mgen_between(body *among) {
    static const struct {
        body *among;
        body *between;
    } bodies[] = {
        {mgen_do_barrier, inter_barrier},
        {mgen_do_bcast, inter_bcast},
        {mgen_do_reduce, inter_reduce},
        {mgen_do_allreduce, inter_allreduce},
        {mgen_do_gather, inter_gather},
        {mgen_do_gatherv, inter_gather},
        {mgen_do_scatter, inter_scatter},
        {mgen_do_scatterv, inter_scatter},
        {mgen_do_allgather, inter_allgather},
        {mgen_do_allgatherv, inter_allgather},
        {mgen_do_alltoall, inter_alltoall},
        {mgen_do_alltoallv, inter_alltoall},
        {mgen_do_alltoallw, inter_alltoall},
        {mgen_do_reduce_scatter, inter_reduce_scatter},
        {mgen_do_reduce_scatter_block, inter_reduce_scatter},
    };
    for (size_t i = 0; i < sizeof bodies / sizeof *bodies; i++) {
        if (bodies[i].among == among) {
            return bodies[i].between;
        }
    }
    return NULL;
}

body *mgen_inter_body(body *among) {
    body *found = mgen_between(among);
    if (found == NULL) {
        mgen_fail(NOT_BETWEEN);
    }
    return found;
}
