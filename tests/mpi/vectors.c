/* Collectives with unequal blocks, in place, with holes between elements, with counts of 0. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 400 };

static int rank;
static int size;
static int counts[16];
static int places[16];

static void say(const char *what, const int *numbers, int count) {
    printf("%d: %s", rank, what);
    for (int i = 0; i < count; i++) {
        printf(" %d", numbers[i]);
    }
    printf("\n");
}

/* Rank i has i elements; one place is left free between blocks. */
static int unequal(int step) {
    int end = 0;
    for (int i = 0; i < size; i++) {
        counts[i] = i * step;
        places[i] = end;
        end += counts[i] + 1;
    }
    return end;
}

static void clear(int *numbers) {
    for (int i = 0; i < MOST; i++) {
        numbers[i] = -1;
    }
}

static void fill(int *numbers) {
    for (int i = 0; i < MOST; i++) {
        numbers[i] = 1000 * rank + i;
    }
}

static void vectors(MPI_Datatype type, int spread) {
    int own[MOST], got[MOST], end = unequal(2) * spread;
    for (int root = 0; root < size; root += size > 1 ? size - 1 : 1) {
        fill(own);
        clear(got);
        MPI_Gatherv(own, counts[rank], type, got, counts, places, type, root, MPI_COMM_WORLD);
        say("gatherv", got, rank == root ? end : 0);
        clear(got);
        MPI_Scatterv(own, counts, places, type, got, counts[rank], type, root, MPI_COMM_WORLD);
        say("scatterv", got, counts[rank] * spread);
        fill(own);
        MPI_Gatherv(rank == root ? MPI_IN_PLACE : own, counts[rank], type, own, counts, places,
                    type, root, MPI_COMM_WORLD);
        say("gatherv in place", own, rank == root ? end : 0);
        fill(own);
        MPI_Scatterv(own, counts, places, type, rank == root ? MPI_IN_PLACE : got, counts[rank],
                     type, root, MPI_COMM_WORLD);
        say("scatterv in place", rank == root ? own : got, counts[rank] * spread);
    }
    fill(own);
    clear(got);
    MPI_Allgatherv(own, counts[rank], type, got, counts, places, type, MPI_COMM_WORLD);
    say("allgatherv", got, end);
    fill(got);
    MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, got, counts, places, type, MPI_COMM_WORLD);
    say("allgatherv in place", got, end);
}

/* Rank i sends i + j elements to rank j. */
static void personal(MPI_Datatype type, int spread) {
    int own[MOST], got[MOST], sent[16], sent_at[16], taken[16], taken_at[16], end = 0;
    for (int i = 0; i < size; i++) {
        sent[i] = taken[i] = (rank + i) % 4;
        sent_at[i] = taken_at[i] = end;
        end += sent[i] + 1;
    }
    fill(own);
    clear(got);
    MPI_Alltoallv(own, sent, sent_at, type, got, taken, taken_at, type, MPI_COMM_WORLD);
    say("alltoallv", got, end * spread);
    fill(got);
    MPI_Alltoallv(MPI_IN_PLACE, NULL, NULL, MPI_DATATYPE_NULL, got, taken, taken_at, type,
                  MPI_COMM_WORLD);
    say("alltoallv in place", got, end * spread);
}

static void of_every_type(void) {
    int own[MOST], got[MOST], sent[16], sent_at[16], taken[16], taken_at[16];
    MPI_Datatype types[16], pairs[16], apart;
    MPI_Type_vector(2, 1, 2, MPI_INT, &apart);
    MPI_Type_commit(&apart);
    for (int i = 0; i < size; i++) {
        sent[i] = taken[i] = 2;
        types[i] = apart;
        pairs[i] = MPI_2INT;
        sent_at[i] = 40 * i;
        taken_at[i] = 24 * i;
    }
    fill(own);
    clear(got);
    MPI_Alltoallw(own, sent, sent_at, types, got, taken, taken_at, pairs, MPI_COMM_WORLD);
    say("alltoallw", got, 6 * size);
    MPI_Type_free(&apart);
}

/* Equal blocks of types with holes. */
static void with_holes(void) {
    int own[MOST], got[MOST];
    MPI_Datatype apart, resized;
    MPI_Type_vector(2, 1, 3, MPI_INT, &apart);
    MPI_Type_create_resized(apart, 0, 5 * sizeof(int), &resized);
    MPI_Type_commit(&resized);
    for (int root = 0; root < size; root += size > 1 ? size - 1 : 1) {
        fill(own);
        MPI_Bcast(own, 2, resized, root, MPI_COMM_WORLD);
        say("bcast", own, 11);
        fill(own);
        clear(got);
        MPI_Gather(own, 1, resized, got, 2, MPI_INT, root, MPI_COMM_WORLD);
        say("gather", got, rank == root ? 2 * size : 0);
        clear(got);
        MPI_Scatter(own, 2, MPI_INT, got, 1, resized, root, MPI_COMM_WORLD);
        say("scatter", got, 5);
    }
    clear(got);
    MPI_Allgather(own, 2, MPI_INT, got, 1, resized, MPI_COMM_WORLD);
    say("allgather", got, 5 * size);
    fill(got);
    MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, got, 1, resized, MPI_COMM_WORLD);
    say("allgather in place", got, 5 * size);
    clear(got);
    MPI_Alltoall(own, 2, MPI_INT, got, 1, resized, MPI_COMM_WORLD);
    say("alltoall", got, 5 * size);
    fill(got);
    MPI_Alltoall(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, got, 1, resized, MPI_COMM_WORLD);
    say("alltoall in place", got, 5 * size);
    vectors(resized, 5);
    personal(resized, 5);
    MPI_Type_free(&apart);
    MPI_Type_free(&resized);
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    vectors(MPI_INT, 1);
    personal(MPI_INT, 1);
    of_every_type();
    with_holes();
    MPI_Finalize();
    return 0;
}
