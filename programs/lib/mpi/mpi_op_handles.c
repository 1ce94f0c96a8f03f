/* Operators of reductions: those of MPI by their numbers, and those that programs make. */
#include "mpi_ops.h"

enum { FIRST_OP = 0x1000 };

struct op *mgen_own_op(MPI_Op op) {
    return op >= FIRST_OP ? mgen_table_get(&mgen_mpi()->ops, op - FIRST_OP) : NULL;
}

static const char *unknown(MPI_Op op) {
    int is_known = mgen_own_op(op) != NULL || (op >= MPI_SUM && op <= MPI_NO_OP);
    return is_known ? NULL : "it has no such operator";
}

static void fail_if(const char *why) {
    if (why != NULL) {
        mgen_fail(why);
    }
}

int mgen_op_commutes(MPI_Op op) {
    struct op *own = mgen_own_op(op);
    fail_if(unknown(op));
    return own == NULL || own->commutes;
}

const char *mgen_wrong_op(MPI_Datatype type, MPI_Op op) {
    const char *why = unknown(op);
    if (why == NULL && !mgen_op_is_defined(type, op)) {
        why = "the operator is not defined on the datatype";
    }
    return why;
}

void mgen_check_op(MPI_Datatype type, MPI_Op op) {
    fail_if(mgen_wrong_op(type, op));
}

int MPI_Op_create(MPI_User_function *function, int commutes, MPI_Op *op) {
    mgen_called(__func__);
    struct op *made = mgen_memory(sizeof *made);
    *made = (struct op){function, commutes};
    *op = FIRST_OP + mgen_table_add(&mgen_mpi()->ops, made);
    return MPI_SUCCESS;
}

int MPI_Op_free(MPI_Op *op) {
    mgen_called(__func__);
    struct op *own = mgen_own_op(*op);
    if (own == NULL) {
        return mgen_fails("MPI_Op_free", "the operator is predefined, or there is no such one");
    }
    mgen_table_remove(&mgen_mpi()->ops, *op - FIRST_OP);
    free(own);
    *op = MPI_OP_NULL;
    return MPI_SUCCESS;
}

int MPI_Op_commutative(MPI_Op op, int *commutes) {
    mgen_label("MPI_Op_commutative");
    *commutes = mgen_op_commutes(op);
    return mgen_left(MPI_SUCCESS);
}

int MPI_Reduce_local(const void *in, void *inout, int count, MPI_Datatype type, MPI_Op op) {
    mgen_label("MPI_Reduce_local");
    const struct type *known = mgen_type(type);
    mgen_data_bytes(type, count);
    mgen_check_op(type, op);
    mgen_check_buffer(in, count, known);
    mgen_check_buffer(inout, count, known);
    mgen_combine_now((const char *)in + known->true_lb, (char *)inout + known->true_lb, count, type,
                     op);
    return mgen_left(MPI_SUCCESS);
}
