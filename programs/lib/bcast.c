/* Broadcasts. Ranks are counted from the root. */
#include "collective.h"
#include <string.h>

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

/* Where block `index` of `count` begins. Blocks are as equal as whole bytes allow. */
static size_t begin_of(size_t bytes, int count, int index) {
    return bytes / (size_t)count * (size_t)index +
           bytes % (size_t)count * (size_t)index / (size_t)count;
}

/* Van de Geijn: a binomial scatter of p blocks, then their allgather, by recursive doubling if the
 * number of ranks is a power of two, else round a ring. */
static void scatter_allgather(const struct group *group, void *buffer, size_t bytes, int root) {
    int size = group->size;
    int relative = (group->rank - root + size) % size;
    int mask = 1;
    while (mask < size && !(relative & mask)) {
        mask *= 2;
    }
    if (relative != 0) {
        int end = relative + mask < size ? relative + mask : size;
        size_t first = begin_of(bytes, size, relative);
        mgen_collective_receive(group, mgen_collective_at(buffer, first),
                                begin_of(bytes, size, end) - first,
                                real_rank(group, root, relative - mask));
    }
    for (mask /= 2; mask > 0; mask /= 2) {
        int child = relative + mask;
        if (child < size) {
            int end = child + mask < size ? child + mask : size;
            size_t first = begin_of(bytes, size, child);
            mgen_collective_send(group, mgen_collective_at(buffer, first),
                                 begin_of(bytes, size, end) - first, real_rank(group, root, child));
        }
    }
    int doubling = mgen_collective_power(size) == size;
    for (int step = 1; step < size; step = doubling ? 2 * step : step + 1) {
        int width = doubling ? step : 1;
        int own = doubling ? relative & ~(step - 1) : (relative - step + 1 + size) % size;
        int other = doubling ? own ^ step : (relative - step + size) % size;
        size_t from = begin_of(bytes, size, own);
        size_t to = begin_of(bytes, size, other);
        mgen_collective_exchange(
            group, mgen_collective_at(buffer, from), begin_of(bytes, size, own + width) - from,
            real_rank(group, root, doubling ? relative ^ step : relative + 1),
            mgen_collective_at(buffer, to), begin_of(bytes, size, other + width) - to,
            real_rank(group, root, doubling ? relative ^ step : relative + size - 1));
    }
}

int mgen_collective_bcast(const char *algorithm, void *buffer, size_t bytes, int root,
                          MGEN_Comm comm) {
    struct group group = mgen_collective_begin(COLLECTIVE_BCAST, comm);
    if (strcmp(algorithm, "scatter_allgather") == 0) {
        scatter_allgather(&group, buffer, bytes, root);
    } else {
        binomial(&group, buffer, bytes, root);
    }
    return MGEN_SUCCESS;
}
