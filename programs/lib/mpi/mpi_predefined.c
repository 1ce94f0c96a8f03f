/* The datatypes that MPI defines. */
#include "mpi_state.h"
#include <complex.h>
#include <stdbool.h>
#include <stddef.h>
#include <wchar.h>

struct entry {
    struct type type;
    struct block blocks[2];
};

struct float_int {
    float value;
    int place;
};
struct double_int {
    double value;
    int place;
};
struct long_int {
    long value;
    int place;
};
struct short_int {
    short value;
    int place;
};
struct long_double_int {
    long double value;
    int place;
};

#define COMMON(number, text, called, made, bytes)                                                  \
    .name = (text), .size = (bytes), .extent = sizeof(made), .alignment = _Alignof(made),          \
    .basic = (called), .combiner = MPI_COMBINER_NAMED, .blocks = ENTRIES[number].blocks

#define ONE(number, called, made)                                                                  \
    [number] = {{COMMON(number, #called, called, made, sizeof(made)), .true_extent = sizeof(made), \
                 .block_count = 1, .together = 1},                                                 \
                {{0, sizeof(made), sizeof(made)}}}

/* Two elements, the second one at `offset`. */
#define TWO(number, called, text, made, first, second, offset)                                     \
    [number] = {{COMMON(number, text, called, made, sizeof(first) + sizeof(second)),               \
                 .true_extent = (offset) + sizeof(second), .block_count = 2,                       \
                 .together = (offset) == sizeof(first)},                                           \
                {{0, sizeof(first), sizeof(first)}, {(offset), sizeof(second), sizeof(second)}}}

#define PAIR(number, called, made, first)                                                          \
    TWO(number, called, #called, struct made, first, int, offsetof(struct made, place))

#define SAME(number, called, element)                                                              \
    TWO(number, called, #called, element[2], element, element, sizeof(element))

static const struct entry ENTRIES[MGEN_MPI_KINDS] = {
    ONE(1, MPI_BYTE, unsigned char),
    ONE(2, MPI_CHAR, char),
    ONE(3, MPI_SHORT, short),
    ONE(4, MPI_INT, int),
    ONE(5, MPI_LONG, long),
    ONE(6, MPI_LONG_LONG, long long),
    ONE(7, MPI_UNSIGNED_CHAR, unsigned char),
    ONE(8, MPI_UNSIGNED, unsigned),
    ONE(9, MPI_UNSIGNED_LONG, unsigned long),
    ONE(10, MPI_FLOAT, float),
    ONE(11, MPI_DOUBLE, double),
    ONE(12, MPI_SIGNED_CHAR, signed char),
    ONE(13, MPI_UNSIGNED_SHORT, unsigned short),
    ONE(14, MPI_UNSIGNED_LONG_LONG, unsigned long long),
    ONE(15, MPI_LONG_DOUBLE, long double),
    ONE(16, MPI_WCHAR, wchar_t),
    ONE(17, MPI_C_BOOL, bool),
    ONE(18, MPI_INT8_T, int8_t),
    ONE(19, MPI_INT16_T, int16_t),
    ONE(20, MPI_INT32_T, int32_t),
    ONE(21, MPI_INT64_T, int64_t),
    ONE(22, MPI_UINT8_T, uint8_t),
    ONE(23, MPI_UINT16_T, uint16_t),
    ONE(24, MPI_UINT32_T, uint32_t),
    ONE(25, MPI_UINT64_T, uint64_t),
    ONE(26, MPI_AINT, MPI_Aint),
    ONE(27, MPI_OFFSET, MPI_Offset),
    ONE(28, MPI_COUNT, MPI_Count),
    ONE(29, MPI_C_FLOAT_COMPLEX, float complex),
    ONE(30, MPI_C_DOUBLE_COMPLEX, double complex),
    ONE(31, MPI_C_LONG_DOUBLE_COMPLEX, long double complex),
    ONE(32, MPI_PACKED, unsigned char),
    PAIR(33, MPI_FLOAT_INT, float_int, float),
    PAIR(34, MPI_DOUBLE_INT, double_int, double),
    PAIR(35, MPI_LONG_INT, long_int, long),
    SAME(36, MPI_2INT, int),
    PAIR(37, MPI_SHORT_INT, short_int, short),
    PAIR(38, MPI_LONG_DOUBLE_INT, long_double_int, long double),
    ONE(39, MPI_CHARACTER, char),
    ONE(40, MPI_LOGICAL, int),
    ONE(41, MPI_INTEGER, int),
    ONE(42, MPI_REAL, float),
    ONE(43, MPI_DOUBLE_PRECISION, double),
    ONE(44, MPI_COMPLEX, float complex),
    ONE(45, MPI_DOUBLE_COMPLEX, double complex),
    ONE(46, MPI_INTEGER1, int8_t),
    ONE(47, MPI_INTEGER2, int16_t),
    ONE(48, MPI_INTEGER4, int32_t),
    ONE(49, MPI_INTEGER8, int64_t),
    ONE(50, MPI_REAL4, float),
    ONE(51, MPI_REAL8, double),
    ONE(52, MPI_REAL16, long double),
    ONE(53, MPI_COMPLEX8, float complex),
    ONE(54, MPI_COMPLEX16, double complex),
    ONE(55, MPI_COMPLEX32, long double complex),
    SAME(56, MPI_2REAL, float),
    SAME(57, MPI_2DOUBLE_PRECISION, double),
    SAME(58, MPI_2INTEGER, int),
    ONE(59, MPI_CXX_BOOL, bool),
    ONE(60, MPI_CXX_FLOAT_COMPLEX, float complex),
    ONE(61, MPI_CXX_DOUBLE_COMPLEX, double complex),
    ONE(62, MPI_CXX_LONG_DOUBLE_COMPLEX, long double complex),
};

const struct type *mgen_predefined(MPI_Datatype type) {
    int kind = type >> 16;
    if (kind < 1 || kind >= MGEN_MPI_KINDS || ENTRIES[kind].type.size != (type & 0xffff)) {
        return NULL;
    }
    return &ENTRIES[kind].type;
}
