/* Where one-sided operations are complete at the latest, those with a request among them. */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

#define SAY(...) (printf("%d: ", rank), printf(__VA_ARGS__), printf("\n"))
#define WORLD MPI_COMM_WORLD

enum { WORDS = 8, MANY = 3 };

static int rank, ranks, next, before, got[WORDS], *words;
static MPI_Win window;
static MPI_Request requests[4];

static void fill(int first) {
    MPI_Barrier(WORLD);
    for (int i = 0; i < WORDS; i++) {
        words[i] = first + 10 * rank + i;
        got[i] = -1;
    }
    MPI_Barrier(WORLD);
}

/* All kinds at once; every word of the target is touched by one of them. */
static void begin(int with_requests) {
    static int put = 7, sum = 100, swapped = 5;
    put = 7 + rank;
    if (with_requests) {
        MPI_Rget(&got[0], 1, MPI_INT, next, 0, 1, MPI_INT, window, &requests[0]);
        MPI_Rput(&put, 1, MPI_INT, next, 1, 1, MPI_INT, window, &requests[1]);
        MPI_Raccumulate(&sum, 1, MPI_INT, next, 2, 1, MPI_INT, MPI_SUM, window, &requests[2]);
        MPI_Rget_accumulate(&sum, 1, MPI_INT, &got[3], 1, MPI_INT, next, 3, 1, MPI_INT, MPI_SUM,
                            window, &requests[3]);
    } else {
        MPI_Get(&got[0], 1, MPI_INT, next, 0, 1, MPI_INT, window);
        MPI_Put(&put, 1, MPI_INT, next, 1, 1, MPI_INT, window);
        MPI_Accumulate(&sum, 1, MPI_INT, next, 2, 1, MPI_INT, MPI_SUM, window);
        MPI_Get_accumulate(&sum, 1, MPI_INT, &got[3], 1, MPI_INT, next, 3, 1, MPI_INT, MPI_SUM,
                           window);
    }
    MPI_Fetch_and_op(&swapped, &got[4], MPI_INT, next, 4, MPI_REPLACE, window);
    MPI_Get(&got[5], 1, MPI_INT, next, 5, 1, MPI_INT, window);
}

static void say_got(const char *when) {
    SAY("%s got %d %d %d %d", when, got[0], got[3], got[4], got[5]);
}

static void say_words(const char *when) {
    SAY("%s has %d %d %d %d", when, words[1], words[2], words[3], words[4]);
}

/* What another one wrote, in an epoch of locks. */
static void end(const char *when, int with_requests) {
    say_got(when);
    if (with_requests) {
        MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
        say_got("and waited");
    }
    MPI_Barrier(WORLD);
    MPI_Win_lock(MPI_LOCK_SHARED, rank, 0, window);
    say_words(when);
    MPI_Win_unlock(rank, window);
}

static void by_locks(int with_requests) {
    fill(1000);
    MPI_Win_lock(MPI_LOCK_SHARED, next, 0, window);
    begin(with_requests);
    MPI_Win_unlock(next, window);
    end("unlock", with_requests);
    fill(2000);
    MPI_Win_lock_all(0, window);
    begin(with_requests);
    MPI_Win_unlock_all(window);
    end("unlock_all", with_requests);
    for (int way = 0; way < 4; way++) {
        fill(3000 + 1000 * way);
        MPI_Win_lock_all(0, window);
        begin(with_requests);
        if (way == 0) {
            MPI_Win_flush(next, window);
        } else if (way == 1) {
            MPI_Win_flush_all(window);
        } else if (way == 2) {
            MPI_Win_flush_local(next, window);
        } else {
            MPI_Win_flush_local_all(window);
        }
        say_got("flush");
        MPI_Win_unlock_all(window);
        end("flush and unlock_all", with_requests);
    }
}

static void by_fences(void) {
    fill(9000);
    MPI_Win_fence(0, window);
    begin(0);
    MPI_Win_fence(0, window);
    say_got("fence");
    say_words("fence");
}

static void by_groups(int tests) {
    MPI_Group world, origins, targets;
    MPI_Comm_group(WORLD, &world);
    MPI_Group_incl(world, 1, &before, &origins);
    MPI_Group_incl(world, 1, &next, &targets);
    for (int turn = 0; turn < MANY; turn++) {
        fill(10000 + 1000 * turn);
        MPI_Win_post(origins, 0, window);
        MPI_Win_start(targets, 0, window);
        begin(0);
        MPI_Win_complete(window);
        say_got("complete");
        if (tests) {
            for (int flag = 0; !flag;) {
                MPI_Win_test(window, &flag);
            }
        } else {
            MPI_Win_wait(window);
        }
        say_words("wait");
    }
    MPI_Group_free(&world);
    MPI_Group_free(&origins);
    MPI_Group_free(&targets);
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(WORLD, &rank);
    MPI_Comm_size(WORLD, &ranks);
    next = (rank + 1) % ranks;
    before = (rank + ranks - 1) % ranks;
    MPI_Win_allocate(sizeof got, sizeof *words, MPI_INFO_NULL, WORLD, &words, &window);
    by_locks(0);
    by_locks(1);
    by_fences();
    by_groups(0);
    by_groups(1);
    MPI_Win_free(&window);
    MPI_Finalize();
    return 0;
}
