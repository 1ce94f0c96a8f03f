/* Barriers of empty messages. */
#include "collective.h"
#include <string.h>

static void pass(const struct group *group, int dest, int source) {
    mgen_collective_exchange(group, NULL, 0, dest, NULL, 0, source);
}

/* ceil(log2 p) steps: in step k to rank + 2^k. */
static void dissemination(const struct group *group) {
    int size = group->size;
    for (int distance = 1; distance < size; distance *= 2) {
        pass(group, (group->rank + distance) % size, (group->rank - distance + size) % size);
    }
}

/* p - 1 steps, each to the next rank. */
static void ring(const struct group *group) {
    int size = group->size;
    for (int step = 1; step < size; step++) {
        pass(group, (group->rank + 1) % size, (group->rank - 1 + size) % size);
    }
}

/* Ranks above the largest power of two send to a partner before, and receive from it after. */
static void recursive_doubling(const struct group *group) {
    int power = mgen_collective_power(group->size);
    int rank = group->rank;
    if (rank >= power) {
        mgen_collective_send(group, NULL, 0, rank - power);
        mgen_collective_receive(group, NULL, 0, rank - power);
        return;
    }
    int has_guest = rank < group->size - power;
    if (has_guest) {
        mgen_collective_receive(group, NULL, 0, rank + power);
    }
    for (int mask = 1; mask < power; mask *= 2) {
        pass(group, rank ^ mask, rank ^ mask);
    }
    if (has_guest) {
        mgen_collective_send(group, NULL, 0, rank + power);
    }
}

/* A binomial tree: up to rank 0, and down again. */
static void tree(const struct group *group) {
    int rank = group->rank;
    int mask = 1;
    for (; mask < group->size && !(rank & mask); mask *= 2) {
        if (rank + mask < group->size) {
            mgen_collective_receive(group, NULL, 0, rank + mask);
        }
    }
    if (rank != 0) {
        mgen_collective_send(group, NULL, 0, rank - mask);
        mgen_collective_receive(group, NULL, 0, rank - mask);
    }
    for (mask /= 2; mask > 0; mask /= 2) {
        if (rank + mask < group->size) {
            mgen_collective_send(group, NULL, 0, rank + mask);
        }
    }
}

/* All to rank 0, and back. */
static void linear(const struct group *group) {
    if (group->rank != 0) {
        mgen_collective_send(group, NULL, 0, 0);
        mgen_collective_receive(group, NULL, 0, 0);
        return;
    }
    struct batch batch = mgen_collective_batch(group->size);
    for (int from = 1; from < group->size; from++) {
        mgen_collective_start_receive(group, &batch, NULL, 0, from);
    }
    mgen_collective_wait(&batch);
    for (int to = 1; to < group->size; to++) {
        mgen_collective_start_send(group, &batch, NULL, 0, to);
    }
    mgen_collective_finish(&batch);
}

int mgen_collective_barrier(const char *algorithm, MGEN_Comm comm) {
    struct group group = mgen_collective_begin(COLLECTIVE_BARRIER, comm);
    if (strcmp(algorithm, "ring") == 0) {
        ring(&group);
    } else if (strcmp(algorithm, "recursive_doubling") == 0) {
        recursive_doubling(&group);
    } else if (strcmp(algorithm, "tree") == 0) {
        tree(&group);
    } else if (strcmp(algorithm, "linear") == 0) {
        linear(&group);
    } else {
        dissemination(&group);
    }
    return MGEN_SUCCESS;
}
