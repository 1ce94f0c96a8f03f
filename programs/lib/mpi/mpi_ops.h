/* Operators of reductions. */
#ifndef MPI_OPS_H
#define MPI_OPS_H

#include "mpi_state.h"

/* Fails in the call that the rank has entered if there is no such operator. */
int mgen_op_commutes(MPI_Op op);
/* Combines dense elements of a predefined type, at once. */
void mgen_combine_dense(const char *from, char *into, size_t bytes, MPI_Datatype basic, MPI_Op op);

#endif
