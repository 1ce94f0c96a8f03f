/* A message in pieces: its scatter down a binomial tree, and the two ways to collect all pieces. */
#include "collective.h"

/* Pieces are as equal as whole bytes allow. */
static size_t begin_of(size_t bytes, int count, int index) {
    return bytes / (size_t)count * (size_t)index +
           bytes % (size_t)count * (size_t)index / (size_t)count;
}

int mgen_collective_rank_of(const struct members *members, int number) {
    return members->ranks != NULL ? members->ranks[number]
                                  : (number + members->root) % members->size;
}

void mgen_collective_scatter_pieces(const struct members *members, void *buffer, size_t bytes) {
    int size = members->size;
    int number = members->number;
    int mask = 1;
    while (mask < size && !(number & mask)) {
        mask *= 2;
    }
    if (number != 0) {
        int end = number + mask < size ? number + mask : size;
        size_t first = begin_of(bytes, size, number);
        mgen_collective_receive(members->group, mgen_collective_at(buffer, first),
                                begin_of(bytes, size, end) - first,
                                mgen_collective_rank_of(members, number - mask));
    }
    for (mask /= 2; mask > 0; mask /= 2) {
        int child = number + mask;
        if (child < size) {
            int end = child + mask < size ? child + mask : size;
            size_t first = begin_of(bytes, size, child);
            mgen_collective_send(members->group, mgen_collective_at(buffer, first),
                                 begin_of(bytes, size, end) - first,
                                 mgen_collective_rank_of(members, child));
        }
    }
}

void mgen_collective_double_pieces(const struct members *members, void *buffer, size_t bytes) {
    int size = members->size;
    for (int step = 1; step < size; step *= 2) {
        int own = members->number & ~(step - 1);
        int other = own ^ step;
        int partner = mgen_collective_rank_of(members, members->number ^ step);
        size_t from = begin_of(bytes, size, own);
        size_t to = begin_of(bytes, size, other);
        if (members->exchange_s > 0) {
            MGEN_Comp(members->exchange_s);
        }
        mgen_collective_exchange(members->group, mgen_collective_at(buffer, from),
                                 begin_of(bytes, size, own + step) - from, partner,
                                 mgen_collective_at(buffer, to),
                                 begin_of(bytes, size, other + step) - to, partner);
    }
}

void mgen_collective_ring_pieces(const struct members *members, void *buffer, size_t bytes) {
    int size = members->size;
    int number = members->number;
    for (int step = 1; step < size; step++) {
        int own = (number - step + 1 + size) % size;
        int other = (number - step + size) % size;
        size_t from = begin_of(bytes, size, own);
        size_t to = begin_of(bytes, size, other);
        mgen_collective_exchange(
            members->group, mgen_collective_at(buffer, from), begin_of(bytes, size, own + 1) - from,
            mgen_collective_rank_of(members, (number + 1) % size), mgen_collective_at(buffer, to),
            begin_of(bytes, size, other + 1) - to,
            mgen_collective_rank_of(members, (number + size - 1) % size));
    }
}

size_t mgen_collective_piece(size_t bytes, int count, int index, size_t *first) {
    *first = begin_of(bytes, count, index);
    return begin_of(bytes, count, index + 1) - *first;
}
