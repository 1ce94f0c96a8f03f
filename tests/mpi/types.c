/* Derived types: bounds, packed data, messages between unequal types, contents. */
#include <mpi.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SAY(...) (printf("%d: ", rank), printf(__VA_ARGS__), printf("\n"))

static int rank;
static int size;

static void describe(const char *name, MPI_Datatype type) {
    int bytes;
    MPI_Count long_bytes;
    MPI_Aint lb, extent, true_lb, true_extent;
    MPI_Type_size(type, &bytes);
    MPI_Type_size_x(type, &long_bytes);
    MPI_Type_get_extent(type, &lb, &extent);
    MPI_Type_get_true_extent(type, &true_lb, &true_extent);
    int integers, addresses, types, combiner;
    MPI_Type_get_envelope(type, &integers, &addresses, &types, &combiner);
    SAY("%s: %d B, %lld B, lb %ld, extent %ld, true lb %ld, true extent %ld, contents %d %d %d",
        name, bytes, (long long)long_bytes, (long)lb, (long)extent, (long)true_lb,
        (long)true_extent, integers, addresses, types);
}

/* Packs two elements of a numbered buffer, and says which numbers are there, and which a message of
 * them brings back. */
static void show(const char *name, MPI_Datatype type, int first) {
    int buffer[128], back[128], packed[128], room, position = 0, count;
    MPI_Status status;
    for (int i = 0; i < 128; i++) {
        buffer[i] = i;
        back[i] = packed[i] = -1;
    }
    describe(name, type);
    MPI_Type_commit(&type);
    MPI_Pack_size(2, type, MPI_COMM_SELF, &room);
    MPI_Pack(buffer + first, 2, type, packed, sizeof packed, &position, MPI_COMM_SELF);
    printf("%d: %s packed", rank, name);
    for (int i = 0; i < position / (int)sizeof(int); i++) {
        printf(" %d", packed[i]);
    }
    printf(" (%d)\n", position);
    MPI_Sendrecv(buffer + first, 2, type, 0, 1, back + first, 2, type, 0, 1, MPI_COMM_SELF,
                 &status);
    printf("%d: %s came", rank, name);
    for (int i = 0; i < 128; i++) {
        if (back[i] >= 0) {
            printf(" %d@%d", back[i], i);
        }
    }
    MPI_Get_count(&status, type, &count);
    printf(" count %d", count);
    MPI_Get_elements(&status, type, &count);
    printf(" elements %d\n", count);
    position = 0;
    memset(back, -1, sizeof back);
    MPI_Unpack(packed, sizeof packed, &position, back + first, 1, type, MPI_COMM_SELF);
    printf("%d: %s unpacked", rank, name);
    for (int i = 0; i < 128; i++) {
        if (back[i] >= 0) {
            printf(" %d@%d", back[i], i);
        }
    }
    printf("\n");
}

static void made(void) {
    MPI_Datatype a, b, c;
    MPI_Type_contiguous(3, MPI_INT, &a);
    show("contiguous", a, 0);
    MPI_Type_vector(3, 2, 4, MPI_INT, &b);
    show("vector", b, 0);
    MPI_Type_contiguous(2, b, &c);
    show("contiguous of vector", c, 0);
    MPI_Type_free(&c);
    MPI_Type_vector(3, 1, -2, MPI_INT, &c);
    show("backwards", c, 20);
    MPI_Type_free(&c);
    MPI_Type_create_hvector(2, 1, 20, a, &c);
    show("hvector", c, 0);
    MPI_Type_free(&c);
    int lengths[] = {2, 0, 3, 1}, places[] = {4, 9, 0, 11};
    MPI_Type_indexed(4, lengths, places, MPI_INT, &c);
    show("indexed", c, 0);
    MPI_Type_free(&c);
    MPI_Aint offsets[] = {32, 40, 4, 60};
    MPI_Type_create_hindexed(4, lengths, offsets, MPI_INT, &c);
    show("hindexed", c, 0);
    MPI_Type_free(&c);
    MPI_Type_create_indexed_block(4, 2, places, MPI_INT, &c);
    show("indexed block", c, 0);
    MPI_Type_free(&c);
    MPI_Type_create_hindexed_block(2, 2, offsets, MPI_INT, &c);
    show("hindexed block", c, 0);
    MPI_Type_free(&c);
    MPI_Type_create_resized(MPI_INT, -4, 12, &c);
    show("resized", c, 4);
    MPI_Datatype d;
    MPI_Type_dup(c, &d);
    show("dup", d, 4);
    MPI_Type_free(&c);
    MPI_Type_contiguous(2, d, &c);
    show("contiguous of resized", c, 4);
    MPI_Type_free(&c);
    MPI_Type_free(&d);
    int sizes[] = {4, 5}, parts[] = {2, 3}, starts[] = {1, 2};
    MPI_Type_create_subarray(2, sizes, parts, starts, MPI_ORDER_C, MPI_INT, &c);
    show("subarray", c, 0);
    MPI_Type_free(&c);
    MPI_Type_create_subarray(2, sizes, parts, starts, MPI_ORDER_FORTRAN, MPI_INT, &c);
    show("subarray of Fortran", c, 0);
    MPI_Type_free(&c);
    int sizes3[] = {3, 2, 4}, parts3[] = {2, 1, 2}, starts3[] = {1, 1, 1};
    MPI_Type_create_subarray(3, sizes3, parts3, starts3, MPI_ORDER_C, MPI_INT, &c);
    show("subarray in 3", c, 0);
    MPI_Type_free(&c);
    MPI_Type_contiguous(0, MPI_INT, &c);
    show("empty", c, 0);
    MPI_Type_free(&c);
    MPI_Type_free(&a);
    MPI_Type_free(&b);
}

