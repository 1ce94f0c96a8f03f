/* The personalised exchange of unequal blocks, by shifts. */
#include "collective.h"
#include <stdlib.h>

static size_t extent(const int *counts, const int *places, int size, size_t element) {
    size_t most = 0;
    for (int rank = 0; rank < size; rank++) {
        size_t end = ((size_t)places[rank] + (size_t)counts[rank]) * element;
        most = end > most ? end : most;
    }
    return most;
}

int mgen_collective_alltoallv(const void *sent, const int *sent_counts, const int *sent_places,
                              size_t sent_size, void *received, const int *received_counts,
                              const int *received_places, size_t received_size, MGEN_Comm comm) {
    struct group group = mgen_collective_begin(COLLECTIVE_ALLTOALL, comm);
    void *copied = NULL;
    if (sent == MGEN_IN_PLACE) {
        size_t bytes = extent(received_counts, received_places, group.size, received_size);
        copied = mgen_collective_scratch(received, bytes);
        mgen_collective_copy(copied, received, bytes);
        sent = copied;
        sent_counts = received_counts;
        sent_places = received_places;
        sent_size = received_size;
    }
    for (int step = 0; step < group.size; step++) {
        int to = (group.rank + step) % group.size;
        int from = (group.rank - step + group.size) % group.size;
        const void *part = mgen_collective_part(sent, (size_t)sent_places[to] * sent_size);
        void *place = mgen_collective_at(received, (size_t)received_places[from] * received_size);
        size_t sent_bytes = (size_t)sent_counts[to] * sent_size;
        size_t received_bytes = (size_t)received_counts[from] * received_size;
        mgen_collective_apart(part, place, received_bytes > 0 ? sent_bytes : 0);
        if (step == 0) {
            mgen_collective_copy(place, part, sent_bytes);
        } else {
            mgen_collective_exchange(&group, part, sent_bytes, to, place, received_bytes, from);
        }
    }
    mgen_collective_free(copied);
    return MGEN_SUCCESS;
}
