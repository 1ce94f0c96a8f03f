/* Reductions to all ranks. The operators are commutative. */
#include "collective.h"
#include <stdlib.h>
#include <string.h>

/* One allreduce in progress. `sum` holds this rank's part of the result, `part` what it receives.
 */
struct reduction {
    struct group group;
    char *sum;
    char *part;
    int count;
    size_t size;
    MGEN_Datatype type;
    MGEN_Op op;
};

/* Where block `index` of `blocks` begins, in elements. */
static int begin_of(const struct reduction *all, int blocks, int index) {
    long count = all->count;
    return (int)(count / blocks * index + count % blocks * index / blocks);
}

static void combine(const struct reduction *all, int first, int end) {
    mgen_combine(all->part, mgen_collective_at(all->sum, (size_t)first * all->size), end - first,
                 all->type, all->op);
}

/* Sends the elements [first, end) to `dest`, and receives the elements [from, until) from `source`:
 * into `part` if they are to be combined, else to their place. */
static void exchange(const struct reduction *all, int first, int end, int dest, int from, int until,
                     int source, int is_combined) {
    size_t size = all->size;
    void *place = is_combined ? all->part : mgen_collective_at(all->sum, (size_t)from * size);
    mgen_collective_exchange(&all->group, mgen_collective_at(all->sum, (size_t)first * size),
                             (size_t)(end - first) * size, dest, place,
                             (size_t)(until - from) * size, source);
    if (is_combined) {
        combine(all, from, until);
    }
}

static void doubling_steps(const struct reduction *all, int power) {
    for (int mask = 1; mask < power; mask *= 2) {
        int peer = all->group.rank ^ mask;
        exchange(all, 0, all->count, peer, 0, all->count, peer, 1);
    }
}

/* Reduce-scatter by recursive halving, allgather by recursive doubling. */
static void rabenseifner_steps(const struct reduction *all, int power) {
    int rank = all->group.rank;
    for (int mask = power / 2; mask > 0; mask /= 2) {
        int base = rank & ~(mask - 1);
        int other = base ^ mask;
        exchange(all, begin_of(all, power, other), begin_of(all, power, other + mask), rank ^ mask,
                 begin_of(all, power, base), begin_of(all, power, base + mask), rank ^ mask, 1);
    }
    for (int mask = 1; mask < power; mask *= 2) {
        int base = rank & ~(mask - 1);
        int other = base ^ mask;
        exchange(all, begin_of(all, power, base), begin_of(all, power, base + mask), rank ^ mask,
                 begin_of(all, power, other), begin_of(all, power, other + mask), rank ^ mask, 0);
    }
}

/* Ranks above the largest power of two send their values before, and get the result after. */
static void folded(const struct reduction *all, void (*steps)(const struct reduction *, int)) {
    const struct group *group = &all->group;
    int power = mgen_collective_power(group->size);
    size_t bytes = (size_t)all->count * all->size;
    if (group->rank >= power) {
        mgen_collective_send(group, all->sum, bytes, group->rank - power);
        mgen_collective_receive(group, all->sum, bytes, group->rank - power);
        return;
    }
    int has_guest = group->rank < group->size - power;
    if (has_guest) {
        mgen_collective_receive(group, all->part, bytes, group->rank + power);
        combine(all, 0, all->count);
    }
    steps(all, power);
    if (has_guest) {
        mgen_collective_send(group, all->sum, bytes, group->rank + power);
    }
}

/* Reduce-scatter and allgather round a ring: 2(p - 1) steps, each with a p-th of the elements. */
static void ring(const struct reduction *all) {
    int size = all->group.size;
    int rank = all->group.rank;
    int next = (rank + 1) % size;
    int previous = (rank - 1 + size) % size;
    for (int step = 0; step < 2 * (size - 1); step++) {
        int sent = (rank - step + 2 * size) % size;
        int taken = (rank - step - 1 + 2 * size) % size;
        exchange(all, begin_of(all, size, sent), begin_of(all, size, sent + 1), next,
                 begin_of(all, size, taken), begin_of(all, size, taken + 1), previous,
                 step < size - 1);
    }
}

int mgen_collective_allreduce(const char *algorithm, const void *sent, void *received, int count,
                              MGEN_Datatype type, MGEN_Op op, MGEN_Comm comm) {
    if (strcmp(algorithm, "reduce_bcast") == 0) {
        int rank = 0;
        MGEN_Comm_rank(comm, &rank);
        /* Only the root may reduce in place. */
        const void *own = sent == MGEN_IN_PLACE && rank != 0 ? received : sent;
        mgen_collective_reduce("binomial", own, received, count, type, op, 0, comm);
        size_t bytes = (size_t)count * mgen_type_size(type);
        return mgen_collective_bcast("binomial", received, bytes, 0, comm);
    }
    struct reduction all = {.group = mgen_collective_begin(COLLECTIVE_ALLREDUCE, comm),
                            .sum = received,
                            .count = count,
                            .size = mgen_type_size(type),
                            .type = type,
                            .op = op};
    size_t bytes = (size_t)count * all.size;
    if (sent != MGEN_IN_PLACE) {
        mgen_collective_copy(received, sent, bytes);
    }
    all.part = all.group.size > 1 ? mgen_collective_scratch(received, bytes) : NULL;
    if (strcmp(algorithm, "ring") == 0) {
        ring(&all);
    } else {
        folded(&all, strcmp(algorithm, "rabenseifner") == 0 ? rabenseifner_steps : doubling_steps);
    }
    free(all.part);
    return MGEN_SUCCESS;
}
