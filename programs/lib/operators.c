/* Reduction operators and sizes of types in the simulator; an MPI library has its own. */
#include "collective.h"

#ifndef MGEN_OVER_MPI

size_t mgen_type_size(MGEN_Datatype type) {
    return type < MGEN_TYPE(12, 0) ? (size_t)(type & 0xffff) : mgen_derived_size(type);
}

/* One loop for each type and operator, so that the compiler can vectorise it. */
#define LOOP(expression)                                                                           \
    for (int i = 0; i < count; i++) {                                                              \
        into[i] = expression;                                                                      \
    }                                                                                              \
    return 1

#define ORDERED_OPERATORS                                                                          \
    case MGEN_SUM:                                                                                 \
        LOOP(from[i] + into[i]);                                                                   \
    case MGEN_PROD:                                                                                \
        LOOP(from[i] * into[i]);                                                                   \
    case MGEN_MAX:                                                                                 \
        LOOP(from[i] > into[i] ? from[i] : into[i]);                                               \
    case MGEN_MIN:                                                                                 \
        LOOP(from[i] < into[i] ? from[i] : into[i]);                                               \
    case MGEN_LAND:                                                                                \
        LOOP(from[i] && into[i]);                                                                  \
    case MGEN_LOR:                                                                                 \
        LOOP(from[i] || into[i])

#define BIT_OPERATORS                                                                              \
    case MGEN_BAND:                                                                                \
        LOOP(from[i] & into[i]);                                                                   \
    case MGEN_BOR:                                                                                 \
        LOOP(from[i] | into[i])

/* Functions `combine_<name>`. They return 1, or 0 if the type does not have the operator. */
#define COMBINE(name, element, operators)                                                          \
    static int combine_##name(const void *from_, void *into_, int count, MGEN_Op op) {             \
        const element *from = from_;                                                               \
        element *into = into_;                                                                     \
        switch (op) {                                                                              \
            operators;                                                                             \
        default:                                                                                   \
            return 0;                                                                              \
        }                                                                                          \
    }

#define WHOLE_OPERATORS                                                                            \
    ORDERED_OPERATORS;                                                                             \
    BIT_OPERATORS

COMBINE(char, char, WHOLE_OPERATORS)
COMBINE(unsigned_char, unsigned char, WHOLE_OPERATORS)
COMBINE(short, short, WHOLE_OPERATORS)
COMBINE(int, int, WHOLE_OPERATORS)
COMBINE(long, long, WHOLE_OPERATORS)
COMBINE(long_long, long long, WHOLE_OPERATORS)
COMBINE(unsigned, unsigned, WHOLE_OPERATORS)
COMBINE(unsigned_long, unsigned long, WHOLE_OPERATORS)
COMBINE(float, float, ORDERED_OPERATORS)
COMBINE(double, double, ORDERED_OPERATORS)
COMBINE(byte, unsigned char, BIT_OPERATORS)

static int combine_any(const void *from, void *into, int count, MGEN_Datatype type, MGEN_Op op) {
    switch (type) {
    case MGEN_BYTE:
        return combine_byte(from, into, count, op);
    case MGEN_CHAR:
        return combine_char(from, into, count, op);
    case MGEN_SHORT:
        return combine_short(from, into, count, op);
    case MGEN_INT:
        return combine_int(from, into, count, op);
    case MGEN_LONG:
        return combine_long(from, into, count, op);
    case MGEN_LONG_LONG:
        return combine_long_long(from, into, count, op);
    case MGEN_UNSIGNED_CHAR:
        return combine_unsigned_char(from, into, count, op);
    case MGEN_UNSIGNED:
        return combine_unsigned(from, into, count, op);
    case MGEN_UNSIGNED_LONG:
        return combine_unsigned_long(from, into, count, op);
    case MGEN_FLOAT:
        return combine_float(from, into, count, op);
    case MGEN_DOUBLE:
        return combine_double(from, into, count, op);
    default:
        return 0;
    }
}

void mgen_combine_now(const void *from, void *into, int count, MGEN_Datatype type, MGEN_Op op) {
    if (from != NULL && into != NULL && !combine_any(from, into, count, type, op) &&
        !mgen_combine_mpi(from, into, count, type, op)) {
        mgen_fail("the operator is not defined on the datatype");
    }
}

void mgen_combine(const void *from, void *into, int count, MGEN_Datatype type, MGEN_Op op) {
    if (!mgen_record_combine(from, into, count, type, op)) {
        mgen_combine_now(from, into, count, type, op);
    }
}

#endif
