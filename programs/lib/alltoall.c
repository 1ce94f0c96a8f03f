/* The personalised exchange. */
#include "collective.h"
#include <stdlib.h>
#include <string.h>

/* MPIR_CVAR_ALLTOALL_THROTTLE of MPICH. */
enum { SCATTERED_STEPS = 32 };

/* One exchange in progress; `bytes` is what one rank sends to one other. */
struct personal {
    struct group group;
    const void *sent;
    void *received;
    size_t bytes;
};

static void step_to(const struct personal *all, int to, int from) {
    mgen_collective_exchange(
        &all->group, mgen_collective_part(all->sent, (size_t)to * all->bytes), all->bytes, to,
        mgen_collective_at(all->received, (size_t)from * all->bytes), all->bytes, from);
}

/* p - 1 steps: with rank XOR step if the number of ranks is a power of two. */
static void pairwise(const struct personal *all, int is_shifted) {
    int size = all->group.size;
    int rank = all->group.rank;
    for (int step = 1; step < size; step++) {
        step_to(all, is_shifted ? (rank + step) % size : rank ^ step,
                is_shifted ? (rank - step + size) % size : rank ^ step);
    }
}

/* Steps in groups, each of them all at once: `most` steps, one fewer in the first group. */
static void scattered(const struct personal *all, int most) {
    const struct group *group = &all->group;
    int size = group->size;
    struct batch batch = mgen_collective_batch(2 * (most < size ? most : size));
    for (int first = 0; first < size; first += most) {
        int end = size - first < most ? size : first + most;
        for (int step = first > 0 ? first : 1; step < end; step++) {
            int from = (group->rank - step + size) % size;
            void *place = mgen_collective_at(all->received, (size_t)from * all->bytes);
            mgen_collective_start_receive(group, &batch, place, all->bytes, from);
        }
        for (int step = first > 0 ? first : 1; step < end; step++) {
            int to = (group->rank + step) % size;
            const void *part = mgen_collective_part(all->sent, (size_t)to * all->bytes);
            mgen_collective_start_send(group, &batch, part, all->bytes, to);
        }
        mgen_collective_wait(&batch);
    }
    mgen_collective_finish(&batch);
}

/* Copies the blocks whose number has the bit `step` between `blocks` and `packed`. Returns their
 * number. */
static size_t pack(char *blocks, char *packed, size_t bytes, int size, int step, int is_back) {
    size_t count = 0;
    for (int block = step; block < size; block++) {
        if (block & step) {
            void *one = mgen_collective_at(blocks, (size_t)block * bytes);
            void *place = mgen_collective_at(packed, count * bytes);
            mgen_collective_copy(is_back ? one : place, is_back ? place : one, bytes);
            count++;
        }
    }
    return count;
}

/* How many numbers below `size` have the bit `step`. */
static size_t with_bit(int size, int step) {
    int rest = size % (2 * step);
    return (size_t)(size / (2 * step) * step + (rest > step ? rest - step : 0));
}

/* Bruck: ceil(log2 p) steps, each with about half of all blocks, packed. */
static void bruck(const struct personal *all) {
    int size = all->group.size;
    int rank = all->group.rank;
    size_t bytes = all->bytes;
    char *blocks = mgen_collective_scratch(all->received, bytes * (size_t)size);
    char *out = mgen_collective_scratch(all->received, bytes * (size_t)size);
    char *in = mgen_collective_scratch(all->received, bytes * (size_t)size);
    size_t first = bytes * (size_t)(size - rank);
    mgen_collective_copy(blocks, mgen_collective_part(all->sent, bytes * (size_t)rank), first);
    mgen_collective_copy(mgen_collective_at(blocks, first), all->sent, bytes * (size_t)rank);
    for (int step = 1; step < size; step *= 2) {
        size_t moved = with_bit(size, step) * bytes;
        if (blocks != NULL) {
            pack(blocks, out, bytes, size, step, 0);
        }
        mgen_collective_exchange(&all->group, out, moved, (rank + step) % size, in, moved,
                                 (rank - step + size) % size);
        if (blocks != NULL) {
            pack(blocks, in, bytes, size, step, 1);
        }
    }
    for (int block = 0; block < size; block++) {
        size_t from = (size_t)((rank - block + size) % size);
        mgen_collective_copy(mgen_collective_at(all->received, from * bytes),
                             mgen_collective_part(blocks, (size_t)block * bytes), bytes);
    }
    mgen_collective_free(in);
    mgen_collective_free(out);
    mgen_collective_free(blocks);
}

int mgen_collective_alltoall(const char *algorithm, const void *sent, void *received, size_t bytes,
                             MGEN_Comm comm) {
    struct personal all = {.group = mgen_collective_begin(COLLECTIVE_ALLTOALL, comm),
                           .sent = sent,
                           .received = received,
                           .bytes = bytes};
    size_t whole = bytes * (size_t)all.group.size;
    size_t own = bytes * (size_t)all.group.rank;
    void *copied = NULL;
    /* In place, the copy of what is sent may be made later: the own block stays where it is. */
    const void *from = sent == MGEN_IN_PLACE ? received : sent;
    MGEN_Copy(mgen_collective_at(received, own), mgen_collective_part(from, own), bytes);
    if (sent == MGEN_IN_PLACE) {
        all.sent = copied = mgen_collective_scratch(received, whole);
        mgen_collective_copy(copied, received, whole);
    }
    int is_power = mgen_collective_power(all.group.size) == all.group.size;
    if (strcmp(algorithm, "bruck") == 0) {
        bruck(&all);
    } else if (strcmp(algorithm, "linear") == 0) {
        scattered(&all, all.group.size);
    } else if (strcmp(algorithm, "scattered") == 0) {
        scattered(&all, SCATTERED_STEPS);
    } else {
        pairwise(&all, strcmp(algorithm, "ring") == 0 || !is_power);
    }
    mgen_collective_free(copied);
    return MGEN_SUCCESS;
}
