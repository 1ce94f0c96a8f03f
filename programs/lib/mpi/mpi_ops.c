/* Operators of reductions: those of mgen.h and of MPI, and those that programs make. */
#include "mpi_ops.h"
#include <complex.h>

enum { FIRST_OP = 0x1000 };

struct op {
    MPI_User_function *function;
    int commutes;
};

static struct op *own_op(MPI_Op op) {
    return op >= FIRST_OP ? mgen_table_get(&mgen_mpi()->ops, op - FIRST_OP) : NULL;
}

int mgen_op_commutes(MPI_Op op) {
    struct op *own = own_op(op);
    if (own == NULL && (op < MPI_SUM || op > MPI_NO_OP)) {
        mgen_fail("it has no such operator");
    }
    return own == NULL || own->commutes;
}

int MPI_Op_create(MPI_User_function *function, int commutes, MPI_Op *op) {
    struct op *made = mgen_memory(sizeof *made);
    *made = (struct op){function, commutes};
    *op = FIRST_OP + mgen_table_add(&mgen_mpi()->ops, made);
    return MPI_SUCCESS;
}

int MPI_Op_free(MPI_Op *op) {
    struct op *own = own_op(*op);
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
    mgen_data_bytes(type, count);
    mgen_combine_now(in, inout, count, type, op);
    return mgen_left(MPI_SUCCESS);
}

/* One loop for each type and operator, so that the compiler can vectorise it. */
#define EACH(expression)                                                                           \
    for (int i = 0; i < count; i++) {                                                              \
        into[i] = (expression);                                                                    \
    }                                                                                              \
    return 1

#define CASE(op, expression)                                                                       \
    case op:                                                                                       \
        EACH(expression)

#define SUMS                                                                                       \
    CASE(MPI_SUM, from[i] + into[i]);                                                              \
    CASE(MPI_PROD, from[i] * into[i])
#define LIMITS                                                                                     \
    CASE(MPI_MAX, from[i] > into[i] ? from[i] : into[i]);                                          \
    CASE(MPI_MIN, from[i] < into[i] ? from[i] : into[i])
#define LOGIC                                                                                      \
    CASE(MPI_LAND, from[i] && into[i]);                                                            \
    CASE(MPI_LOR, from[i] || into[i]);                                                             \
    CASE(MPI_LXOR, !from[i] != !into[i])
#define BITS                                                                                       \
    CASE(MPI_BAND, from[i] & into[i]);                                                             \
    CASE(MPI_BOR, from[i] | into[i]);                                                              \
    CASE(MPI_BXOR, from[i] ^ into[i])

/* Functions `combine_<name>` return 0 if the type does not have the operator. */
#define COMBINE(name, element, operators)                                                          \
    static int combine_##name(const void *from_, void *into_, int count, MPI_Op op) {              \
        const element *from = from_;                                                               \
        element *into = into_;                                                                     \
        switch (op) {                                                                              \
            operators;                                                                             \
        default:                                                                                   \
            return 0;                                                                              \
        }                                                                                          \
    }

#define WHOLE                                                                                      \
    SUMS;                                                                                          \
    LIMITS;                                                                                        \
    LOGIC;                                                                                         \
    BITS
#define REAL                                                                                       \
    SUMS;                                                                                          \
    LIMITS;                                                                                        \
    LOGIC

/* What Fortran calls real(16). C's `long double` is the same only on some processors. */
#ifdef __SIZEOF_FLOAT128__
typedef __float128 quad;
typedef _Complex float quad_complex __attribute__((mode(TC)));
#else
typedef long double quad;
typedef long double complex quad_complex;
#endif

COMBINE(char, char, WHOLE)
COMBINE(i8, int8_t, WHOLE)
COMBINE(u8, uint8_t, WHOLE)
COMBINE(i16, int16_t, WHOLE)
COMBINE(u16, uint16_t, WHOLE)
COMBINE(i32, int32_t, WHOLE)
COMBINE(u32, uint32_t, WHOLE)
COMBINE(i64, int64_t, WHOLE)
COMBINE(u64, uint64_t, WHOLE)
COMBINE(f32, float, REAL)
COMBINE(f64, double, REAL)
COMBINE(f80, long double, REAL)
COMBINE(f128, quad, REAL)
COMBINE(c64, float complex, SUMS)
COMBINE(c128, double complex, SUMS)
COMBINE(c256, long double complex, SUMS)
COMBINE(quad_complex, quad_complex, SUMS)
COMBINE(truth, _Bool, LOGIC)
COMBINE(logical, int32_t, LOGIC)
COMBINE(byte, unsigned char, BITS)

