/* The personalised exchange of unequal blocks, by shifts. */
#include "collective.h"
#include <stdlib.h>

/* A copy of all blocks, one behind the other: between them may lie any space. `offsets` are those
 * of the blocks in the copy. */
static void *packed(const void *blocks, const int *counts, const int *places, int size,
                    size_t element, size_t *offsets) {
    size_t bytes = 0;
    for (int rank = 0; rank < size; rank++) {
        offsets[rank] = bytes;
        bytes += (size_t)counts[rank] * element;
    }
    void *copy = mgen_collective_scratch(blocks, bytes);
    for (int rank = 0; rank < size; rank++) {
        mgen_collective_copy(mgen_collective_at(copy, offsets[rank]),
                             mgen_collective_part(blocks, (size_t)places[rank] * element),
                             (size_t)counts[rank] * element);
    }
    return copy;
}

int mgen_collective_alltoallv(const void *sent, const int *sent_counts, const int *sent_places,
                              size_t sent_size, void *received, const int *received_counts,
                              const int *received_places, size_t received_size, MGEN_Comm comm) {
    struct group group = mgen_collective_begin(COLLECTIVE_ALLTOALL, comm);
    void *copied = NULL;
    size_t *offsets = calloc((size_t)group.size, sizeof *offsets);
    if (offsets == NULL) {
        mgen_fail("the collective has no memory for its blocks");
    }
    if (sent == MGEN_IN_PLACE) {
        copied =
            packed(received, received_counts, received_places, group.size, received_size, offsets);
        sent = copied;
        sent_counts = received_counts;
        sent_size = received_size;
    } else {
        for (int rank = 0; rank < group.size; rank++) {
            offsets[rank] = (size_t)sent_places[rank] * sent_size;
        }
    }
    for (int step = 0; step < group.size; step++) {
        int to = (group.rank + step) % group.size;
        int from = (group.rank - step + group.size) % group.size;
        const void *part = mgen_collective_part(sent, offsets[to]);
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
    free(offsets);
    mgen_collective_free(copied);
    return MGEN_SUCCESS;
}
