/* Threads of C11 in ranks, and handlers of pthreads that clean up. */
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <threads.h>

#define SAY(...) (printf("%d: ", rank), printf(__VA_ARGS__), printf("\n"))

enum { THREADS = 4, ROUNDS = 100 };

static int rank, size, counter, turn, initialised, destroyed;
static mtx_t mutex;
static cnd_t condition;
static tss_t key;
static once_flag once = ONCE_FLAG_INIT;
static _Thread_local int own;

static void count_once(void) {
    initialised++;
}

static void destroy(void *value) {
    destroyed += *(int *)value;
}

/* Each adds, waits for its turn, and returns a number; the odd ones leave by thrd_exit. */
static int run(void *number_) {
    int number = *(int *)number_;
    call_once(&once, count_once);
    tss_set(key, number_);
    for (int i = 0; i < ROUNDS; i++) {
        mtx_lock(&mutex);
        counter++;
        own++;
        mtx_unlock(&mutex);
        thrd_yield();
    }
    mtx_lock(&mutex);
    while (turn != number) {
        cnd_wait(&condition, &mutex);
    }
    turn++;
    cnd_broadcast(&condition);
    mtx_unlock(&mutex);
    int result = own + number + *(int *)tss_get(key);
    if (number % 2 != 0) {
        thrd_exit(result);
    }
    return result;
}

static void show_threads(void) {
    thrd_t threads[THREADS];
    int numbers[THREADS], result;
    mtx_init(&mutex, mtx_plain);
    cnd_init(&condition);
    tss_create(&key, destroy);
    for (int i = 0; i < THREADS; i++) {
        numbers[i] = i;
        SAY("begun: %d", thrd_create(&threads[i], run, &numbers[i]) == thrd_success);
    }
    for (int i = 0; i < THREADS; i++) {
        int code = thrd_join(threads[i], &result);
        SAY("joined: %d, %d", code == thrd_success, result);
    }
    SAY("%d counted, %d once, %d destroyed, %d own", counter, initialised, destroyed, own);
    SAY("trylock: %d, %d", mtx_trylock(&mutex) == thrd_success, mtx_trylock(&mutex) == thrd_busy);
    mtx_unlock(&mutex);
    SAY("the same: %d", thrd_equal(thrd_current(), thrd_current()) != 0);
    tss_delete(key);
    cnd_destroy(&condition);
    mtx_destroy(&mutex);
}

static void clean(void *value) {
    SAY("cleans %d", *(int *)value);
}

/* A message comes while a handler waits for the end. */
static void *receive(void *argument) {
    int one = 1, two = 2, three = 3, number = -1;
    pthread_cleanup_push(clean, &one);
    pthread_cleanup_push(clean, &two);
    pthread_cleanup_push(clean, &three);
    MPI_Recv(&number, 1, MPI_INT, (rank + size - 1) % size, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    pthread_cleanup_pop(0);
    SAY("received %d", number);
    if (argument != NULL) {
        pthread_exit(argument);
    }
    pthread_cleanup_pop(1);
    pthread_cleanup_pop(0);
    return argument;
}

static void show_handlers(void *argument) {
    pthread_t thread;
    void *result = NULL;
    int number = rank * 11;
    pthread_create(&thread, NULL, receive, argument);
    MPI_Send(&number, 1, MPI_INT, (rank + 1) % size, 5, MPI_COMM_WORLD);
    pthread_join(thread, &result);
    SAY("result: %d", result == argument);
}

int main(int argc, char **argv) {
    int provided, here;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    show_threads();
    show_handlers(NULL);
    show_handlers(&here);
    MPI_Finalize();
    return 0;
}
