/* Operators and types of reductions; scans; sums that are scattered; operators of one's own. */
#include <complex.h>
#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static int rank;
static int size;

#define SAY(...) (printf("%d: ", rank), printf(__VA_ARGS__), printf("\n"))

#define WHOLE(ctype, type)                                                                         \
    do {                                                                                           \
        MPI_Op ops[] = {MPI_SUM, MPI_PROD, MPI_MAX,  MPI_MIN, MPI_LAND,                            \
                        MPI_LOR, MPI_LXOR, MPI_BAND, MPI_BOR, MPI_BXOR};                           \
        for (int op = 0; op < 10; op++) {                                                          \
            ctype own[3] = {(ctype)(rank + 1), (ctype)(rank % 2), (ctype)(5 - rank)};              \
            ctype got[3] = {0, 0, 0};                                                              \
            MPI_Allreduce(own, got, 3, type, ops[op], MPI_COMM_WORLD);                             \
            SAY(#type " %d: %lld %lld %lld", op, (long long)got[0], (long long)got[1],             \
                (long long)got[2]);                                                                \
        }                                                                                          \
    } while (0)

#define REAL(ctype, type)                                                                          \
    do {                                                                                           \
        MPI_Op ops[] = {MPI_SUM, MPI_PROD, MPI_MAX, MPI_MIN};                                      \
        for (int op = 0; op < 4; op++) {                                                           \
            ctype own[2] = {(ctype)(rank + 1) / 2, (ctype)(3 - rank)}, got[2] = {0, 0};            \
            MPI_Reduce(own, got, 2, type, ops[op], size - 1, MPI_COMM_WORLD);                      \
            SAY(#type " %d: %g %g", op, (double)got[0], (double)got[1]);                           \
        }                                                                                          \
    } while (0)

#define PLACES(ctype, type, name)                                                                  \
    do {                                                                                           \
        struct {                                                                                   \
            ctype value;                                                                           \
            int place;                                                                             \
        } own[2] = {{(ctype)(rank % 3), rank}, {(ctype)(7 - rank), 10 * rank}}, got[2];            \
        memset(got, 0, sizeof got);                                                                \
        MPI_Allreduce(own, got, 2, type, MPI_MAXLOC, MPI_COMM_WORLD);                              \
        SAY(name " max %g at %d, %g at %d", (double)got[0].value, got[0].place,                    \
            (double)got[1].value, got[1].place);                                                   \
        MPI_Reduce(own, got, 2, type, MPI_MINLOC, 0, MPI_COMM_WORLD);                              \
        if (rank == 0) {                                                                           \
            SAY(name " min %g at %d, %g at %d", (double)got[0].value, got[0].place,                \
                (double)got[1].value, got[1].place);                                               \
        }                                                                                          \
    } while (0)

static void types(void) {
    WHOLE(int, MPI_INT);
    WHOLE(long, MPI_LONG);
    WHOLE(short, MPI_SHORT);
    WHOLE(unsigned char, MPI_UNSIGNED_CHAR);
    WHOLE(int8_t, MPI_INT8_T);
    WHOLE(uint16_t, MPI_UINT16_T);
    WHOLE(uint32_t, MPI_UINT32_T);
    WHOLE(int64_t, MPI_INT64_T);
    WHOLE(unsigned long long, MPI_UNSIGNED_LONG_LONG);
    REAL(float, MPI_FLOAT);
    REAL(double, MPI_DOUBLE);
    REAL(long double, MPI_LONG_DOUBLE);
    PLACES(int, MPI_2INT, "2int");
    PLACES(float, MPI_FLOAT_INT, "float");
    PLACES(double, MPI_DOUBLE_INT, "double");
    PLACES(long, MPI_LONG_INT, "long");
    PLACES(short, MPI_SHORT_INT, "short");
    PLACES(long double, MPI_LONG_DOUBLE_INT, "long double");
    double complex own = rank + 1 + I, got = 0;
    MPI_Allreduce(&own, &got, 1, MPI_C_DOUBLE_COMPLEX, MPI_PROD, MPI_COMM_WORLD);
    SAY("complex %g %g", creal(got), cimag(got));
    float complex small = rank - 2 * I, sum = 0;
    MPI_Allreduce(&small, &sum, 1, MPI_C_FLOAT_COMPLEX, MPI_SUM, MPI_COMM_WORLD);
    SAY("complex %g %g", crealf(sum), cimagf(sum));
    bool truth = rank == 1, all = false, any = false;
    MPI_Allreduce(&truth, &all, 1, MPI_C_BOOL, MPI_LAND, MPI_COMM_WORLD);
    MPI_Allreduce(&truth, &any, 1, MPI_C_BOOL, MPI_LOR, MPI_COMM_WORLD);
    SAY("bool %d %d", all, any);
    unsigned char bits = (unsigned char)(1 << rank), both = 0;
    MPI_Allreduce(&bits, &both, 1, MPI_BYTE, MPI_BOR, MPI_COMM_WORLD);
    SAY("byte %d", both);
}

/* 2 x 2 matrices: the order of the product counts. */
static void multiply(void *in_, void *inout_, int *count, MPI_Datatype *type) {
    int (*in)[4] = in_, (*inout)[4] = inout_;
    (void)type;
    for (int i = 0; i < *count; i++) {
        int *a = in[i], *b = inout[i];
        int c[4] = {a[0] * b[0] + a[1] * b[2], a[0] * b[1] + a[1] * b[3], a[2] * b[0] + a[3] * b[2],
                    a[2] * b[1] + a[3] * b[3]};
        memcpy(b, c, sizeof c);
    }
}

static void add_apart(void *in_, void *inout_, int *count, MPI_Datatype *type) {
    int *in = in_, *inout = inout_;
    (void)type;
    for (int i = 0; i < *count; i++) {
        inout[3 * i] += in[3 * i];
        inout[3 * i + 2] += in[3 * i + 2];
    }
}

static void matrix(const char *what, const int *m) {
    SAY("%s %d %d %d %d", what, m[0], m[1], m[2], m[3]);
}

static void own_operators(void) {
    MPI_Op op, add;
    MPI_Datatype type, apart;
    int commutes;
    MPI_Op_create(multiply, 0, &op);
    MPI_Op_create(add_apart, 1, &add);
    MPI_Op_commutative(op, &commutes);
    SAY("commutes %d", commutes);
    MPI_Op_commutative(add, &commutes);
    SAY("commutes %d", commutes);
    MPI_Op_commutative(MPI_SUM, &commutes);
    SAY("commutes %d", commutes);
    MPI_Type_contiguous(4, MPI_INT, &type);
    MPI_Type_commit(&type);
    int own[16][4], got[16][4];
    for (int i = 0; i < 16; i++) {
        int m[4] = {1, rank + i, 1, 2};
        memcpy(own[i], m, sizeof m);
        memset(got[i], 0, sizeof m);
    }
    MPI_Allreduce(own, got, 2, type, op, MPI_COMM_WORLD);
    matrix("allreduce", got[1]);
    for (int root = 0; root < size; root++) {
        MPI_Reduce(own, got, 2, type, op, root, MPI_COMM_WORLD);
        matrix("reduce", got[1]);
    }
    MPI_Scan(own, got, 2, type, op, MPI_COMM_WORLD);
    matrix("scan", got[1]);
    memset(got, 0, sizeof got);
    MPI_Exscan(own, got, 2, type, op, MPI_COMM_WORLD);
    if (rank > 0) {
        matrix("exscan", got[1]);
    }
    MPI_Reduce_scatter_block(own, got, 1, type, op, MPI_COMM_WORLD);
    matrix("reduce_scatter_block", got[0]);
    int with_hole[6] = {rank, 77, 1, 2 * rank, 78, 3}, sums[6] = {1, 2, 3, 4, 5, 6};
    MPI_Type_vector(2, 1, 2, MPI_INT, &apart);
    MPI_Type_commit(&apart);
    MPI_Allreduce(with_hole, sums, 2, apart, add, MPI_COMM_WORLD);
    SAY("apart %d %d %d %d %d %d", sums[0], sums[1], sums[2], sums[3], sums[4], sums[5]);
    multiply(own[0], got[0], (int[]){1}, NULL);
    MPI_Reduce_local(own[0], own[1], 1, type, op);
    matrix("local", own[1]);
    MPI_Type_free(&type);
    MPI_Type_free(&apart);
    MPI_Op_free(&op);
    MPI_Op_free(&add);
    SAY("null %d", op == MPI_OP_NULL);
}

static void scans(void) {
    int own[12], got[12], counts[16];
    for (int i = 0; i < 12; i++) {
        own[i] = rank + i;
        got[i] = -1;
    }
    MPI_Scan(own, got, 3, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    SAY("scan %d %d %d", got[0], got[1], got[2]);
    MPI_Exscan(own, got, 3, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    SAY("exscan %d %d", rank == 0 ? 0 : got[0], rank == 0 ? 0 : got[2]);
    memcpy(got, own, sizeof got);
    MPI_Scan(MPI_IN_PLACE, got, 3, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    SAY("scan in place %d %d %d", got[0], got[1], got[2]);
    memcpy(got, own, sizeof got);
    MPI_Exscan(MPI_IN_PLACE, got, 3, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    SAY("exscan in place %d %d", rank == 0 ? 0 : got[0], rank == 0 ? 0 : got[2]);
    int all[64];
    for (int i = 0; i < 64; i++) {
        all[i] = rank * i;
    }
    for (int i = 0; i < size; i++) {
        counts[i] = i % 3;
    }
    memset(got, 0, sizeof got);
    MPI_Reduce_scatter(all, got, counts, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    SAY("reduce_scatter %d %d", got[0], got[1]);
    MPI_Reduce_scatter_block(all, got, 2, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    SAY("reduce_scatter_block %d %d", got[0], got[1]);
    MPI_Reduce_scatter_block(MPI_IN_PLACE, all, 2, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    SAY("in place %d %d", all[0], all[1]);
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    types();
    own_operators();
    scans();
    MPI_Finalize();
    return 0;
}
