/* Tags of messages. */
#ifndef MPI_TAGS_H
#define MPI_TAGS_H

#include "mpi_state.h"

/* MGEN_TAG_UB is the largest int. */
static inline int mgen_is_wrong_tag(int tag) {
    return tag < 0;
}
/* The same of a receive or a probe. */
static inline int mgen_is_wrong_wish(int tag) {
    return mgen_is_wrong_tag(tag) && tag != MPI_ANY_TAG;
}
/* Says so as the handler of the communicator says, and returns what the call returns. */
int mgen_wrong_tag(const char *call, MPI_Comm comm, int tag);

#endif
