/* Bodies of reductions, for any type and operator. */
#include "mpi_calls.h"

/* Copies keep the space between elements, so that an operator finds them where it expects them. */
static void *copy_of(const void *buffer, int is_there, int count, const struct type *known,
                     MPI_Datatype type) {
    if (known->true_extent > known->extent) {
        mgen_fail("an element of the type reaches into the next one; weft does not reduce such");
    }
    char *copy = mgen_memory((size_t)count * (size_t)known->extent);
    if (is_there) {
        struct dense dense = mgen_dense(buffer, count, type, 1);
        mgen_unpack(dense.data, copy - known->true_lb, count, type, dense.bytes);
        mgen_dense_free(&dense);
    }
    return copy;
}

struct values mgen_values(const void *own, void *received, int which, int count,
                          MPI_Datatype type) {
    struct values values = {.received = received, .count = count, .type = type};
    const struct type *known = mgen_type(type);
    int reads = (which & READ) != 0 && !mgen_is_nothing(own);
    int writes = (which & WRITTEN) != 0 && !mgen_is_nothing(received);
    if (mgen_data_bytes(type, count) == 0 || (!reads && !writes)) {
        return values;
    }
    mgen_check_buffer(reads ? own : received, count, known);
    mgen_check_buffer(writes ? received : own, count, known);
    if (mgen_is_dense(known, 2)) {
        values.own = reads ? (const char *)own + known->true_lb : NULL;
        values.result = writes ? (char *)received + known->true_lb : NULL;
        return values;
    }
    values.own = values.own_copy = copy_of(own, reads, count, known, type);
    values.result = values.result_copy = copy_of(received, writes, count, known, type);
    return values;
}

void mgen_values_copy(void *received, const void *values, int count, MPI_Datatype type) {
    if (values != NULL) {
        const char *elements = (const char *)values - mgen_type(type)->true_lb;
        mgen_typed_copy(received, elements, count, type);
    }
}

void mgen_values_end(struct values *values, int has_result) {
    if (has_result) {
        mgen_values_copy(values->received, values->result_copy, values->count, values->type);
    }
    mgen_collective_free(values->own_copy);
    mgen_collective_free(values->result_copy);
}

/* A binomial tree to rank 0, in which the ranks below a rank follow it; then to the root. */
void mgen_reduce_in_order(const void *own, void *result, int count, MPI_Datatype type, MPI_Op op,
                          int root, MPI_Comm comm) {
    struct group group = mgen_collective_begin(COLLECTIVE_REDUCE, comm);
    size_t bytes = (size_t)count * mgen_type_size(type);
    void *sum = mgen_collective_scratch(own, bytes);
    void *part = mgen_collective_scratch(own, bytes);
    mgen_collective_copy(sum, own, bytes);
    int mask = 1;
    for (; mask < group.size && !(group.rank & mask); mask *= 2) {
        if (group.rank + mask < group.size) {
            mgen_collective_receive(&group, part, bytes, group.rank + mask);
            mgen_combine(sum, part, count, type, op);
            mgen_collective_copy(sum, part, bytes);
        }
    }
    if (group.rank != 0) {
        mgen_collective_send(&group, sum, bytes, group.rank - mask);
    } else if (root != 0) {
        mgen_collective_send(&group, sum, bytes, root);
    }
    if (group.rank == root && root != 0) {
        mgen_collective_receive(&group, result, bytes, 0);
    } else if (group.rank == root) {
        mgen_collective_copy(result, sum, bytes);
    }
    mgen_collective_free(sum);
    mgen_collective_free(part);
}

void mgen_do_reduce(const struct call *call) {
    mgen_check_op(call->received_type, call->op);
    int rank = mgen_comm_rank(call->comm);
    int is_root = rank == call->root;
    mgen_collective_at_root(call->sent, rank, call->root);
    if (is_root) {
        mgen_collective_apart(call->sent, call->received, (size_t)call->received_count);
    }
    const void *own = call->sent == MPI_IN_PLACE ? call->received : call->sent;
    struct values values = mgen_values(own, call->received, is_root ? READ | WRITTEN : READ,
                                       call->received_count, call->received_type);
    if (!mgen_op_commutes(call->op)) {
        mgen_reduce_in_order(values.own, values.result, call->received_count, call->received_type,
                             call->op, call->root, call->comm);
    } else {
        size_t bytes = mgen_data_bytes(call->received_type, call->received_count);
        struct choice choice = mgen_collective_choose(
            COLLECTIVE_REDUCE, (size_t)call->received_count, bytes, call->comm);
        mgen_collective_reduce(choice.name, values.own, values.result, call->received_count,
                               call->received_type, call->op, call->root, call->comm);
    }
    mgen_values_end(&values, is_root);
}

void mgen_do_allreduce(const struct call *call) {
    mgen_check_op(call->received_type, call->op);
    mgen_collective_apart(call->sent, call->received, (size_t)call->received_count);
    const void *own = call->sent == MPI_IN_PLACE ? call->received : call->sent;
    struct values values =
        mgen_values(own, call->received, READ | WRITTEN, call->received_count, call->received_type);
    size_t bytes = (size_t)call->received_count * mgen_type_size(call->received_type);
    if (!mgen_op_commutes(call->op)) {
        mgen_reduce_in_order(values.own, values.result, call->received_count, call->received_type,
                             call->op, 0, call->comm);
        mgen_collective_bcast("binomial", values.result, bytes, 0, call->comm);
    } else {
        struct choice choice = mgen_collective_choose(
            COLLECTIVE_ALLREDUCE, (size_t)call->received_count,
            mgen_data_bytes(call->received_type, call->received_count), call->comm);
        const void *sent = values.own == values.result ? MPI_IN_PLACE : values.own;
        mgen_collective_allreduce(choice.name, sent, values.result, call->received_count,
                                  call->received_type, call->op, call->comm);
    }
    mgen_values_end(&values, 1);
}
