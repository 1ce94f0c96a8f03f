/* Threads of ranks: each receives for itself while others wait, compute or lock. */
#define _GNU_SOURCE
#include <errno.h>
#include <mpi.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SAY(...) (printf("%d: ", rank), printf(__VA_ARGS__), printf("\n"))
#define WORLD MPI_COMM_WORLD

enum { THREADS = 4, ROUNDS = 25 };

static int rank, ranks, next, before;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static int counter;
static __thread int own_counter;
static pthread_key_t key;
static int ended_values;

static void begin(pthread_t *threads, void *(*run)(void *)) {
    for (long i = 0; i < THREADS; i++) {
        pthread_create(&threads[i], NULL, run, (void *)i);
    }
}

static long join(pthread_t *threads) {
    long sum = 0;
    for (int i = 0; i < THREADS; i++) {
        void *result = NULL;
        pthread_join(threads[i], &result);
        sum += (long)result;
    }
    return sum;
}

static long run(void *(*function)(void *)) {
    pthread_t threads[THREADS];
    begin(threads, function);
    return join(threads);
}

/* Every thread has a tag of its own, and the threads of a rank are in their calls at once. */
static void *ping(void *argument) {
    int tag = (int)(long)argument, got = 0, sum = 0;
    for (int i = 0; i < ROUNDS; i++) {
        int number = 1000 * rank + 10 * i + tag;
        if (rank % 2 == 0) {
            MPI_Send(&number, 1, MPI_INT, next, tag, WORLD);
            MPI_Recv(&got, 1, MPI_INT, before, tag, WORLD, MPI_STATUS_IGNORE);
        } else {
            MPI_Recv(&got, 1, MPI_INT, before, tag, WORLD, MPI_STATUS_IGNORE);
            MPI_Send(&number, 1, MPI_INT, next, tag, WORLD);
        }
        sum += got;
        own_counter++;
        errno = tag;
    }
    return (void *)(long)(sum + own_counter + errno);
}

static void *lock(void *argument) {
    (void)argument;
    for (int i = 0; i < ROUNDS; i++) {
        pthread_mutex_lock(&mutex);
        int seen = counter;
        sched_yield();
        counter = seen + 1;
        pthread_mutex_unlock(&mutex);
    }
    return NULL;
}

/* A queue that one thread fills with what it receives and the others empty. */
static int queue[ROUNDS * THREADS], filled, taken;

static void *produce(void *argument) {
    long sum = 0;
    if (argument == NULL) {
        for (int i = 0; i < ROUNDS; i++) {
            int got;
            MPI_Sendrecv(&i, 1, MPI_INT, next, 7, &got, 1, MPI_INT, before, 7, WORLD,
                         MPI_STATUS_IGNORE);
            pthread_mutex_lock(&mutex);
            queue[filled++] = got;
            pthread_cond_signal(&condition);
            pthread_mutex_unlock(&mutex);
        }
        pthread_mutex_lock(&mutex);
        filled += THREADS;
        pthread_cond_broadcast(&condition);
        pthread_mutex_unlock(&mutex);
        return NULL;
    }
    for (;;) {
        pthread_mutex_lock(&mutex);
        while (taken == filled) {
            pthread_cond_wait(&condition, &mutex);
        }
        int at = taken++;
        pthread_mutex_unlock(&mutex);
        if (at >= ROUNDS) {
            return (void *)sum;
        }
        sum += queue[at];
    }
}

static volatile int flag;

static void *spin(void *argument) {
    if (argument == NULL) {
        int got = 0;
        MPI_Sendrecv(&rank, 1, MPI_INT, next, 8, &got, 1, MPI_INT, before, 8, WORLD,
                     MPI_STATUS_IGNORE);
        flag = 1;
        return (void *)(long)(got == before);
    }
    while (!flag) {
        sched_yield();
    }
    return (void *)1L;
}

/* The last thread sends, the others test: one of them gets the message. */
static void *test(void *argument) {
    static MPI_Request request;
    static int got = -1, done;
    if ((long)argument == THREADS - 1) {
        MPI_Send(&rank, 1, MPI_INT, next, 9, WORLD);
    }
    if (argument == NULL) {
        MPI_Irecv(&got, 1, MPI_INT, before, 9, WORLD, &request);
        for (int is_done = 0; !is_done;) {
            MPI_Test(&request, &is_done, MPI_STATUS_IGNORE);
        }
        pthread_mutex_lock(&mutex);
        done = 1;
        pthread_cond_broadcast(&condition);
        pthread_mutex_unlock(&mutex);
        return (void *)(long)(got == before);
    }
    pthread_mutex_lock(&mutex);
    while (!done) {
        pthread_cond_wait(&condition, &mutex);
    }
    pthread_mutex_unlock(&mutex);
    return NULL;
}

