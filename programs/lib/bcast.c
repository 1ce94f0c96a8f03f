/* Broadcasts. Ranks are relative to the root, which is 0. */
#include "collective.h"
#include <string.h>

/* bcast_algorithm_knomial_radix of Open MPI (coll_tuned_bcast_decision.c). */
enum { KNOMIAL_RADIX = 4 };

static int real_rank(const struct group *group, int root, int relative) {
    return (relative + root) % group->size;
}

/* ceil(log2 p) steps of the whole message. */
static void binomial(const struct group *group, void *buffer, size_t bytes, int root) {
    int relative = (group->rank - root + group->size) % group->size;
    int mask = 1;
    while (mask < group->size && !(relative & mask)) {
        mask *= 2;
    }
    if (relative != 0) {
        mgen_collective_receive(group, buffer, bytes, real_rank(group, root, relative - mask));
    }
    for (mask /= 2; mask > 0; mask /= 2) {
        if (relative + mask < group->size) {
            mgen_collective_send(group, buffer, bytes, real_rank(group, root, relative + mask));
        }
    }
}

/* Van de Geijn: a binomial scatter of p blocks, then their allgather, by recursive doubling if
 * `doubling`, else round a ring. */
static void scatter_allgather(const struct group *group, void *buffer, size_t bytes, int root,
                              int doubling) {
    struct members members = {.group = group, .size = group->size, .root = root};
    members.number = (group->rank - root + group->size) % group->size;
    mgen_collective_scatter_pieces(&members, buffer, bytes);
    if (doubling) {
        mgen_collective_double_pieces(&members, buffer, bytes);
    } else {
        mgen_collective_ring_pieces(&members, buffer, bytes);
    }
}

/* To all at once. */
static void linear(const struct group *group, void *buffer, size_t bytes, int root) {
    if (group->rank != root) {
        mgen_collective_receive(group, buffer, bytes, root);
        return;
    }
    struct batch batch = mgen_collective_batch(group->size);
    for (int to = 0; to < group->size; to++) {
        if (to != root) {
            mgen_collective_start_send(group, &batch, buffer, bytes, to);
        }
    }
    mgen_collective_finish(&batch);
}

/* Down a tree; a rank sends to all its children at once. */
static void along(const struct tree *tree, const struct group *group, void *buffer, size_t bytes,
                  int root) {
    if (tree->parent >= 0) {
        mgen_collective_receive(group, buffer, bytes, real_rank(group, root, tree->parent));
    }
    struct batch batch = mgen_collective_batch(tree->child_count);
    for (int i = 0; i < tree->child_count; i++) {
        mgen_collective_start_send(group, &batch, buffer, bytes,
                                   real_rank(group, root, tree->children[i]));
    }
    mgen_collective_finish(&batch);
}

/* One half goes down each side of a binary tree; then ranks of both sides exchange their halves.
 * The root stands in for the rank that an even number of ranks leaves alone. */
static void split_binary(const struct group *group, void *buffer, size_t bytes, int root) {
    int size = group->size;
    int relative = (group->rank - root + size) % size;
    size_t first = bytes - bytes / 2;
    size_t sizes[] = {first, bytes - first};
    void *halves[] = {buffer, mgen_collective_at(buffer, first)};
    struct tree tree = mgen_collective_binary(relative, size);
    int side = relative % 2 == 1 ? 0 : 1;
    if (relative != 0) {
        mgen_collective_receive(group, halves[side], sizes[side],
                                real_rank(group, root, tree.parent));
    }
    struct batch batch = mgen_collective_batch(2);
    for (int i = 0; i < tree.child_count; i++) {
        int half = relative == 0 ? i : side;
        mgen_collective_start_send(group, &batch, halves[half], sizes[half],
                                   real_rank(group, root, tree.children[i]));
    }
    mgen_collective_finish(&batch);
    int lonely = size % 2 == 0 ? size - 1 : -1;
    if (relative == 0 && lonely > 0) {
        mgen_collective_send(group, halves[1], sizes[1], real_rank(group, root, lonely));
    } else if (relative == lonely) {
        mgen_collective_receive(group, halves[1], sizes[1], root);
    } else if (relative != 0) {
        int pair = real_rank(group, root, side == 0 ? relative + 1 : relative - 1);
        mgen_collective_exchange(group, halves[side], sizes[side], pair, halves[1 - side],
                                 sizes[1 - side], pair);
    }
}

int mgen_collective_bcast(const char *algorithm, void *buffer, size_t bytes, int root,
                          MGEN_Comm comm) {
    struct group group = mgen_collective_begin(COLLECTIVE_BCAST, comm);
    int size = group.size;
    int relative = (group.rank - root + size) % size;
    struct tree tree;
    if (strcmp(algorithm, "scatter_allgather") == 0) {
        scatter_allgather(&group, buffer, bytes, root, mgen_collective_power(size) == size);
        return MGEN_SUCCESS;
    }
    if (strcmp(algorithm, "scatter_ring_allgather") == 0) {
        scatter_allgather(&group, buffer, bytes, root, 0);
        return MGEN_SUCCESS;
    }
    if (strcmp(algorithm, "linear") == 0) {
        linear(&group, buffer, bytes, root);
        return MGEN_SUCCESS;
    }
    if (strcmp(algorithm, "split_binary") == 0) {
        split_binary(&group, buffer, bytes, root);
        return MGEN_SUCCESS;
    }
    if (strcmp(algorithm, "chain") == 0) {
        tree = mgen_collective_chain(relative, size);
    } else if (strcmp(algorithm, "binary") == 0) {
        tree = mgen_collective_binary(relative, size);
    } else if (strcmp(algorithm, "knomial") == 0) {
        tree = mgen_collective_knomial(relative, size, KNOMIAL_RADIX);
    } else {
        binomial(&group, buffer, bytes, root);
        return MGEN_SUCCESS;
    }
    along(&tree, &group, buffer, bytes, root);
    return MGEN_SUCCESS;
}
