/* Windows of every kind, and every call on them. */
#include <mpi.h>
#include <stdlib.h>

enum { VALUES = 4000 };

static int rank, size, next, last;
static double own[VALUES], other[VALUES];

static void fences(MPI_Win window) {
    MPI_Win_fence(0, window);
    MPI_Put(own, 100, MPI_DOUBLE, next, 10, 100, MPI_DOUBLE, window);
    MPI_Get(other, 50, MPI_INT, last, 0, 50, MPI_INT, window);
    MPI_Win_fence(0, window);
    MPI_Accumulate(own, VALUES / 2, MPI_DOUBLE, next, 0, VALUES / 2, MPI_DOUBLE, MPI_SUM, window);
    MPI_Put(own, 1, MPI_DOUBLE, MPI_PROC_NULL, 0, 1, MPI_DOUBLE, window);
    MPI_Win_fence(0, window);
}

static void groups(MPI_Win window) {
    MPI_Group all, before, after;
    MPI_Win_get_group(window, &all);
    MPI_Group_incl(all, 1, &last, &before);
    MPI_Group_incl(all, 1, &next, &after);
    MPI_Win_post(before, 0, window);
    MPI_Win_start(after, 0, window);
    MPI_Put(own, VALUES, MPI_DOUBLE, next, 0, VALUES, MPI_DOUBLE, window);
    MPI_Win_complete(window);
    MPI_Win_wait(window);
    MPI_Group_free(&all);
    MPI_Group_free(&before);
    MPI_Group_free(&after);
}

static void locks(MPI_Win window) {
    MPI_Request requests[4];
    double one = 1, found;
    long number = 0, expected = 0, old;
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, next, 0, window);
    MPI_Put(own, 300, MPI_DOUBLE, next, 0, 300, MPI_DOUBLE, window);
    MPI_Win_flush(next, window);
    MPI_Get(other, 300, MPI_DOUBLE, next, 0, 300, MPI_DOUBLE, window);
    MPI_Win_flush_local(next, window);
    MPI_Win_unlock(next, window);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_lock(MPI_LOCK_SHARED, last, 0, window);
    MPI_Get(other, 20, MPI_DOUBLE, last, 0, 20, MPI_DOUBLE, window);
    MPI_Win_unlock(last, window);
    MPI_Win_lock_all(0, window);
    MPI_Fetch_and_op(&one, &found, MPI_DOUBLE, next, 5, MPI_SUM, window);
    MPI_Fetch_and_op(NULL, &found, MPI_DOUBLE, next, 5, MPI_NO_OP, window);
    MPI_Compare_and_swap(&number, &expected, &old, MPI_LONG, next, 6, window);
    MPI_Win_flush_all(window);
    MPI_Get_accumulate(own, 40, MPI_DOUBLE, other, 40, MPI_DOUBLE, last, 0, 40, MPI_DOUBLE, MPI_SUM,
                       window);
    MPI_Win_flush_local_all(window);
    MPI_Rput(own, 30, MPI_DOUBLE, next, 0, 30, MPI_DOUBLE, window, &requests[0]);
    MPI_Rget(other, 200, MPI_DOUBLE, next, 500, 200, MPI_DOUBLE, window, &requests[1]);
    MPI_Raccumulate(own, 30, MPI_INT, last, 1000, 30, MPI_INT, MPI_MAX, window, &requests[2]);
    MPI_Rget_accumulate(own, 2, MPI_LONG, other + 300, 2, MPI_LONG, last, 2000, 2, MPI_LONG,
                        MPI_SUM, window, &requests[3]);
    MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
    MPI_Win_unlock_all(window);
}

static void every(MPI_Win window) {
    MPI_Group all;
    MPI_Win_get_group(window, &all);
    MPI_Group_rank(all, &rank);
    MPI_Group_free(&all);
    next = (rank + 1) % size;
    last = (rank + size - 1) % size;
    fences(window);
    groups(window);
    locks(window);
    MPI_Win_free(&window);
}

int main(int argc, char **argv) {
    double *memory;
    MPI_Win window;
    MPI_Comm twisted;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Win_allocate(VALUES * sizeof *memory, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD,
                     &memory, &window);
    every(window);
    MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &twisted);
    memory = calloc(VALUES, sizeof *memory);
    MPI_Win_create(memory, VALUES * sizeof *memory, sizeof *memory, MPI_INFO_NULL, twisted,
                   &window);
    MPI_Comm_free(&twisted);
    every(window);
    free(memory);
    MPI_Finalize();
    return 0;
}
