/* What it costs to make a communicator. In the simulator, MGEN_Comm_split takes no time; these
 * calls exchange the messages that an MPI library exchanges. Over MPI they call the library. */
#ifndef MGEN_CREATION_H
#define MGEN_CREATION_H

#include "mgen.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    const char *call;    /* comm_split, comm_create or comm_create_group */
    const char *library; /* mpich or openmpi */
    MGEN_Comm comm;
    int tag;          /* of comm_create_group; nothing else may use it */
    const int *ranks; /* of the members, in rising order */
    int count;
} MGEN_Creation;

/* Why this rank cannot do this; NULL if it can. Over MPI, `library` has to be the one in use. */
const char *MGEN_Creation_refusal(const MGEN_Creation *creation);

/* All ranks of `comm` call it; for comm_create_group, the members only. Over MPI the result is the
 * communicator, or MGEN_COMM_NULL for other ranks. In the simulator it is always MGEN_COMM_NULL. */
MGEN_Comm MGEN_Creation_run(const MGEN_Creation *creation);

#ifdef __cplusplus
}
#endif

#endif
