/* Gather and scatter. A message carries a whole binomial subtree, in the order of relative ranks:
 * those relative to the root, which is 0. */
#include "collective.h"
#include <stdlib.h>
#include <string.h>

/* How many ranks the binomial subtree of `relative` has. */
static int subtree(const struct group *group, int relative) {
    int mask = 1;
    while (mask < group->size && !(relative & mask)) {
        mask *= 2;
    }
    return relative + mask < group->size ? mask : group->size - relative;
}

/* From the order of ranks to that of relative ranks, or back. */
static void rotate(void *to, const void *from, size_t bytes, int size, int shift) {
    size_t first = bytes * (size_t)(size - shift);
    size_t last = bytes * (size_t)shift;
    mgen_collective_copy(to, mgen_collective_part(from, last), first);
    mgen_collective_copy(mgen_collective_at(to, first), from, last);
}

static void gather_binomial(const struct group *group, const void *own, void *received,
                            size_t bytes, int root) {
    int size = group->size;
    int relative = (group->rank - root + size) % size;
    int held = subtree(group, relative);
    void *blocks = held == 1 ? NULL : mgen_collective_scratch(own, bytes * (size_t)held);
    mgen_collective_copy(blocks, own, bytes);
    int mask = 1;
    for (; mask < size && !(relative & mask); mask *= 2) {
        if (relative + mask < size) {
            size_t part = bytes * (size_t)subtree(group, relative + mask);
            mgen_collective_receive(group, mgen_collective_at(blocks, bytes * (size_t)mask), part,
                                    (relative + mask + root) % size);
        }
    }
    if (relative != 0) {
        mgen_collective_send(group, held == 1 ? own : blocks, bytes * (size_t)held,
                             (relative - mask + root) % size);
    } else if (size == 1) {
        mgen_collective_copy(received, own, bytes);
    } else {
        rotate(received, blocks, bytes, size, (size - root) % size);
    }
    mgen_collective_free(blocks);
}

static void gather_linear(const struct group *group, const void *own, void *received, size_t bytes,
                          int root) {
    if (group->rank != root) {
        mgen_collective_send(group, own, bytes, root);
        return;
    }
    mgen_collective_copy(mgen_collective_at(received, bytes * (size_t)root), own, bytes);
    for (int from = 0; from < group->size; from++) {
        if (from != root) {
            mgen_collective_receive(group, mgen_collective_at(received, bytes * (size_t)from),
                                    bytes, from);
        }
    }
}

int mgen_collective_gather(const char *algorithm, const void *sent, void *received, size_t bytes,
                           int root, MGEN_Comm comm) {
    struct group group = mgen_collective_begin(COLLECTIVE_GATHER, comm);
    mgen_collective_at_root(sent, group.rank, root);
    const void *own =
        sent == MGEN_IN_PLACE ? mgen_collective_at(received, bytes * (size_t)root) : sent;
    if (strcmp(algorithm, "linear") == 0) {
        gather_linear(&group, own, received, bytes, root);
    } else {
        gather_binomial(&group, own, received, bytes, root);
    }
    return MGEN_SUCCESS;
}

static void scatter_binomial(const struct group *group, const void *sent, void *own, size_t bytes,
                             int root) {
    int size = group->size;
    int relative = (group->rank - root + size) % size;
    int held = subtree(group, relative);
    const void *real = relative == 0 ? sent : own;
    void *blocks = held == 1 ? NULL : mgen_collective_scratch(real, bytes * (size_t)held);
    int mask = 1;
    while (mask < size && !(relative & mask)) {
        mask *= 2;
    }
    if (relative != 0) {
        mgen_collective_receive(group, held == 1 ? own : blocks, bytes * (size_t)held,
                                (relative - mask + root) % size);
    } else if (size > 1) {
        rotate(blocks, sent, bytes, size, root);
    }
    for (mask /= 2; mask > 0; mask /= 2) {
        if (relative + mask < size) {
            size_t part = bytes * (size_t)subtree(group, relative + mask);
            mgen_collective_send(group, mgen_collective_at(blocks, bytes * (size_t)mask), part,
                                 (relative + mask + root) % size);
        }
    }
    if (relative == 0) {
        mgen_collective_copy(own, mgen_collective_part(sent, bytes * (size_t)root), bytes);
    } else if (held > 1) {
        mgen_collective_copy(own, blocks, bytes);
    }
    mgen_collective_free(blocks);
}

static void scatter_linear(const struct group *group, const void *sent, void *own, size_t bytes,
                           int root) {
    if (group->rank != root) {
        mgen_collective_receive(group, own, bytes, root);
        return;
    }
    for (int to = 0; to < group->size; to++) {
        if (to != root) {
            mgen_collective_send(group, mgen_collective_part(sent, bytes * (size_t)to), bytes, to);
        }
    }
    mgen_collective_copy(own, mgen_collective_part(sent, bytes * (size_t)root), bytes);
}

/* All at once. */
static void scatter_nonblocking(const struct group *group, const void *sent, void *own,
                                size_t bytes, int root) {
    if (group->rank != root) {
        mgen_collective_receive(group, own, bytes, root);
        return;
    }
    struct batch batch = mgen_collective_batch(group->size);
    for (int to = 0; to < group->size; to++) {
        if (to != root) {
            const void *part = mgen_collective_part(sent, bytes * (size_t)to);
            mgen_collective_start_send(group, &batch, part, bytes, to);
        }
    }
    mgen_collective_copy(own, mgen_collective_part(sent, bytes * (size_t)root), bytes);
    mgen_collective_finish(&batch);
}

int mgen_collective_scatter(const char *algorithm, const void *sent, void *received, size_t bytes,
                            int root, MGEN_Comm comm) {
    struct group group = mgen_collective_begin(COLLECTIVE_SCATTER, comm);
    mgen_collective_at_root(received, group.rank, root);
    void *own = received == MGEN_IN_PLACE ? NULL : received;
    if (strcmp(algorithm, "linear") == 0) {
        scatter_linear(&group, sent, own, bytes, root);
    } else if (strcmp(algorithm, "linear_nonblocking") == 0) {
        scatter_nonblocking(&group, sent, own, bytes, root);
    } else {
        scatter_binomial(&group, sent, own, bytes, root);
    }
    return MGEN_SUCCESS;
}
