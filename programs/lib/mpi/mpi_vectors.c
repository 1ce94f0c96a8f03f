/* Collectives with unequal blocks. */
#include "mpi_calls.h"

static void free_later(struct dense *dense) {
    mgen_collective_free(dense->copy);
}

static struct dense block_of(const void *buffer, int place, int count, MPI_Datatype type,
                             int is_sent) {
    return mgen_dense(mgen_elements(buffer, place, type), count, type, is_sent);
}

/* The root receives from all at once. */
void mgen_do_gatherv(const struct call *call) {
    struct group group = mgen_collective_begin(COLLECTIVE_GATHER, call->comm);
    int in_place = call->sent == MPI_IN_PLACE;
    struct dense own = {0};
    mgen_collective_at_root(call->sent, group.rank, call->root);
    if (!in_place) {
        own = mgen_dense(call->sent, call->sent_count, call->sent_type, 1);
    }
    if (group.rank != call->root) {
        if (own.bytes > 0) {
            mgen_collective_send(&group, own.data, own.bytes, call->root);
        }
        free_later(&own);
        return;
    }
    struct dense *blocks = mgen_memory((size_t)group.size * sizeof *blocks);
    struct batch batch = mgen_collective_batch(group.size);
    for (int from = 0; from < group.size; from++) {
        blocks[from] = (struct dense){0};
        if (from == group.rank && in_place) {
            continue;
        }
        blocks[from] = block_of(call->received, call->received_places[from],
                                call->received_counts[from], call->received_type, 0);
        if (from == group.rank) {
            mgen_call_apart(call, call->sent, blocks[from].buffer, call->sent_count);
            mgen_collective_copy(blocks[from].data, own.data, own.bytes);
        } else if (blocks[from].bytes > 0) {
            mgen_collective_start_receive(&group, &batch, blocks[from].data, blocks[from].bytes,
                                          from);
        }
    }
    mgen_collective_finish(&batch);
    for (int from = 0; from < group.size; from++) {
        mgen_later_received(&blocks[from]);
    }
    free(blocks);
    free_later(&own);
}

/* The root sends to all at once. */
void mgen_do_scatterv(const struct call *call) {
    struct group group = mgen_collective_begin(COLLECTIVE_SCATTER, call->comm);
    struct dense own = {0};
    mgen_collective_at_root(call->received, group.rank, call->root);
    if (call->received != MPI_IN_PLACE) {
        own = mgen_dense(call->received, call->received_count, call->received_type, 0);
    }
    if (group.rank != call->root) {
        if (own.bytes > 0) {
            mgen_collective_receive(&group, own.data, own.bytes, call->root);
        }
        mgen_later_received(&own);
        return;
    }
    struct dense *blocks = mgen_memory((size_t)group.size * sizeof *blocks);
    struct batch batch = mgen_collective_batch(group.size);
    for (int to = 0; to < group.size; to++) {
        blocks[to] =
            block_of(call->sent, call->sent_places[to], call->sent_counts[to], call->sent_type, 1);
        if (to == group.rank) {
            mgen_call_apart(call, blocks[to].buffer, call->received, call->sent_counts[to]);
            mgen_collective_copy(own.data, blocks[to].data, blocks[to].bytes);
        } else if (blocks[to].bytes > 0) {
            mgen_collective_start_send(&group, &batch, blocks[to].data, blocks[to].bytes, to);
        }
    }
    mgen_collective_finish(&batch);
    for (int to = 0; to < group.size; to++) {
        free_later(&blocks[to]);
    }
    free(blocks);
    mgen_later_received(&own);
}

/* Round a ring: a rank passes on the block that it got last. */
void mgen_do_allgatherv(const struct call *call) {
    struct group group = mgen_collective_begin(COLLECTIVE_ALLGATHER, call->comm);
    int size = group.size;
    int rank = group.rank;
    int in_place = call->sent == MPI_IN_PLACE;
    struct dense *blocks = mgen_memory((size_t)size * sizeof *blocks);
    for (int i = 0; i < size; i++) {
        void *place = mgen_elements(call->received, call->received_places[i], call->received_type);
        int count = call->received_counts[i];
        blocks[i] = i == rank && in_place ? mgen_dense_exchanged(place, count, call->received_type)
                                          : mgen_dense(place, count, call->received_type, 0);
    }
    if (!in_place) {
        struct dense own = mgen_dense(call->sent, call->sent_count, call->sent_type, 1);
        mgen_call_apart(call, call->sent, blocks[rank].buffer, call->sent_count);
        mgen_collective_copy(blocks[rank].data, own.data, own.bytes);
        free_later(&own);
    }
    for (int step = 0; step < size - 1; step++) {
        struct dense *sent = &blocks[(rank - step + size) % size];
        struct dense *taken = &blocks[(rank - step - 1 + size) % size];
        mgen_collective_exchange(&group, sent->data, sent->bytes, (rank + 1) % size, taken->data,
                                 taken->bytes, (rank - 1 + size) % size);
    }
    for (int i = 0; i < size; i++) {
        mgen_later_received(&blocks[i]);
    }
    free(blocks);
}

