/* Pairs of a value and a place, accumulated in windows. */
#include <mpi.h>
#include <stdio.h>

#define SAY(...) (printf("%d: ", rank), printf(__VA_ARGS__), printf("\n"))

struct double_int {
    double value;
    int place;
};
struct short_int {
    short value;
    int place;
};

enum { PAIRS = 4 };

static int rank, size;

/* Every rank sends pairs to rank 0, which keeps the largest and where they came from. */
static void show_doubles(void) {
    struct double_int kept[PAIRS], own[PAIRS];
    MPI_Win win;
    for (int i = 0; i < PAIRS; i++) {
        kept[i] = (struct double_int){-1.5, 1000};
        own[i] = (struct double_int){(rank * 5 + i * 3) % 7 + 0.5, rank};
    }
    MPI_Win_create(kept, sizeof kept, sizeof *kept, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_fence(0, win);
    MPI_Accumulate(own, PAIRS, MPI_DOUBLE_INT, 0, 0, PAIRS, MPI_DOUBLE_INT, MPI_MAXLOC, win);
    MPI_Win_fence(0, win);
    for (int i = 0; i < PAIRS; i++) {
        SAY("the largest is %.1f at %d", kept[i].value, kept[i].place);
    }
    MPI_Win_fence(0, win);
    MPI_Accumulate(own, PAIRS, MPI_DOUBLE_INT, size - 1, 0, PAIRS, MPI_DOUBLE_INT, MPI_MINLOC, win);
    MPI_Win_fence(0, win);
    for (int i = 0; i < PAIRS; i++) {
        SAY("the least is %.1f at %d", kept[i].value, kept[i].place);
    }
    MPI_Win_free(&win);
}

/* Gets what was there before: of a neighbour, so that the order of ranks does not count. */
static void show_shorts(void) {
    struct short_int kept[2] = {{3, 70}, {4, 80}}, own[2] = {{3, rank}, {9, rank}}, before[2];
    struct short_int put[2] = {{-1, -2}, {-3, -4}};
    int next = (rank + 1) % size;
    MPI_Datatype both;
    MPI_Win win;
    MPI_Type_contiguous(2, MPI_SHORT_INT, &both);
    MPI_Type_commit(&both);
    MPI_Win_create(kept, sizeof kept, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, next, 0, win);
    MPI_Get_accumulate(own, 1, both, before, 2, MPI_SHORT_INT, next, 0, 1, both, MPI_MAXLOC, win);
    MPI_Win_unlock(next, win);
    MPI_Barrier(MPI_COMM_WORLD);
    for (int i = 0; i < 2; i++) {
        SAY("%d at %d was there, and %d at %d is here", before[i].value, before[i].place,
            kept[i].value, kept[i].place);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, next, 0, win);
    MPI_Get_accumulate(put, 2, MPI_SHORT_INT, before, 2, MPI_SHORT_INT, next, 0, 2, MPI_SHORT_INT,
                       MPI_REPLACE, win);
    MPI_Win_unlock(next, win);
    MPI_Barrier(MPI_COMM_WORLD);
    SAY("%d at %d was there, and %d at %d is here", before[1].value, before[1].place, kept[1].value,
        kept[1].place);
    MPI_Win_free(&win);
    MPI_Type_free(&both);
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    show_doubles();
    show_shorts();
    MPI_Finalize();
    return 0;
}
