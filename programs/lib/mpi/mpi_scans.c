/* Prefixes over ranks: recursive doubling, in the order of ranks. */
#include "mpi_calls.h"

struct prefix {
    struct group group;
    void *partial; /* of the ranks that this rank has heard of */
    void *part;
    size_t bytes;
    int count;
    MPI_Datatype type;
    MPI_Op op;
};

/* One step. Returns whether what came is of lower ranks. */
static int step(struct prefix *all, int other) {
    mgen_collective_exchange(&all->group, all->partial, all->bytes, other, all->part, all->bytes,
                             other);
    return other < all->group.rank;
}

static void prefixes(const struct call *call, int is_inclusive) {
    mgen_check_op(call->received_type, call->op);
    mgen_collective_apart(call->sent, call->received, (size_t)call->received_count);
    const void *own = call->sent == MPI_IN_PLACE ? call->received : call->sent;
    struct values values =
        mgen_values(own, call->received, READ | WRITTEN, call->received_count, call->received_type);
    struct prefix all = {.group = mgen_collective_begin(COLLECTIVE_REDUCE, call->comm),
                         .bytes =
                             (size_t)call->received_count * mgen_type_size(call->received_type),
                         .count = call->received_count,
                         .type = call->received_type,
                         .op = call->op};
    all.partial = mgen_collective_scratch(values.own, all.bytes);
    all.part = mgen_collective_scratch(values.own, all.bytes);
    mgen_collective_copy(all.partial, values.own, all.bytes);
    int has_result = is_inclusive;
    if (is_inclusive && values.result != values.own) {
        mgen_collective_copy(values.result, values.own, all.bytes);
    }
    for (int mask = 1; mask < all.group.size; mask *= 2) {
        int other = all.group.rank ^ mask;
        if (other >= all.group.size) {
            continue;
        }
        if (step(&all, other)) {
            if (has_result) {
                mgen_combine(all.part, values.result, all.count, all.type, all.op);
            } else {
                mgen_collective_copy(values.result, all.part, all.bytes);
                has_result = 1;
            }
            mgen_combine(all.part, all.partial, all.count, all.type, all.op);
        } else {
            mgen_combine(all.partial, all.part, all.count, all.type, all.op);
            mgen_collective_copy(all.partial, all.part, all.bytes);
        }
    }
    mgen_collective_free(all.partial);
    mgen_collective_free(all.part);
    mgen_values_end(&values, has_result);
}

void mgen_do_scan(const struct call *call) {
    prefixes(call, 1);
}

void mgen_do_exscan(const struct call *call) {
    prefixes(call, 0);
}

/* Each rank ends with the sum of its block: p - 1 steps, in each of which a rank sends the block of
 * one other. */
static void scatter_sums(const struct call *call, const int *counts) {
    mgen_check_op(call->received_type, call->op);
    int size = mgen_comm_size(call->comm);
    int rank = mgen_comm_rank(call->comm);
    size_t element = mgen_type_size(call->received_type);
    int *places = mgen_memory(((size_t)size + 1) * sizeof *places);
    places[0] = 0;
    for (int i = 0; i < size; i++) {
        places[i + 1] = places[i] + counts[i];
    }
    mgen_collective_apart(call->sent, call->received, (size_t)places[size]);
    const void *own = call->sent == MPI_IN_PLACE ? call->received : call->sent;
    struct values values = mgen_values(own, NULL, READ, places[size], call->received_type);
    size_t bytes = (size_t)counts[rank] * element;
    void *sum = mgen_collective_scratch(values.own, bytes);
    if (mgen_op_commutes(call->op)) {
        struct group group = mgen_collective_begin(COLLECTIVE_REDUCE, call->comm);
        void *part = mgen_collective_scratch(values.own, bytes);
        mgen_collective_copy(sum, mgen_collective_part(values.own, (size_t)places[rank] * element),
                             bytes);
        for (int i = 1; i < size; i++) {
            int to = (rank + i) % size;
            int from = (rank - i + size) % size;
            mgen_collective_exchange(&group,
                                     mgen_collective_part(values.own, (size_t)places[to] * element),
                                     (size_t)counts[to] * element, to, part, bytes, from);
            mgen_combine(part, sum, counts[rank], call->received_type, call->op);
        }
        mgen_collective_free(part);
    } else {
        size_t whole = (size_t)places[size] * element;
        void *result = rank == 0 ? mgen_collective_scratch(values.own, whole) : NULL;
        mgen_reduce_in_order(values.own, result, places[size], call->received_type, call->op, 0,
                             call->comm);
        struct group group = mgen_collective_begin(COLLECTIVE_SCATTER, call->comm);
        if (rank != 0) {
            mgen_collective_receive(&group, sum, bytes, 0);
        } else {
            mgen_collective_copy(sum, result, bytes);
            for (int to = 1; to < size; to++) {
                mgen_collective_send(&group,
                                     mgen_collective_part(result, (size_t)places[to] * element),
                                     (size_t)counts[to] * element, to);
            }
        }
        mgen_collective_free(result);
    }
    mgen_values_copy(call->received, sum, counts[rank], call->received_type);
    mgen_collective_free(sum);
    mgen_values_end(&values, 0);
    free(places);
}

void mgen_do_reduce_scatter(const struct call *call) {
    scatter_sums(call, call->received_counts);
}

void mgen_do_reduce_scatter_block(const struct call *call) {
    int size = mgen_comm_size(call->comm);
    int *counts = mgen_memory((size_t)size * sizeof *counts);
    for (int i = 0; i < size; i++) {
        counts[i] = call->received_count;
    }
    scatter_sums(call, counts);
    free(counts);
}

int MPI_Scan(const void *sent, void *received, int count, MPI_Datatype type, MPI_Op op,
             MPI_Comm comm) {
    return mgen_run(mgen_do_scan,
                    (struct call){"MPI_Scan", comm, -1, .sent = sent, .received = received,
                                  .received_count = count, .received_type = type, .op = op});
}

int MPI_Exscan(const void *sent, void *received, int count, MPI_Datatype type, MPI_Op op,
               MPI_Comm comm) {
    return mgen_run(mgen_do_exscan,
                    (struct call){"MPI_Exscan", comm, -1, .sent = sent, .received = received,
                                  .received_count = count, .received_type = type, .op = op});
}

int MPI_Reduce_scatter(const void *sent, void *received, const int *counts, MPI_Datatype type,
                       MPI_Op op, MPI_Comm comm) {
    return mgen_run(mgen_do_reduce_scatter,
                    (struct call){"MPI_Reduce_scatter", comm, -1, .sent = sent,
                                  .received = received, .received_counts = counts,
                                  .received_type = type, .op = op});
}

int MPI_Reduce_scatter_block(const void *sent, void *received, int count, MPI_Datatype type,
                             MPI_Op op, MPI_Comm comm) {
    return mgen_run(mgen_do_reduce_scatter_block,
                    (struct call){"MPI_Reduce_scatter_block", comm, -1, .sent = sent,
                                  .received = received, .received_count = count,
                                  .received_type = type, .op = op});
}
