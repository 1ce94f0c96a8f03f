/* Operators of reductions. */
#ifndef MPI_OPS_H
#define MPI_OPS_H

#include "mpi_state.h"

/* Fails in the call that the rank has entered if there is no such operator. */
int mgen_op_commutes(MPI_Op op);

#endif
