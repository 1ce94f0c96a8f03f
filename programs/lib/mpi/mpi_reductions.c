/* Bodies of reductions, for any type and operator. */
#include "mpi_calls.h"

/* Copies keep the space between elements, so that an operator finds them where it expects them. */
static void *copy_of(const void *buffer, int count, MPI_Datatype type) {
    const struct type *known = mgen_type(type);
    if (known->true_lb < 0 || known->true_lb + known->true_extent > known->extent) {
        mgen_fail("elements of the type overlap, so it cannot be reduced");
    }
    size_t bytes = (size_t)count * (size_t)known->extent;
    char *copy = mgen_memory(bytes);
    memset(copy, 0, bytes);
    if (buffer != NULL) {
        struct dense dense = mgen_dense(buffer, count, type, 1);
        mgen_unpack(dense.data, copy, count, type, dense.bytes);
        mgen_dense_free(&dense);
    }
    return copy;
}

struct values mgen_values(const void *own, void *received, int count, MPI_Datatype type) {
    struct values values = {own, received, NULL, NULL, received, count, type};
    mgen_data_bytes(type, count);
    if (mgen_is_dense(mgen_type(type), 2) || (own == NULL && received == NULL)) {
        return values;
    }
    values.own = values.own_copy = copy_of(own, count, type);
    values.result = values.result_copy = copy_of(received, count, type);
    return values;
}

void mgen_values_end(struct values *values, int has_result) {
    if (values->result_copy != NULL && has_result) {
        mgen_typed_copy(values->received, values->result_copy, values->count, values->type);
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
    int is_root = mgen_comm_rank(call->comm) == call->root;
    if (is_root) {
        mgen_collective_apart(call->sent, call->received, (size_t)call->received_count);
    }
    const void *own = call->sent == MPI_IN_PLACE ? call->received : call->sent;
    struct values values = mgen_values(own, is_root ? call->received : NULL, call->received_count,
                                       call->received_type);
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
    mgen_collective_apart(call->sent, call->received, (size_t)call->received_count);
    const void *own = call->sent == MPI_IN_PLACE ? call->received : call->sent;
    struct values values =
        mgen_values(own, call->received, call->received_count, call->received_type);
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
