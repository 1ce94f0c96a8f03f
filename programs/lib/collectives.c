/* The collectives of mgen.h in the simulator: the algorithms that the options of the engine choose.
 */
#include "collective.h"

#ifndef MGEN_OVER_MPI

static size_t bytes_of(int count, MGEN_Datatype type) {
    if (count < 0) {
        mgen_fail("a count is negative");
    }
    return (size_t)count * mgen_type_size(type);
}

static int rank_in(MGEN_Comm comm) {
    int rank = 0;
    MGEN_Comm_rank(comm, &rank);
    return rank;
}

/* The block of this rank in the memory of all blocks. */
static const void *block_of(const void *all, MGEN_Comm comm, size_t bytes) {
    return mgen_collective_part(all, bytes * (size_t)rank_in(comm));
}

int MGEN_rdma_available(void) {
    return 1;
}

/* Ends the call that mgen_enter began. */
static int left(int code) {
    mgen_leave();
    return code;
}

int MGEN_Barrier(MGEN_Comm comm) {
    mgen_enter("MGEN_Barrier", comm, -1);
    struct choice choice = mgen_collective_choose(COLLECTIVE_BARRIER, 0, 0, comm);
    return left(mgen_collective_barrier(choice.name, comm));
}

int MGEN_Bcast(void *buffer, int count, MGEN_Datatype type, int root, MGEN_Comm comm) {
    mgen_enter("MGEN_Bcast", comm, root);
    size_t bytes = bytes_of(count, type);
    struct choice choice = mgen_collective_choose(COLLECTIVE_BCAST, (size_t)count, bytes, comm);
    return left(mgen_collective_bcast(choice.name, buffer, bytes, root, comm));
}

int MGEN_Reduce(const void *sent, void *received, int count, MGEN_Datatype type, MGEN_Op op,
                int root, MGEN_Comm comm) {
    mgen_enter("MGEN_Reduce", comm, root);
    size_t bytes = bytes_of(count, type);
    if (rank_in(comm) == root) {
        mgen_collective_apart(sent, received, bytes);
    }
    struct choice choice = mgen_collective_choose(COLLECTIVE_REDUCE, (size_t)count, bytes, comm);
    return left(mgen_collective_reduce(choice.name, sent, received, count, type, op, root, comm));
}

int MGEN_Allreduce(const void *sent, void *received, int count, MGEN_Datatype type, MGEN_Op op,
                   MGEN_Comm comm) {
    mgen_enter("MGEN_Allreduce", comm, -1);
    size_t bytes = bytes_of(count, type);
    mgen_collective_apart(sent, received, bytes);
    struct choice choice = mgen_collective_choose(COLLECTIVE_ALLREDUCE, (size_t)count, bytes, comm);
    return left(mgen_collective_allreduce(choice.name, sent, received, count, type, op, comm));
}

/* As in MPI, the counts of the side that this rank is on are used. */
int MGEN_Gather(const void *sent, int sent_count, MGEN_Datatype sent_type, void *received,
                int received_count, MGEN_Datatype received_type, int root, MGEN_Comm comm) {
    mgen_enter("MGEN_Gather", comm, root);
    int in_place = sent == MGEN_IN_PLACE;
    size_t bytes =
        in_place ? bytes_of(received_count, received_type) : bytes_of(sent_count, sent_type);
    if (rank_in(comm) == root) {
        mgen_collective_apart(sent, block_of(received, comm, bytes), bytes);
    }
    struct choice choice = mgen_collective_choose(COLLECTIVE_GATHER, 0, bytes, comm);
    return left(mgen_collective_gather(choice.name, sent, received, bytes, root, comm));
}

int MGEN_Scatter(const void *sent, int sent_count, MGEN_Datatype sent_type, void *received,
                 int received_count, MGEN_Datatype received_type, int root, MGEN_Comm comm) {
    mgen_enter("MGEN_Scatter", comm, root);
    int in_place = received == MGEN_IN_PLACE;
    size_t bytes =
        in_place ? bytes_of(sent_count, sent_type) : bytes_of(received_count, received_type);
    if (rank_in(comm) == root) {
        mgen_collective_apart(block_of(sent, comm, bytes), received, bytes);
    }
    struct choice choice = mgen_collective_choose(COLLECTIVE_SCATTER, 0, bytes, comm);
    return left(mgen_collective_scatter(choice.name, sent, received, bytes, root, comm));
}

int MGEN_Allgather(const void *sent, int sent_count, MGEN_Datatype sent_type, void *received,
                   int received_count, MGEN_Datatype received_type, MGEN_Comm comm) {
    mgen_enter("MGEN_Allgather", comm, -1);
    (void)sent_count;
    (void)sent_type;
    size_t bytes = bytes_of(received_count, received_type);
    mgen_collective_apart(sent, block_of(received, comm, bytes), bytes);
    struct choice choice = mgen_collective_choose(COLLECTIVE_ALLGATHER, 0, bytes, comm);
    return left(mgen_collective_allgather(choice.name, sent, received, bytes, comm));
}

int MGEN_Alltoall(const void *sent, int sent_count, MGEN_Datatype sent_type, void *received,
                  int received_count, MGEN_Datatype received_type, MGEN_Comm comm) {
    mgen_enter("MGEN_Alltoall", comm, -1);
    (void)sent_count;
    (void)sent_type;
    size_t bytes = bytes_of(received_count, received_type);
    mgen_collective_apart(sent, received, bytes);
    struct choice choice = mgen_collective_choose(COLLECTIVE_ALLTOALL, 0, bytes, comm);
    return left(mgen_collective_alltoall(choice.name, sent, received, bytes, comm));
}

int MGEN_Alltoallv(const void *sent, const int *sent_counts, const int *sent_places,
                   MGEN_Datatype sent_type, void *received, const int *received_counts,
                   const int *received_places, MGEN_Datatype received_type, MGEN_Comm comm) {
    mgen_enter("MGEN_Alltoallv", comm, -1);
    return left(mgen_collective_alltoallv(sent, sent_counts, sent_places, mgen_type_size(sent_type),
                                          received, received_counts, received_places,
                                          mgen_type_size(received_type), comm));
}

#endif
