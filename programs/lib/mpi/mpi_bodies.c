/* Bodies of the collectives that mgen.h has, too, for any type. Data with space between them are
 * packed before and unpacked after. */
#include "mpi_calls.h"

void *mgen_elements(const void *buffer, MPI_Count places, MPI_Datatype type) {
    return mgen_place(buffer, places * mgen_type(type)->extent);
}

void mgen_call_apart(const struct call *call, const void *sent, const void *received, int count) {
    if (call->sent_type == call->received_type) {
        mgen_collective_apart(sent, received, (size_t)count);
    }
}

/* Of one rank's block and the memory for the blocks of all. In place, the block has no type. */
static void check_block(const struct call *call, const void *one, const void *all, int count) {
    MPI_Count places = (MPI_Count)count * mgen_comm_rank(call->comm);
    if (one != MPI_IN_PLACE && call->sent_type == call->received_type) {
        mgen_call_apart(call, one, mgen_elements(all, places, call->received_type), count);
    }
}

static void free_later(struct dense *dense) {
    mgen_collective_free(dense->copy);
}

void mgen_do_barrier(const struct call *call) {
    struct choice choice = mgen_collective_choose(COLLECTIVE_BARRIER, 0, 0, call->comm);
    mgen_collective_barrier(choice.name, call->comm);
}

void mgen_do_bcast(const struct call *call) {
    int is_root = mgen_comm_rank(call->comm) == call->root;
    struct dense dense =
        mgen_dense(call->received, call->received_count, call->received_type, is_root);
    struct choice choice = mgen_collective_choose(COLLECTIVE_BCAST, (size_t)call->received_count,
                                                  dense.bytes, call->comm);
    mgen_collective_bcast(choice.name, dense.data, dense.bytes, call->root, call->comm);
    if (is_root) {
        free_later(&dense);
    } else {
        mgen_later_received(&dense);
    }
}

/* A block of each rank, in the buffer that holds all of them. */
static struct dense all_sent(const struct call *call) {
    MPI_Count count = (MPI_Count)call->sent_count * mgen_comm_size(call->comm);
    return mgen_dense(call->sent, count, call->sent_type, 1);
}

static struct dense all_received(const struct call *call) {
    MPI_Count count = (MPI_Count)call->received_count * mgen_comm_size(call->comm);
    return call->sent == MPI_IN_PLACE
               ? mgen_dense_exchanged(call->received, count, call->received_type)
               : mgen_dense(call->received, count, call->received_type, 0);
}

static size_t block_bytes(const struct dense *dense, MPI_Comm comm) {
    return dense->bytes / (size_t)mgen_comm_size(comm);
}

static const struct dense NOTHING;

void mgen_do_gather(const struct call *call) {
    int is_root = mgen_comm_rank(call->comm) == call->root;
    int in_place = call->sent == MPI_IN_PLACE;
    struct dense own =
        in_place ? NOTHING : mgen_dense(call->sent, call->sent_count, call->sent_type, 1);
    struct dense all = is_root ? all_received(call) : NOTHING;
    size_t bytes = in_place ? block_bytes(&all, call->comm) : own.bytes;
    if (is_root) {
        check_block(call, call->sent, call->received, call->received_count);
    }
    struct choice choice = mgen_collective_choose(COLLECTIVE_GATHER, 0, bytes, call->comm);
    mgen_collective_gather(choice.name, in_place ? MPI_IN_PLACE : own.data, all.data, bytes,
                           call->root, call->comm);
    free_later(&own);
    mgen_later_received(&all);
}

void mgen_do_scatter(const struct call *call) {
    int is_root = mgen_comm_rank(call->comm) == call->root;
    int in_place = call->received == MPI_IN_PLACE;
    struct dense all = is_root ? all_sent(call) : NOTHING;
    struct dense own =
        in_place ? NOTHING
                 : mgen_dense(call->received, call->received_count, call->received_type, 0);
    size_t bytes = in_place ? block_bytes(&all, call->comm) : own.bytes;
    if (is_root) {
        check_block(call, call->received, call->sent, call->sent_count);
    }
    struct choice choice = mgen_collective_choose(COLLECTIVE_SCATTER, 0, bytes, call->comm);
    mgen_collective_scatter(choice.name, all.data, in_place ? MPI_IN_PLACE : own.data, bytes,
                            call->root, call->comm);
    free_later(&all);
    mgen_later_received(&own);
}

void mgen_do_allgather(const struct call *call) {
    int in_place = call->sent == MPI_IN_PLACE;
    struct dense own =
        in_place ? NOTHING : mgen_dense(call->sent, call->sent_count, call->sent_type, 1);
    struct dense all = all_received(call);
    size_t bytes = block_bytes(&all, call->comm);
    check_block(call, call->sent, call->received, call->received_count);
    struct choice choice = mgen_collective_choose(COLLECTIVE_ALLGATHER, 0, bytes, call->comm);
    mgen_collective_allgather(choice.name, in_place ? MPI_IN_PLACE : own.data, all.data, bytes,
                              call->comm);
    free_later(&own);
    mgen_later_received(&all);
}

void mgen_do_alltoall(const struct call *call) {
    int in_place = call->sent == MPI_IN_PLACE;
    struct dense own = in_place ? NOTHING : all_sent(call);
    struct dense all = all_received(call);
    size_t bytes = block_bytes(&all, call->comm);
    mgen_call_apart(call, call->sent, call->received, call->received_count);
    struct choice choice = mgen_collective_choose(COLLECTIVE_ALLTOALL, 0, bytes, call->comm);
    mgen_collective_alltoall(choice.name, in_place ? MPI_IN_PLACE : own.data, all.data, bytes,
                             call->comm);
    free_later(&own);
    mgen_later_received(&all);
}
