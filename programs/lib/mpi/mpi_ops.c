/* What operators of reductions do: those of mgen.h and of MPI, and those that programs make. */
#include "mpi_ops.h"
#include <complex.h>

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
/* Of Fortran, where only logical values have logical operators. */
#define INTEGER                                                                                    \
    SUMS;                                                                                          \
    LIMITS;                                                                                        \
    BITS
#define REAL                                                                                       \
    SUMS;                                                                                          \
    LIMITS

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
COMBINE(integer1, int8_t, INTEGER)
COMBINE(integer2, int16_t, INTEGER)
COMBINE(integer4, int32_t, INTEGER)
COMBINE(integer8, int64_t, INTEGER)
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
                                                 combine_integer4,
                                                 combine_f32,
                                                 combine_f64,
                                                 combine_c64,
                                                 combine_c128,
                                                 combine_integer1,
                                                 combine_integer2,
                                                 combine_integer4,
                                                 combine_integer8,
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

/* MPI defines no operator on derived types. */
static combine *combine_of(MPI_Datatype type) {
    return mgen_is_derived(type) ? NULL : BY_KIND[mgen_type(type)->basic >> 16];
}

int mgen_op_is_defined(MPI_Datatype type, MPI_Op op) {
    combine *found = combine_of(type);
    return mgen_own_op(op) != NULL || (found != NULL && found(NULL, NULL, 0, op));
}

int mgen_combine_typed(const void *from, void *into, int count, MGEN_Datatype type, MGEN_Op op) {
    struct op *own = mgen_own_op(op);
    if (own != NULL) {
        MPI_Aint first = mgen_is_derived(type) ? mgen_type(type)->true_lb : 0;
        own->function((char *)from - first, (char *)into - first, &count, &type);
        return 1;
    }
    if (op == MPI_NO_OP) {
        return 1;
    }
    if (op == MPI_REPLACE) {
        memmove(into, from, (size_t)count * mgen_type_size(type));
        return 1;
    }
    combine *found = combine_of(type);
    return found != NULL && found(from, into, count, op);
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
