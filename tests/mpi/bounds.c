/* Reductions over types whose data begin before or behind the address that the program gives. */
#include <mpi.h>
#include <stdio.h>

enum { ELEMENTS = 4, INTS = 3 * ELEMENTS };

static int rank;
static int size;
static int mine[INTS + 2], sum[INTS + 2], counts[16];
static int first; /* of both ints of an element, from its address */
static int second;

/* Does not commute: of the first ints, that of the lower rank counts. */
static void add(void *in, void *inout, int *count, MPI_Datatype *type) {
    MPI_Aint lb, extent;
    MPI_Type_get_extent(*type, &lb, &extent);
    for (int i = 0; i < *count; i++) {
        int *from = (int *)((char *)in + i * extent), *into = (int *)((char *)inout + i * extent);
        into[first] = from[first];
        into[second] += from[second];
    }
}

static void add_equal(void *in, void *inout, int *count, MPI_Datatype *type) {
    MPI_Aint lb, extent;
    MPI_Type_get_extent(*type, &lb, &extent);
    for (int i = 0; i < *count; i++) {
        int *from = (int *)((char *)in + i * extent), *into = (int *)((char *)inout + i * extent);
        into[first] += from[first];
        into[second] += from[second];
    }
}

static void fill(void) {
    for (int i = 0; i < INTS; i++) {
        mine[i] = 10 * rank + i;
        sum[i] = -7;
    }
}

static void say(const char *call, int is_there) {
    printf("%d: %s %d %d", rank, call, first, second);
    for (int i = 0; i < INTS && is_there; i++) {
        printf(" %d", sum[i]);
    }
    printf("\n");
}

#define FORMS(Name, name, is_there, ...)                                                           \
    do {                                                                                           \
        MPI_Request request;                                                                       \
        fill();                                                                                    \
        MPI_##Name(__VA_ARGS__, MPI_COMM_WORLD);                                                   \
        say(#Name, is_there);                                                                      \
        fill();                                                                                    \
        MPI_I##name(__VA_ARGS__, MPI_COMM_WORLD, &request);                                        \
        MPI_Wait(&request, MPI_STATUS_IGNORE);                                                     \
        say("I" #name, is_there);                                                                  \
    } while (0)

static void reduced(const int *from, int *into, MPI_Datatype type, MPI_Op op) {
    FORMS(Allreduce, allreduce, 1, from, into, ELEMENTS, type, op);
    FORMS(Reduce, reduce, rank == 1, from, into, ELEMENTS, type, op, 1);
    FORMS(Scan, scan, 1, from, into, ELEMENTS, type, op);
    FORMS(Exscan, exscan, rank > 0, from, into, ELEMENTS, type, op);
    FORMS(Reduce_scatter_block, reduce_scatter_block, 1, from, into, 1, type, op);
    FORMS(Reduce_scatter, reduce_scatter, 1, from, into, counts, type, op);
    fill();
    MPI_Reduce_local(from, into, 2, type, op);
    say("Reduce_local", 1);
}

/* Elements with an int at `first` and one at `second`, an extent of three ints, the first of them
 * at `start` of the arrays. */
static void with(int first_, int second_, int start) {
    MPI_Aint places[2];
    MPI_Datatype pair, type;
    MPI_Op ops[2];
    first = first_;
    second = second_;
    places[0] = first * (MPI_Aint)sizeof(int);
    places[1] = second * (MPI_Aint)sizeof(int);
    MPI_Type_create_hindexed_block(2, 1, places, MPI_INT, &pair);
    MPI_Type_create_resized(pair, places[0], 3 * sizeof(int), &type);
    MPI_Type_commit(&type);
    MPI_Op_create(add_equal, 1, &ops[0]);
    MPI_Op_create(add, 0, &ops[1]);
    /* In order, MPICH 5.0 reads data that begin behind the address from the wrong place. */
    for (int i = 0; i < (first > 0 ? 1 : 2); i++) {
        reduced(mine + start, sum + start, type, ops[i]);
        fill();
        MPI_Allreduce(MPI_IN_PLACE, sum + start, ELEMENTS, type, ops[i], MPI_COMM_WORLD);
        say("in place", 1);
    }
    MPI_Op_free(&ops[0]);
    MPI_Op_free(&ops[1]);
    MPI_Type_free(&pair);
    MPI_Type_free(&type);
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int i = 0; i < size; i++) {
        counts[i] = 1;
    }
    with(-1, 1, 1);
    with(0, 2, 0);
    with(1, 2, 0);
    MPI_Finalize();
    return 0;
}
