/* Every collective in place: blocking, with a request, and begun twice by a persistent request.
 * What counts for nothing beside MPI_IN_PLACE is wrong here on purpose. */
#include <mpi.h>
#include <stdio.h>

enum { MOST = 64 };

static int rank;
static int size;
static int data[MOST];
static int counts[16], places[16], offsets[16];
static MPI_Datatype types[16];

static void fill(void) {
    for (int i = 0; i < MOST; i++) {
        data[i] = 1000 * rank + i;
    }
}

static void say(const char *call, int count) {
    printf("%d: %s", rank, call);
    for (int i = 0; i < count; i++) {
        printf(" %d", data[i]);
    }
    printf("\n");
}

/* `...` is what the three calls have before the communicator. */
#define FORMS(Name, name, count, ...)                                                              \
    do {                                                                                           \
        MPI_Request request;                                                                       \
        fill();                                                                                    \
        MPI_##Name(__VA_ARGS__, MPI_COMM_WORLD);                                                   \
        say(#Name, count);                                                                         \
        fill();                                                                                    \
        MPI_I##name(__VA_ARGS__, MPI_COMM_WORLD, &request);                                        \
        MPI_Wait(&request, MPI_STATUS_IGNORE);                                                     \
        say("I" #name, count);                                                                     \
        MPI_##Name##_init(__VA_ARGS__, MPI_COMM_WORLD, MPI_INFO_NULL, &request);                   \
        for (int turn = 0; turn < 2; turn++) {                                                     \
            fill();                                                                                \
            MPI_Start(&request);                                                                   \
            MPI_Wait(&request, MPI_STATUS_IGNORE);                                                 \
            say(#Name "_init", count);                                                             \
        }                                                                                          \
        MPI_Request_free(&request);                                                                \
    } while (0)

#define NOTHING MPI_IN_PLACE, -1, MPI_DATATYPE_NULL

static void blocks(MPI_Datatype type, int spread) {
    int all = 3 * size * spread, last = size - 1, is_root = rank == last;
    FORMS(Alltoall, alltoall, all, NOTHING, data, 2, type);
    FORMS(Alltoallv, alltoallv, all, MPI_IN_PLACE, NULL, NULL, MPI_DATATYPE_NULL, data, counts,
          places, type);
    FORMS(Allgather, allgather, all, NOTHING, data, 2, type);
    FORMS(Allgatherv, allgatherv, all, NOTHING, data, counts, places, type);
    /* The other ranks give their own block. */
    const void *sent = is_root ? MPI_IN_PLACE : data + 7;
    void *received = is_root ? MPI_IN_PLACE : data;
    int one = is_root ? -1 : 2;
    MPI_Datatype given = is_root ? MPI_DATATYPE_NULL : type;
    FORMS(Gather, gather, is_root ? all : 0, sent, one, given, data, 2, type, last);
    FORMS(Gatherv, gatherv, is_root ? all : 0, sent, one, given, data, counts, places, type, last);
    FORMS(Scatter, scatter, is_root ? all : 2 * spread, data, 2, type, received, one, given, last);
    FORMS(Scatterv, scatterv, is_root ? all : 2 * spread, data, counts, places, type, received, one,
          given, last);
}

static void sums(void) {
    int root = 1, is_root = rank == root, all = 2 * size;
    const void *sent = is_root ? MPI_IN_PLACE : data;
    FORMS(Allreduce, allreduce, 4, MPI_IN_PLACE, data, 3, MPI_INT, MPI_SUM);
    FORMS(Reduce, reduce, is_root ? 4 : 0, sent, is_root ? data : NULL, 3, MPI_INT, MPI_SUM, root);
    FORMS(Scan, scan, 4, MPI_IN_PLACE, data, 3, MPI_INT, MPI_SUM);
    FORMS(Exscan, exscan, rank > 0 ? 4 : 0, MPI_IN_PLACE, data, 3, MPI_INT, MPI_SUM);
    FORMS(Reduce_scatter_block, reduce_scatter_block, 2, MPI_IN_PLACE, data, 2, MPI_INT, MPI_SUM);
    FORMS(Reduce_scatter, reduce_scatter, 2, MPI_IN_PLACE, data, counts, MPI_INT, MPI_SUM);
    say("behind", all);
}

int main(int argc, char **argv) {
    MPI_Datatype apart, spaced;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int i = 0; i < size; i++) {
        counts[i] = 2;
        places[i] = 3 * i;
        offsets[i] = 12 * i;
        types[i] = MPI_INT;
    }
    blocks(MPI_INT, 1);
    MPI_Type_vector(2, 1, 2, MPI_INT, &apart);
    MPI_Type_create_resized(apart, 0, 4 * sizeof(int), &spaced);
    MPI_Type_commit(&spaced);
    blocks(spaced, 4);
    FORMS(Alltoallw, alltoallw, 3 * size, MPI_IN_PLACE, NULL, NULL, NULL, data, counts, offsets,
          types);
    sums();
    /* The type is freed while the data are under way. */
    MPI_Request request;
    fill();
    MPI_Ialltoall(NOTHING, data, 1, spaced, MPI_COMM_WORLD, &request);
    MPI_Type_free(&spaced);
    MPI_Type_free(&apart);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    say("freed", 4 * size);
    MPI_Finalize();
    return 0;
}
