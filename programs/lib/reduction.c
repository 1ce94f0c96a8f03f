/* Reductions by parts. */
#include "reduction.h"

int mgen_reduction_begin_of(const struct reduction *all, int blocks, int index) {
    long count = all->count;
    return (int)(count / blocks * index + count % blocks * index / blocks);
}

int mgen_reduction_relative(const struct reduction *all) {
    return (all->group.rank - all->root + all->group.size) % all->group.size;
}

int mgen_reduction_real(const struct reduction *all, int relative) {
    return (relative + all->root) % all->group.size;
}

void mgen_reduction_combine(const struct reduction *all, int first, int end) {
    mgen_combine(all->part, mgen_collective_at(all->sum, (size_t)first * all->size), end - first,
                 all->type, all->op);
}

void mgen_reduction_exchange(const struct reduction *all, int first, int end, int dest, int from,
                             int until, int source, int is_combined) {
    size_t size = all->size;
    void *place = is_combined ? all->part : mgen_collective_at(all->sum, (size_t)from * size);
    mgen_collective_exchange(&all->group, mgen_collective_at(all->sum, (size_t)first * size),
                             (size_t)(end - first) * size, mgen_reduction_real(all, dest), place,
                             (size_t)(until - from) * size, mgen_reduction_real(all, source));
    if (is_combined) {
        mgen_reduction_combine(all, from, until);
    }
}

void mgen_reduction_halving(const struct reduction *all, int power) {
    int rank = mgen_reduction_relative(all);
    for (int mask = power / 2; mask > 0; mask /= 2) {
        int base = rank & ~(mask - 1);
        int other = base ^ mask;
        mgen_reduction_exchange(all, mgen_reduction_begin_of(all, power, other),
                                mgen_reduction_begin_of(all, power, other + mask), rank ^ mask,
                                mgen_reduction_begin_of(all, power, base),
                                mgen_reduction_begin_of(all, power, base + mask), rank ^ mask, 1);
    }
}

int mgen_reduction_fold(const struct reduction *all, int power) {
    int rank = mgen_reduction_relative(all);
    size_t bytes = (size_t)all->count * all->size;
    if (rank >= power) {
        mgen_collective_send(&all->group, all->sum, bytes, mgen_reduction_real(all, rank - power));
        return 0;
    }
    if (rank < all->group.size - power) {
        mgen_collective_receive(&all->group, all->part, bytes,
                                mgen_reduction_real(all, rank + power));
        mgen_reduction_combine(all, 0, all->count);
    }
    return 1;
}
