/* Reductions to all ranks. The operators are commutative. */
#include "reduction.h"
#include <stdlib.h>
#include <string.h>

static void doubling_steps(const struct reduction *all, int power) {
    for (int mask = 1; mask < power; mask *= 2) {
        int peer = all->group.rank ^ mask;
        mgen_reduction_exchange(all, 0, all->count, peer, 0, all->count, peer, 1);
    }
}

/* Reduce-scatter by recursive halving, allgather by recursive doubling. */
static void rabenseifner_steps(const struct reduction *all, int power) {
    int rank = all->group.rank;
    mgen_reduction_halving(all, power);
    for (int mask = 1; mask < power; mask *= 2) {
        int base = rank & ~(mask - 1);
        int other = base ^ mask;
        mgen_reduction_exchange(all, mgen_reduction_begin_of(all, power, base),
                                mgen_reduction_begin_of(all, power, base + mask), rank ^ mask,
                                mgen_reduction_begin_of(all, power, other),
                                mgen_reduction_begin_of(all, power, other + mask), rank ^ mask, 0);
    }
}

/* Ranks above the largest power of two send their values before, and get the result after. */
static void folded(const struct reduction *all, void (*steps)(const struct reduction *, int)) {
    const struct group *group = &all->group;
    int power = mgen_collective_power(group->size);
    size_t bytes = (size_t)all->count * all->size;
    if (!mgen_reduction_fold(all, power)) {
        mgen_collective_receive(group, all->sum, bytes, group->rank - power);
        return;
    }
    steps(all, power);
    if (group->rank < group->size - power) {
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
        mgen_reduction_exchange(all, mgen_reduction_begin_of(all, size, sent),
                                mgen_reduction_begin_of(all, size, sent + 1), next,
                                mgen_reduction_begin_of(all, size, taken),
                                mgen_reduction_begin_of(all, size, taken + 1), previous,
                                step < size - 1);
    }
}

/* `algorithms` is "a+b": a reduces to rank 0, then b broadcasts. */
static int in_two(const char *algorithms, const void *sent, void *received, int count,
                  MGEN_Datatype type, MGEN_Op op, MGEN_Comm comm) {
    char reduce[CHOICE_SIZE] = "";
    size_t length = strcspn(algorithms, "+");
    memcpy(reduce, algorithms, length < sizeof reduce ? length : sizeof reduce - 1);
    int rank = 0;
    MGEN_Comm_rank(comm, &rank);
    /* Only the root may reduce in place. */
    const void *own = sent == MGEN_IN_PLACE && rank != 0 ? received : sent;
    mgen_collective_reduce(reduce, own, received, count, type, op, 0, comm);
    size_t bytes = (size_t)count * mgen_type_size(type);
    return mgen_collective_bcast(algorithms + length + 1, received, bytes, 0, comm);
}

int mgen_collective_allreduce(const char *algorithm, const void *sent, void *received, int count,
                              MGEN_Datatype type, MGEN_Op op, MGEN_Comm comm) {
    if (strcmp(algorithm, "reduce_bcast") == 0) {
        return in_two("binomial+binomial", sent, received, count, type, op, comm);
    }
    if (strcmp(algorithm, "linear") == 0) {
        return in_two("linear+linear", sent, received, count, type, op, comm);
    }
    if (strchr(algorithm, '+') != NULL) {
        return in_two(algorithm, sent, received, count, type, op, comm);
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
    mgen_collective_free(all.part);
    return MGEN_SUCCESS;
}
