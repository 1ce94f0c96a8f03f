/* Reductions to one rank. The operators are commutative. */
#include "collective.h"
#include <stdlib.h>

/* A binomial tree of ceil(log2 p) steps. A leaf sends from its own buffer. */
static void binomial(const struct group *group, const void *own, void *sum, int count,
                     MGEN_Datatype type, MGEN_Op op, int root) {
    size_t bytes = (size_t)count * mgen_type_size(type);
    int relative = (group->rank - root + group->size) % group->size;
    void *part = NULL;
    for (int mask = 1; mask < group->size; mask *= 2) {
        if (relative & mask) {
            int parent = (relative - mask + root) % group->size;
            mgen_collective_send(group, mask == 1 ? own : sum, bytes, parent);
            break;
        }
        if (relative + mask < group->size) {
            part = part == NULL ? mgen_collective_scratch(sum, bytes) : part;
            mgen_collective_receive(group, part, bytes, (relative + mask + root) % group->size);
            mgen_combine(part, sum, count, type, op);
        }
    }
    free(part);
}

int mgen_collective_reduce(const char *algorithm, const void *sent, void *received, int count,
                           MGEN_Datatype type, MGEN_Op op, int root, MGEN_Comm comm) {
    (void)algorithm;
    struct group group = mgen_collective_begin(COLLECTIVE_REDUCE, comm);
    size_t bytes = (size_t)count * mgen_type_size(type);
    int relative = (group.rank - root + group.size) % group.size;
    const void *own = sent == MGEN_IN_PLACE ? received : sent;
    /* An odd rank only sends; the root sums where the result is wanted. */
    void *made = relative == 0 || relative % 2 == 1 ? NULL : mgen_collective_scratch(own, bytes);
    void *sum = relative == 0 ? received : made;
    if (sum != own) {
        mgen_collective_copy(sum, own, bytes);
    }
    binomial(&group, own, sum, count, type, op, root);
    free(made);
    return MGEN_SUCCESS;
}
