/* Gathering to all ranks. */
#include "collective.h"
#include <stdlib.h>
#include <string.h>

/* p - 1 steps: a rank passes the block that it got last to the next rank. */
static void ring(const struct group *group, void *received, size_t bytes) {
    int size = group->size;
    int rank = group->rank;
    for (int step = 0; step < size - 1; step++) {
        size_t sent = (size_t)((rank - step + size) % size);
        size_t taken = (size_t)((rank - step - 1 + size) % size);
        mgen_collective_exchange(group, mgen_collective_part(received, sent * bytes), bytes,
                                 (rank + 1) % size, mgen_collective_at(received, taken * bytes),
                                 bytes, (rank - 1 + size) % size);
    }
}

/* log2 p steps, each of which doubles what a rank holds. The number of ranks is a power of two. */
static void recursive_doubling(const struct group *group, void *received, size_t bytes) {
    for (int mask = 1; mask < group->size; mask *= 2) {
        int peer = group->rank ^ mask;
        size_t own = (size_t)(group->rank & ~(mask - 1)) * bytes;
        size_t other = (size_t)(peer & ~(mask - 1)) * bytes;
        mgen_collective_exchange(group, mgen_collective_part(received, own), bytes * (size_t)mask,
                                 peer, mgen_collective_at(received, other), bytes * (size_t)mask,
                                 peer);
    }
}

/* ceil(log2 p) steps for any p. Each rank holds its blocks in an order that begins with its own. */
static void bruck(const struct group *group, void *received, size_t bytes) {
    int size = group->size;
    int rank = group->rank;
    char *blocks = mgen_collective_scratch(received, bytes * (size_t)size);
    mgen_collective_copy(blocks, mgen_collective_part(received, bytes * (size_t)rank), bytes);
    for (int held = 1; held < size; held *= 2) {
        int moved = held < size - held ? held : size - held;
        mgen_collective_exchange(group, blocks, bytes * (size_t)moved, (rank - held + size) % size,
                                 mgen_collective_at(blocks, bytes * (size_t)held),
                                 bytes * (size_t)moved, (rank + held) % size);
    }
    size_t last = bytes * (size_t)(size - rank);
    mgen_collective_copy(mgen_collective_at(received, bytes * (size_t)rank), blocks, last);
    mgen_collective_copy(received, mgen_collective_part(blocks, last), bytes * (size_t)rank);
    mgen_collective_free(blocks);
}

/* p / 2 steps for even p: first the own block with one neighbour, then in turn with the other and
 * the first one the two blocks that came last. A pair of ranks holds the same blocks after each
 * step. */
static void neighbor_exchange(const struct group *group, void *received, size_t bytes) {
    int size = group->size;
    int rank = group->rank;
    int pair = rank & ~1;
    /* An even rank gets the pairs above its own from the rank before, the pairs below from the
     * next. */
    int forward = rank % 2 == 0 ? 1 : -1;
    int next = (rank + forward + size) % size;
    int previous = (rank - forward + size) % size;
    mgen_collective_exchange(group, mgen_collective_part(received, bytes * (size_t)rank), bytes,
                             next, mgen_collective_at(received, bytes * (size_t)next), bytes, next);
    int sent = pair;
    for (int step = 1; step < size / 2; step++) {
        int away = step % 2 == 1 ? -(step + 1) : step;
        int taken = (pair + forward * away + 2 * size) % size;
        int peer = step % 2 == 1 ? previous : next;
        mgen_collective_exchange(
            group, mgen_collective_part(received, bytes * (size_t)sent), 2 * bytes, peer,
            mgen_collective_at(received, bytes * (size_t)taken), 2 * bytes, peer);
        sent = taken;
    }
}

int mgen_collective_allgather(const char *algorithm, const void *sent, void *received, size_t bytes,
                              MGEN_Comm comm) {
    struct group group = mgen_collective_begin(COLLECTIVE_ALLGATHER, comm);
    int is_power = mgen_collective_power(group.size) == group.size;
    if (sent != MGEN_IN_PLACE) {
        mgen_collective_copy(mgen_collective_at(received, bytes * (size_t)group.rank), sent, bytes);
    }
    if (strcmp(algorithm, "recursive_doubling") == 0 && is_power) {
        recursive_doubling(&group, received, bytes);
    } else if (strcmp(algorithm, "recursive_doubling") == 0 || strcmp(algorithm, "bruck") == 0) {
        bruck(&group, received, bytes);
    } else if (strcmp(algorithm, "neighbor_exchange") == 0 && group.size % 2 == 0) {
        neighbor_exchange(&group, received, bytes);
    } else {
        ring(&group, received, bytes);
    }
    return MGEN_SUCCESS;
}