struct particle {
    char kind;
    double place[3];
    int number;
    short flags;
};

static void structures(void) {
    int lengths[] = {1, 3, 1, 1};
    MPI_Aint offsets[4] = {offsetof(struct particle, kind), offsetof(struct particle, place),
                           offsetof(struct particle, number), offsetof(struct particle, flags)};
    MPI_Datatype types[] = {MPI_CHAR, MPI_DOUBLE, MPI_INT, MPI_SHORT}, type, resized;
    MPI_Type_create_struct(4, lengths, offsets, types, &type);
    describe("struct", type);
    MPI_Type_create_resized(type, 0, sizeof(struct particle), &resized);
    describe("resized struct", resized);
    MPI_Type_commit(&resized);
    struct particle own[3], got[3];
    memset(own, 0, sizeof own);
    memset(got, 0, sizeof got);
    for (int i = 0; i < 3; i++) {
        own[i] = (struct particle){'a' + i, {i, i + .5, rank}, 10 * rank + i, -i};
    }
    int next = (rank + 1) % size, before = (rank + size - 1) % size;
    MPI_Status status;
    MPI_Sendrecv(own, 2, resized, next, 7, got, 3, resized, before, 7, MPI_COMM_WORLD, &status);
    int count, elements;
    MPI_Get_count(&status, resized, &count);
    MPI_Get_elements(&status, resized, &elements);
    SAY("from %d tag %d: %d of them, %d elements", status.MPI_SOURCE, status.MPI_TAG, count,
        elements);
    for (int i = 0; i < 3; i++) {
        SAY("particle %d %g %g %g %d %d", got[i].kind, got[i].place[0], got[i].place[1],
            got[i].place[2], got[i].number, got[i].flags);
    }
    /* A part of an element. */
    MPI_Datatype two;
    int ones[] = {1, 1};
    MPI_Aint at[] = {0, 8};
    MPI_Datatype both[] = {MPI_INT, MPI_DOUBLE};
    MPI_Type_create_struct(2, ones, at, both, &two);
    MPI_Type_commit(&two);
    int one = 5;
    char room[64];
    MPI_Sendrecv(&one, 1, MPI_INT, 0, 3, room, 2, two, 0, 3, MPI_COMM_SELF, &status);
    MPI_Get_count(&status, two, &count);
    MPI_Get_elements(&status, two, &elements);
    SAY("a part: undefined %d, %d elements", count == MPI_UNDEFINED, elements);
    /* Absolute addresses. */
    int x = rank, y = 0;
    double z = rank + .25, w = 0;
    MPI_Get_address(&x, &at[0]);
    MPI_Get_address(&z, &at[1]);
    MPI_Datatype sent, taken;
    MPI_Type_create_struct(2, ones, at, both, &sent);
    MPI_Get_address(&y, &at[0]);
    MPI_Get_address(&w, &at[1]);
    MPI_Type_create_struct(2, ones, at, both, &taken);
    MPI_Type_commit(&sent);
    MPI_Type_commit(&taken);
    MPI_Sendrecv(MPI_BOTTOM, 1, sent, next, 0, MPI_BOTTOM, 1, taken, before, 0, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    SAY("absolute %d %g", y, w);
    MPI_Type_free(&sent);
    MPI_Type_free(&taken);
    MPI_Type_free(&two);
    MPI_Type_free(&resized);
    MPI_Type_free(&type);
    SAY("freed: null %d", type == MPI_DATATYPE_NULL);
}

static void contents(void) {
    int lengths[] = {2, 1}, places[] = {3, 0};
    MPI_Datatype type, again[1];
    MPI_Type_indexed(2, lengths, places, MPI_DOUBLE, &type);
    int integers[5];
    MPI_Aint addresses[1];
    MPI_Type_get_contents(type, 5, 0, 1, integers, addresses, again);
    SAY("indexed of %d %d %d %d %d, doubles %d", integers[0], integers[1], integers[2], integers[3],
        integers[4], again[0] == MPI_DOUBLE);
    int integer_count, address_count, type_count, combiner;
    MPI_Type_get_envelope(type, &integer_count, &address_count, &type_count, &combiner);
    SAY("combiner %d", combiner == MPI_COMBINER_INDEXED);
    MPI_Type_get_envelope(MPI_INT, &integer_count, &address_count, &type_count, &combiner);
    SAY("named %d %d %d %d", integer_count, address_count, type_count,
        combiner == MPI_COMBINER_NAMED);
    char name[MPI_MAX_OBJECT_NAME];
    int length;
    MPI_Type_set_name(type, "of mine");
    MPI_Type_get_name(type, name, &length);
    SAY("%s %d", name, length);
    MPI_Type_get_name(MPI_DOUBLE_INT, name, &length);
    SAY("%s %d", name, length);
    MPI_Type_free(&type);
    MPI_Datatype pairs[] = {MPI_FLOAT_INT, MPI_DOUBLE_INT, MPI_LONG_INT,
                            MPI_2INT,      MPI_SHORT_INT,  MPI_LONG_DOUBLE_INT};
    for (int i = 0; i < 6; i++) {
        describe("pair", pairs[i]);
    }
    MPI_Datatype fixed[] = {MPI_INT8_T,          MPI_UINT16_T,           MPI_INT32_T, MPI_UINT64_T,
                            MPI_C_FLOAT_COMPLEX, MPI_C_DOUBLE_COMPLEX,   MPI_C_BOOL,  MPI_WCHAR,
                            MPI_LONG_DOUBLE,     MPI_UNSIGNED_LONG_LONG, MPI_AINT,    MPI_COUNT,
                            MPI_OFFSET,          MPI_SIGNED_CHAR,        MPI_PACKED};
    for (int i = 0; i < 15; i++) {
        describe("fixed", fixed[i]);
    }
}

/* A column of a matrix to a row of another rank, at once and as a persistent request. */
static void columns(void) {
    enum { N = 5 };
    double matrix[N][N], row[N], column[N][N];
    MPI_Datatype type;
    MPI_Request requests[2];
    MPI_Type_vector(N, 1, N, MPI_DOUBLE, &type);
    MPI_Type_commit(&type);
    for (int i = 0; i < N * N; i++) {
        matrix[i / N][i % N] = 100 * rank + i;
        column[i / N][i % N] = 0;
    }
    int next = (rank + 1) % size, before = (rank + size - 1) % size;
    MPI_Irecv(row, N, MPI_DOUBLE, before, 0, MPI_COMM_WORLD, &requests[0]);
    MPI_Isend(&matrix[0][2], 1, type, next, 0, MPI_COMM_WORLD, &requests[1]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    SAY("row %g %g %g %g %g", row[0], row[1], row[2], row[3], row[4]);
    MPI_Irecv(&column[0][1], 1, type, before, 1, MPI_COMM_WORLD, &requests[0]);
    MPI_Issend(row, N, MPI_DOUBLE, next, 1, MPI_COMM_WORLD, &requests[1]);
    MPI_Status status;
    MPI_Wait(&requests[0], &status);
    MPI_Wait(&requests[1], MPI_STATUS_IGNORE);
    SAY("column %g %g %g %g %g beside %g", column[0][1], column[1][1], column[2][1], column[3][1],
        column[4][1], column[2][2]);
    MPI_Type_free(&type);
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (rank == 0) {
        made();
        contents();
    }
    structures();
    columns();
    MPI_Finalize();
    return 0;
}
