/* Threads of a rank share a window: what one has flushed is complete, whoever else flushes. */
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>

#define SAY(...) (printf("%d: ", rank), printf(__VA_ARGS__), printf("\n"))
#define WORLD MPI_COMM_WORLD

enum { THREADS = 6, TURNS = 40, WORDS = THREADS + 2 };

static int rank, ranks, bad[THREADS];
static long *words;
static MPI_Win window;

static void begin_and_join(void *(*work)(void *), const char *name) {
    pthread_t threads[THREADS];
    int wrong = 0;
    for (long i = 0; i < THREADS; i++) {
        bad[i] = 0;
        pthread_create(&threads[i], NULL, work, (void *)i);
    }
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
        wrong += bad[i];
    }
    MPI_Barrier(WORLD);
    MPI_Win_sync(window);
    SAY("%s: %d wrong, %ld", name, wrong, words[0]);
    MPI_Barrier(WORLD);
}

/* As many +1 as -1: each sum is made once. */
static void *add(void *argument) {
    long one = (long)argument % 2 ? -1 : 1, old;
    for (int i = 0; i < TURNS; i++) {
        MPI_Fetch_and_op(&one, &old, MPI_LONG, 0, 0, MPI_SUM, window);
        if (i % 3 == 0) {
            MPI_Win_flush_all(window);
        } else {
            MPI_Win_flush(0, window);
        }
    }
    return NULL;
}

/* The others only begin their sums; one flushes for all. */
static void *add_and_leave(void *argument) {
    long one = 1, old;
    MPI_Accumulate(&one, 1, MPI_LONG, 0, 0, 1, MPI_LONG, MPI_SUM, window);
    MPI_Fetch_and_op(&one, &old, MPI_LONG, 0, 0, MPI_SUM, window);
    if (argument == NULL) {
        MPI_Win_flush_local(0, window);
    }
    MPI_Win_flush(0, window);
    return NULL;
}

/* Each has a word of its own at the next rank, and reads what it has put there. */
static void *put_and_get(void *argument) {
    int me = (int)(long)argument, next = (rank + 1) % ranks;
    for (int i = 0; i < TURNS; i++) {
        long put = 1000 * me + i, got = -1;
        MPI_Put(&put, 1, MPI_LONG, next, 2 + me, 1, MPI_LONG, window);
        MPI_Win_flush(next, window);
        MPI_Get(&got, 1, MPI_LONG, next, 2 + me, 1, MPI_LONG, window);
        if (me % 2) {
            MPI_Win_flush_local(next, window);
        } else {
            MPI_Win_flush_all(window);
        }
        bad[me] += got != put;
    }
    return NULL;
}

/* The same by requests, which a flush of another thread may have completed. */
static void *by_requests(void *argument) {
    int me = (int)(long)argument, next = (rank + 1) % ranks;
    for (int i = 0; i < TURNS; i++) {
        long put = -1000 * me - i, got = -1;
        MPI_Request request;
        MPI_Rput(&put, 1, MPI_LONG, next, 2 + me, 1, MPI_LONG, window, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        MPI_Win_flush(next, window);
        MPI_Rget(&got, 1, MPI_LONG, next, 2 + me, 1, MPI_LONG, window, &request);
        if (me % 2) {
            MPI_Win_flush_local_all(window);
            bad[me] += got != put;
        }
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        bad[me] += got != put;
    }
    return NULL;
}

/* A lock that threads take in turn, and a counter that only its holder changes. */
static void *swap(void *argument) {
    long me = 1 + rank * THREADS + (long)argument, free = 0, old, got;
    for (int i = 0; i < 5; i++) {
        do {
            MPI_Compare_and_swap(&me, &free, &old, MPI_LONG, 0, 1, window);
            MPI_Win_flush(0, window);
        } while (old != 0);
        MPI_Get(&got, 1, MPI_LONG, 0, 0, 1, MPI_LONG, window);
        MPI_Win_flush(0, window);
        got++;
        MPI_Put(&got, 1, MPI_LONG, 0, 0, 1, MPI_LONG, window);
        MPI_Win_flush(0, window);
        MPI_Fetch_and_op(&free, &old, MPI_LONG, 0, 1, MPI_REPLACE, window);
        MPI_Win_flush(0, window);
        bad[(long)argument] += old != me;
    }
    return NULL;
}

int main(int argc, char **argv) {
    int level;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    MPI_Comm_rank(WORLD, &rank);
    MPI_Comm_size(WORLD, &ranks);
    MPI_Win_allocate(WORDS * sizeof *words, sizeof *words, MPI_INFO_NULL, WORLD, &words, &window);
    MPI_Win_lock_all(0, window);
    for (int i = 0; i < WORDS; i++) {
        words[i] = 0;
    }
    MPI_Win_sync(window);
    MPI_Barrier(WORLD);
    begin_and_join(add, "sums");
    begin_and_join(add_and_leave, "sums of others");
    begin_and_join(put_and_get, "words");
    begin_and_join(by_requests, "words by requests");
    begin_and_join(swap, "a lock");
    MPI_Win_unlock_all(window);
    MPI_Win_free(&window);
    MPI_Finalize();
    return 0;
}
