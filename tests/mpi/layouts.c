/* Types that a program frees while messages of these types are under way, and types of distributed
 * arrays. */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

enum { LONG = 96 };
static int rank, size;

#define SAY(...) (printf("%d: ", rank), printf(__VA_ARGS__), printf("\n"))

static void show(const char *what, const int *values, int length) {
    printf("%d: %s", rank, what);
    for (int i = 0; i < length; i++) {
        printf(" %d", values[i]);
    }
    printf("\n");
}

static MPI_Datatype spaced(int count, int stride) {
    MPI_Datatype made;
    MPI_Type_vector(count, 1, stride, MPI_INT, &made);
    MPI_Type_commit(&made);
    return made;
}

/* Makes a type of another layout, so that it may get the number of the one that was freed. */
static void forget(MPI_Datatype *type, MPI_Datatype *other) {
    MPI_Type_free(type);
    *other = spaced(2, 5);
}

static void messages(void) {
    int next = (rank + 1) % size, before = (rank + size - 1) % size;
    int got[12], sent[12];
    MPI_Datatype type = spaced(3, 2), other;
    MPI_Request requests[2];
    memset(got, 0, sizeof got);
    for (int i = 0; i < 12; i++) {
        sent[i] = 100 * rank + i;
    }
    MPI_Irecv(got, 1, type, before, 0, MPI_COMM_WORLD, &requests[0]);
    MPI_Isend(sent, 1, type, next, 0, MPI_COMM_WORLD, &requests[1]);
    forget(&type, &other);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    show("received", got, 12);
    MPI_Type_free(&other);

    memset(got, 0, sizeof got);
    type = spaced(3, 2);
    MPI_Recv_init(got, 1, type, before, 1, MPI_COMM_WORLD, &requests[0]);
    MPI_Send_init(sent, 1, type, next, 1, MPI_COMM_WORLD, &requests[1]);
    forget(&type, &other);
    for (int i = 0; i < 2; i++) {
        sent[0] += 1000;
        MPI_Startall(2, requests);
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
        show("received again", got, 12);
    }
    MPI_Request_free(&requests[0]);
    MPI_Request_free(&requests[1]);
    MPI_Type_free(&other);
}

static void sum(void *from, void *into, int *count, MPI_Datatype *type) {
    MPI_Aint lb, extent;
    MPI_Type_get_extent(*type, &lb, &extent);
    for (int i = 0; i < *count; i++) {
        int *one = (int *)((char *)from + i * extent);
        int *other = (int *)((char *)into + i * extent);
        other[0] += one[0];
        other[2] += one[2];
    }
}

static void collectives(void) {
    int all[LONG], own[8], result[8];
    MPI_Datatype type = spaced(2, 2), other;
    MPI_Request requests[2];
    MPI_Op op;
    memset(all, 0, sizeof all);
    memset(result, 0, sizeof result);
    for (int i = 0; i < 8; i++) {
        own[i] = 100 * rank + i;
    }
    MPI_Op_create(sum, 1, &op);
    MPI_Iallgather(own, 1, type, all, 1, type, MPI_COMM_WORLD, &requests[0]);
    MPI_Iallreduce(own, result, 2, type, op, MPI_COMM_WORLD, &requests[1]);
    forget(&type, &other);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    show("allgather", all, 12);
    show("allreduce", result, 6);
    MPI_Type_free(&other);
    MPI_Op_free(&op);
}

static void array(const char *what, int dimensions, const int *sizes, const int *kinds,
                  const int *arguments, const int *processes, int order) {
    int whole[LONG], packed[LONG], at = 0, bytes;
    MPI_Aint lb, extent;
    MPI_Datatype type;
    for (int i = 0; i < LONG; i++) {
        whole[i] = i;
    }
    MPI_Type_create_darray(size, rank, dimensions, sizes, kinds, arguments, processes, order,
                           MPI_INT, &type);
    MPI_Type_commit(&type);
    MPI_Type_size(type, &bytes);
    MPI_Type_get_extent(type, &lb, &extent);
    SAY("%s: %d B from %d, extent %d", what, bytes, (int)lb, (int)extent);
    MPI_Pack(whole, 1, type, packed, sizeof packed, &at, MPI_COMM_SELF);
    show(what, packed, at / (int)sizeof *packed);
    int integers, addresses, types, combiner;
    MPI_Type_get_envelope(type, &integers, &addresses, &types, &combiner);
    SAY("made of %d, %d, %d: darray %d", integers, addresses, types,
        combiner == MPI_COMBINER_DARRAY);
    MPI_Type_free(&type);
}

static void arrays(void) {
    int sizes[3] = {6, 4, 3}, processes[3] = {1, size, 1};
    int kinds[3] = {MPI_DISTRIBUTE_NONE, MPI_DISTRIBUTE_BLOCK, MPI_DISTRIBUTE_CYCLIC};
    int arguments[3] = {MPI_DISTRIBUTE_DFLT_DARG, MPI_DISTRIBUTE_DFLT_DARG, 2};
    array("by rows", 3, sizes, kinds, arguments, processes, MPI_ORDER_C);
    array("by columns", 3, sizes, kinds, arguments, processes, MPI_ORDER_FORTRAN);
    kinds[1] = MPI_DISTRIBUTE_CYCLIC;
    array("in turns", 2, sizes, kinds, arguments, processes, MPI_ORDER_C);
    int grid[2] = {size % 2 == 0 ? 2 : size, size % 2 == 0 ? size / 2 : 1};
    int both[2] = {MPI_DISTRIBUTE_CYCLIC, MPI_DISTRIBUTE_CYCLIC}, twos[2] = {2, 1};
    array("grid", 2, sizes, both, twos, grid, MPI_ORDER_C);
    array("grid by columns", 2, sizes, both, twos, grid, MPI_ORDER_FORTRAN);
}

static void precisions(void) {
    MPI_Datatype types[4];
    int bytes;
    MPI_Type_create_f90_real(6, MPI_UNDEFINED, &types[0]);
    MPI_Type_create_f90_real(12, 100, &types[1]);
    MPI_Type_create_f90_complex(6, 30, &types[2]);
    MPI_Type_create_f90_integer(9, &types[3]);
    for (int i = 0; i < 4; i++) {
        MPI_Type_size(types[i], &bytes);
        SAY("precision %d: %d B", i, bytes);
    }
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    messages();
    collectives();
    arrays();
    precisions();
    MPI_Finalize();
    return 0;
}
