/* Operators of reductions. */
#ifndef MPI_OPS_H
#define MPI_OPS_H

#include "mpi_state.h"

/* An operator that a program has made; NULL if it has made no such one. */
struct op {
    MPI_User_function *function;
    int commutes;
};
struct op *mgen_own_op(MPI_Op op);
/* Fails in the call that the rank has entered if there is no such operator. */
int mgen_op_commutes(MPI_Op op);
/* Fails in the call that the rank has entered if MPI does not define the operator on the type. */
void mgen_check_op(MPI_Datatype type, MPI_Op op);
/* Why it would fail; NULL if it would not. */
const char *mgen_wrong_op(MPI_Datatype type, MPI_Op op);
int mgen_op_is_defined(MPI_Datatype type, MPI_Op op);
/* Combines dense elements of a predefined type, at once. */
void mgen_combine_dense(const char *from, char *into, size_t bytes, MPI_Datatype basic, MPI_Op op);

#endif