static MPI_Comm comms[THREADS];

static void *collect(void *argument) {
    int at = (int)(long)argument, sum = 0, number = rank + at;
    for (int i = 0; i < ROUNDS; i++) {
        int found;
        MPI_Allreduce(&number, &found, 1, MPI_INT, MPI_SUM, comms[at]);
        MPI_Bcast(&found, 1, MPI_INT, i % ranks, comms[at]);
        MPI_Barrier(comms[at]);
        sum += found;
    }
    return (void *)(long)sum;
}

static pthread_barrier_t barrier;
static pthread_spinlock_t spinlock;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static sem_t units;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static int inside, most_inside, once_calls;

static void count_once(void) {
    once_calls++;
}

static void *meet(void *argument) {
    long serial = 0;
    for (int i = 0; i < ROUNDS; i++) {
        pthread_once(&once, count_once);
        serial += pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD;
        pthread_spin_lock(&spinlock);
        counter++;
        pthread_spin_unlock(&spinlock);
        pthread_rwlock_rdlock(&rwlock);
        int seen = most_inside;
        pthread_rwlock_unlock(&rwlock);
        sem_wait(&units);
        pthread_rwlock_wrlock(&rwlock);
        most_inside = ++inside > seen ? inside : seen;
        pthread_rwlock_unlock(&rwlock);
        MPI_Sendrecv(&i, 1, MPI_INT, rank, (int)(long)argument, &seen, 1, MPI_INT, rank,
                     (int)(long)argument, WORLD, MPI_STATUS_IGNORE);
        pthread_rwlock_wrlock(&rwlock);
        inside--;
        pthread_rwlock_unlock(&rwlock);
        sem_post(&units);
    }
    return (void *)serial;
}

static void end_value(void *value) {
    ended_values += *(int *)value;
    free(value);
}

static void *keep(void *argument) {
    int *value = malloc(sizeof *value);
    *value = (int)(long)argument + 1;
    pthread_setspecific(key, value);
    sched_yield();
    if (pthread_getspecific(key) != value || !pthread_equal(pthread_self(), pthread_self())) {
        return NULL;
    }
    pthread_exit((void *)10L);
}

static void *is_main(void *argument) {
    int flag = 1;
    MPI_Is_thread_main(&flag);
    return argument == NULL ? (void *)(long)flag : NULL;
}

static void *leave(void *argument) {
    sched_yield();
    SAY("a detached thread ends %s", (const char *)argument);
    MPI_Barrier(WORLD);
    MPI_Finalize();
    return NULL;
}

int main(int argc, char **argv) {
    int provided, flag_of_main;
    long found;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(WORLD, &rank);
    MPI_Comm_size(WORLD, &ranks);
    next = (rank + 1) % ranks;
    before = (rank + ranks - 1) % ranks;
    MPI_Is_thread_main(&flag_of_main);
    found = run(is_main);
    SAY("multiple %d, main %d, others %ld", provided == MPI_THREAD_MULTIPLE, flag_of_main, found);
    errno = 77;
    found = run(ping);
    SAY("ping %ld, own %d, errno %d", found, own_counter, errno);
    found = run(lock);
    SAY("lock %ld, counter %d", found, counter);
    found = run(produce);
    SAY("queue %ld", found);
    found = run(spin);
    SAY("spin %ld", found);
    found = run(test);
    SAY("test %ld", found);
    for (int i = 0; i < THREADS; i++) {
        MPI_Comm_dup(WORLD, &comms[i]);
    }
    found = run(collect);
    SAY("collect %ld", found);
    pthread_barrier_init(&barrier, NULL, THREADS);
    pthread_spin_init(&spinlock, PTHREAD_PROCESS_PRIVATE);
    sem_init(&units, 0, 2);
    long serial = run(meet);
    int left = 0;
    sem_getvalue(&units, &left);
    SAY("meet %ld, counter %d, once %d, within %d, left %d", serial, counter, once_calls,
        most_inside <= 2, left);
    pthread_key_create(&key, end_value);
    long kept = run(keep);
    SAY("keys %ld, ended %d, main %d", kept, ended_values, pthread_getspecific(key) == NULL);
    pthread_t thread;
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, 1 << 20);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    fflush(stdout);
    pthread_create(&thread, &attributes, leave, "late");
    pthread_exit(NULL);
}
