/* Reductions to one rank. The operators are commutative. */
#include "reduction.h"
#include <stdlib.h>
#include <string.h>

/* Gives a rank that combines memory for its sum; the root sums where the result is wanted. */
static void begin_sum(struct reduction *all, const void *own, size_t bytes) {
    if (all->part == NULL) {
        all->part = mgen_collective_scratch(own, bytes);
    }
    if (all->sum == NULL && all->group.rank != all->root) {
        all->sum = mgen_collective_scratch(own, bytes);
        mgen_collective_copy(all->sum, own, bytes);
    }
}

static void receive(struct reduction *all, const void *own, size_t bytes, int source) {
    begin_sum(all, own, bytes);
    mgen_collective_receive(&all->group, all->part, bytes, source);
    mgen_reduction_combine(all, 0, all->count);
}

/* What a rank sends up: its own values if it has received none. */
static const void *summed(const struct reduction *all, const void *own) {
    return all->sum != NULL ? all->sum : own;
}

/* A binomial tree of ceil(log2 p) steps. */
static void binomial(struct reduction *all, const void *own, size_t bytes) {
    int size = all->group.size;
    int relative = mgen_reduction_relative(all);
    int mask = 1;
    for (; mask < size && !(relative & mask); mask *= 2) {
        if (relative + mask < size) {
            receive(all, own, bytes, mgen_reduction_real(all, relative + mask));
        }
    }
    if (relative != 0) {
        mgen_collective_send(&all->group, summed(all, own), bytes,
                             mgen_reduction_real(all, relative - mask));
    }
}

/* Up a tree whose rank 0 is the rank `first`. */
static void along(const struct tree *tree, struct reduction *all, const void *own, size_t bytes,
                  int first) {
    int size = all->group.size;
    for (int i = 0; i < tree->child_count; i++) {
        receive(all, own, bytes, (tree->children[i] + first) % size);
    }
    if (tree->parent >= 0) {
        mgen_collective_send(&all->group, summed(all, own), bytes, (tree->parent + first) % size);
    }
}

static void chain(struct reduction *all, const void *own, size_t bytes) {
    struct tree tree = mgen_collective_chain(mgen_reduction_relative(all), all->group.size);
    along(&tree, all, own, bytes, all->root);
}

static void binary(struct reduction *all, const void *own, size_t bytes) {
    struct tree tree = mgen_collective_binary(mgen_reduction_relative(all), all->group.size);
    along(&tree, all, own, bytes, all->root);
}

/* The root receives from one rank after the other, the last one first. */
static void linear(struct reduction *all, const void *own, size_t bytes) {
    if (all->group.rank != all->root) {
        mgen_collective_send(&all->group, own, bytes, all->root);
        return;
    }
    for (int from = all->group.size - 1; from >= 0; from--) {
        if (from != all->root) {
            receive(all, own, bytes, from);
        }
    }
}

/* The last rank gets the result, and passes it on to the root. */
static void in_order_binary(struct reduction *all, const void *own, size_t bytes) {
    int rank = all->group.rank;
    int last = all->group.size - 1;
    struct tree tree = mgen_collective_in_order(rank, all->group.size);
    along(&tree, all, own, bytes, 0);
    if (all->root != last && rank == last) {
        mgen_collective_send(&all->group, all->sum, bytes, all->root);
    } else if (all->root != last && rank == all->root) {
        mgen_collective_receive(&all->group, all->sum, bytes, last);
    }
}

/* Recursive halving, then a binomial gather of the blocks. */
static void rabenseifner(struct reduction *all, const void *own, size_t bytes) {
    int power = mgen_collective_power(all->group.size);
    int rank = mgen_reduction_relative(all);
    begin_sum(all, own, bytes);
    if (!mgen_reduction_fold(all, power)) {
        return;
    }
    mgen_reduction_halving(all, power);
    for (int mask = 1; mask < power; mask *= 2) {
        int is_sent = (rank & mask) != 0;
        int first = is_sent ? rank : rank + mask;
        int begin = mgen_reduction_begin_of(all, power, first);
        size_t moved = (size_t)(mgen_reduction_begin_of(all, power, first + mask) - begin);
        void *place = mgen_collective_at(all->sum, (size_t)begin * all->size);
        int peer = mgen_reduction_real(all, rank ^ mask);
        if (is_sent) {
            mgen_collective_send(&all->group, place, moved * all->size, peer);
            return;
        }
        mgen_collective_receive(&all->group, place, moved * all->size, peer);
    }
}

typedef void (*way)(struct reduction *all, const void *own, size_t bytes);

static way way_named(const char *algorithm) {
    static const struct {
        const char *name;
        way way;
    } ways[] = {{"linear", linear},
                {"chain", chain},
                {"binary", binary},
                {"in_order_binary", in_order_binary},
                {"rabenseifner", rabenseifner}};
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        if (strcmp(ways[i].name, algorithm) == 0) {
            return ways[i].way;
        }
    }
    return binomial;
}

int mgen_collective_reduce(const char *algorithm, const void *sent, void *received, int count,
                           MGEN_Datatype type, MGEN_Op op, int root, MGEN_Comm comm) {
    struct reduction all = {.group = mgen_collective_begin(COLLECTIVE_REDUCE, comm),
                            .count = count,
                            .size = mgen_type_size(type),
                            .type = type,
                            .op = op,
                            .root = root};
    size_t bytes = (size_t)count * all.size;
    mgen_collective_at_root(sent, all.group.rank, root);
    const void *own = sent == MGEN_IN_PLACE ? received : sent;
    int is_root = all.group.rank == root;
    if (is_root) {
        all.sum = received;
    }
    if (is_root && received != own) {
        mgen_collective_copy(received, own, bytes);
    }
    way_named(algorithm)(&all, own, bytes);
    mgen_collective_free(all.part);
    if (!is_root) {
        mgen_collective_free(all.sum);
    }
    return MGEN_SUCCESS;
}
