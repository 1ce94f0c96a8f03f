/* Communicators of two groups of ranks, each of which sends to the other. */
#ifndef MPI_INTER_H
#define MPI_INTER_H

#include "mpi_calls.h"

/* An intercommunicator of the same ranks, which all call this and wait for each other. */
MPI_Comm mgen_inter_copy(MPI_Comm comm);
/* As MPI_Comm_split: of the ranks of both sides with the same color. */
MPI_Comm mgen_inter_split(MPI_Comm comm, int color, int key);
/* What a collective does between the two sides, in place of `body` among the ranks of one. Fails if
 * MPI has no such collective. */
body *mgen_inter_body(body *body);
/* The same, or NULL. */
body *mgen_between(body *body);
#define NOT_BETWEEN "intercommunicators have no such collective"

#endif