/* Of equal values the lower place counts. */
#define LOCATE(name, first, second)                                                                \
    static int combine_##name(const void *from_, void *into_, int count, MPI_Op op) {              \
        struct pair {                                                                              \
            first value;                                                                           \
            second place;                                                                          \
        };                                                                                         \
        const struct pair *from = from_;                                                           \
        struct pair *into = into_;                                                                 \
        if (op != MPI_MAXLOC && op != MPI_MINLOC) {                                                \
            return 0;                                                                              \
        }                                                                                          \
        for (int i = 0; i < count; i++) {                                                          \
            int wins =                                                                             \
                op == MPI_MAXLOC ? from[i].value > into[i].value : from[i].value < into[i].value;  \
            int is_equal = from[i].value == into[i].value;                                         \
            if (wins || (is_equal && from[i].place < into[i].place)) {                             \
                into[i].value = from[i].value;                                                     \
                into[i].place = from[i].place;                                                     \
            }                                                                                      \
        }                                                                                          \
        return 1;                                                                                  \
    }

LOCATE(float_int, float, int)
LOCATE(double_int, double, int)
LOCATE(long_int, long, int)
LOCATE(two_int, int, int)
LOCATE(short_int, short, int)
LOCATE(long_double_int, long double, int)
LOCATE(two_real, float, float)
LOCATE(two_double, double, double)

typedef int combine(const void *from, void *into, int count, MPI_Op op);

/* What combines a predefined type, by its kind. */
static combine *const BY_KIND[MGEN_MPI_KINDS] = {NULL,
                                                 combine_byte,
                                                 combine_char,
                                                 combine_i16,
                                                 combine_i32,
                                                 combine_i64,
                                                 combine_i64,
                                                 combine_u8,
                                                 combine_u32,
                                                 combine_u64,
                                                 combine_f32,
                                                 combine_f64,
                                                 combine_i8,
                                                 combine_u16,
                                                 combine_u64,
                                                 combine_f80,
                                                 NULL,
                                                 combine_truth,
                                                 combine_i8,
                                                 combine_i16,
                                                 combine_i32,
                                                 combine_i64,
                                                 combine_u8,
                                                 combine_u16,
                                                 combine_u32,
                                                 combine_u64,
                                                 combine_i64,
                                                 combine_i64,
                                                 combine_i64,
                                                 combine_c64,
                                                 combine_c128,
                                                 combine_c256,
                                                 NULL,
                                                 combine_float_int,
                                                 combine_double_int,
                                                 combine_long_int,
                                                 combine_two_int,
                                                 combine_short_int,
                                                 combine_long_double_int,
                                                 NULL,
                                                 combine_logical,
                                                 combine_i32,
                                                 combine_f32,
                                                 combine_f64,
                                                 combine_c64,
                                                 combine_c128,
                                                 combine_i8,
                                                 combine_i16,
                                                 combine_i32,
                                                 combine_i64,
                                                 combine_f32,
                                                 combine_f64,
                                                 combine_f128,
                                                 combine_c64,
                                                 combine_c128,
                                                 combine_quad_complex,
                                                 combine_two_real,
                                                 combine_two_double,
                                                 combine_two_int,
                                                 combine_truth,
                                                 combine_c64,
                                                 combine_c128,
                                                 combine_c256};

int mgen_combine_typed(const void *from, void *into, int count, MGEN_Datatype type, MGEN_Op op) {
    struct op *own = own_op(op);
    if (own != NULL) {
        own->function((void *)from, into, &count, &type);
        return 1;
    }
    if (op == MPI_NO_OP) {
        return 1;
    }
    if (op == MPI_REPLACE) {
        memmove(into, from, (size_t)count * mgen_type_size(type));
        return 1;
    }
    const struct type *known = mgen_type(type);
    int kind = known->basic >> 16;
    if (mgen_is_derived(type) && (known->basic == 0 || !mgen_is_dense(known, 2))) {
        return 0;
    }
    MPI_Count count_of_one = known->size / (known->basic & 0xffff);
    combine *found = BY_KIND[kind];
    return found != NULL && found(from, into, count * (int)count_of_one, op);
}

size_t mgen_derived_size(MGEN_Datatype type) {
    return (size_t)mgen_type(type)->extent;
}

/* Dense elements as they lie in memory, where pairs have gaps. */
static char *spread(const char *dense, int count, MPI_Datatype type) {
    const struct type *known = mgen_type(type);
    char *made = mgen_memory((size_t)count * (size_t)known->extent);
    mgen_unpack(dense, made, count, type, (size_t)count * (size_t)known->size);
    return made;
}

void mgen_combine_dense(const char *from, char *into, size_t bytes, MPI_Datatype basic, MPI_Op op) {
    const struct type *known = mgen_type(basic);
    int count = (int)(bytes / (size_t)known->size);
    if (known->extent == known->size) {
        mgen_combine_now(from, into, count, basic, op);
        return;
    }
    char *came = spread(from, count, basic), *there = spread(into, count, basic);
    mgen_combine_now(came, there, count, basic, op);
    mgen_pack(into, there, count, basic, bytes);
    free(came);
    free(there);
}