/* The block for one other rank, or from one. `places` count bytes if every block has its own type.
 */
static struct dense personal(const void *buffer, const int *counts, const int *places,
                             const MPI_Datatype *types, MPI_Datatype type, int other, int is_sent) {
    if (types == NULL) {
        return block_of(buffer, places[other], counts[other], type, is_sent);
    }
    return mgen_dense(mgen_place(buffer, places[other]), counts[other], types[other], is_sent);
}

static struct dense sent_to(const struct call *call, int to) {
    if (call->sent != MPI_IN_PLACE) {
        return personal(call->sent, call->sent_counts, call->sent_places, call->sent_types,
                        call->sent_type, to, 1);
    }
    /* What comes takes the place of what is sent, so that is copied first. */
    struct dense dense = personal(call->received, call->received_counts, call->received_places,
                                  call->received_types, call->received_type, to, 1);
    if (dense.copy == NULL && dense.data != NULL) {
        dense.copy = mgen_memory(dense.bytes);
        memcpy(dense.copy, dense.data, dense.bytes);
        dense.data = dense.copy;
    }
    return dense;
}

/* By shifts. */
void mgen_do_alltoallv(const struct call *call) {
    struct group group = mgen_collective_begin(COLLECTIVE_ALLTOALL, call->comm);
    int size = group.size;
    struct dense *sent = mgen_memory((size_t)size * sizeof *sent);
    struct dense *taken = mgen_memory((size_t)size * sizeof *taken);
    for (int other = 0; other < size; other++) {
        sent[other] = sent_to(call, other);
        taken[other] = personal(call->received, call->received_counts, call->received_places,
                                call->received_types, call->received_type, other, 0);
        if (call->sent != MPI_IN_PLACE && sent[other].type == taken[other].type) {
            size_t both = taken[other].bytes > 0 ? sent[other].bytes : 0;
            mgen_collective_apart(sent[other].buffer, taken[other].buffer, both);
        }
    }
    for (int step = 0; step < size; step++) {
        struct dense *to = &sent[(group.rank + step) % size];
        struct dense *from = &taken[(group.rank - step + size) % size];
        if (step == 0) {
            mgen_collective_copy(from->data, to->data, to->bytes);
        } else {
            mgen_collective_exchange(&group, to->data, to->bytes, (group.rank + step) % size,
                                     from->data, from->bytes, (group.rank - step + size) % size);
        }
    }
    for (int other = 0; other < size; other++) {
        free_later(&sent[other]);
        mgen_later_received(&taken[other]);
    }
    free(sent);
    free(taken);
}

void mgen_do_alltoallw(const struct call *call) {
    mgen_do_alltoallv(call);
}

int MPI_Gatherv(const void *sent, int sent_count, MPI_Datatype sent_type, void *received,
                const int *counts, const int *places, MPI_Datatype received_type, int root,
                MPI_Comm comm) {
    return mgen_run(mgen_do_gatherv,
                    (struct call){"MPI_Gatherv", comm, root, sent, sent_count, sent_type, received,
                                  .received_type = received_type, .received_counts = counts,
                                  .received_places = places});
}

int MPI_Scatterv(const void *sent, const int *counts, const int *places, MPI_Datatype sent_type,
                 void *received, int received_count, MPI_Datatype received_type, int root,
                 MPI_Comm comm) {
    return mgen_run(mgen_do_scatterv,
                    (struct call){"MPI_Scatterv", comm, root, .sent = sent, .sent_type = sent_type,
                                  .received = received, .received_count = received_count,
                                  .received_type = received_type, .sent_counts = counts,
                                  .sent_places = places});
}

int MPI_Allgatherv(const void *sent, int sent_count, MPI_Datatype sent_type, void *received,
                   const int *counts, const int *places, MPI_Datatype received_type,
                   MPI_Comm comm) {
    return mgen_run(mgen_do_allgatherv,
                    (struct call){"MPI_Allgatherv", comm, -1, sent, sent_count, sent_type, received,
                                  .received_type = received_type, .received_counts = counts,
                                  .received_places = places});
}

int MPI_Alltoallw(const void *sent, const int *sent_counts, const int *sent_places,
                  const MPI_Datatype *sent_types, void *received, const int *received_counts,
                  const int *received_places, const MPI_Datatype *received_types, MPI_Comm comm) {
    return mgen_run(mgen_do_alltoallw,
                    (struct call){"MPI_Alltoallw", comm, -1, .sent = sent, .received = received,
                                  .sent_counts = sent_counts, .sent_places = sent_places,
                                  .sent_types = sent_types, .received_counts = received_counts,
                                  .received_places = received_places,
                                  .received_types = received_types});
}
