/* Reductions and sizes of types in the simulator; an MPI library has its own. */
#include "collective.h"

#ifndef MGEN_OVER_MPI

size_t mgen_type_size(MGEN_Datatype type) {
    return type < MGEN_TYPE(12, 0) ? (size_t)(type & 0xffff) : mgen_derived_size(type);
}

void mgen_combine_now(const void *from, void *into, int count, MGEN_Datatype type, MGEN_Op op) {
    if (from != NULL && into != NULL && !mgen_combine_typed(from, into, count, type, op)) {
        mgen_fail("the operator is not defined on the datatype");
    }
}

void mgen_combine(const void *from, void *into, int count, MGEN_Datatype type, MGEN_Op op) {
    if (!mgen_record_combine(from, into, count, type, op)) {
        mgen_combine_now(from, into, count, type, op);
    }
}

#endif
