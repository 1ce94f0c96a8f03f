/* Kinds of locks, and waiting that ends at a time, on the only thread of a rank. */
#define _GNU_SOURCE
#include <errno.h>
#include <mpi.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <time.h>

#define SAY(...) (printf("%d: ", rank), printf(__VA_ARGS__), printf("\n"))

enum { LONG_MS = 20 };

static int rank;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static sem_t units;

static void kinds(void) {
    pthread_mutexattr_t attributes;
    pthread_mutex_t recursive, checked;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&recursive, &attributes);
    pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_ERRORCHECK);
    pthread_mutex_init(&checked, &attributes);
    pthread_mutex_lock(&recursive);
    int again = pthread_mutex_trylock(&recursive);
    pthread_mutex_unlock(&recursive);
    pthread_mutex_unlock(&recursive);
    int too_often = pthread_mutex_unlock(&recursive) == EPERM;
    pthread_mutex_lock(&checked);
    int twice = pthread_mutex_lock(&checked) == EDEADLK;
    int busy = pthread_mutex_trylock(&checked) == EBUSY;
    pthread_mutex_unlock(&checked);
    SAY("kinds %d %d %d %d %d", again, too_often, twice, busy, pthread_mutex_destroy(&checked));
}

static struct timespec after(int ms) {
    struct timespec time;
    clock_gettime(CLOCK_REALTIME, &time);
    time.tv_nsec += ms * 1000000L;
    time.tv_sec += time.tv_nsec / 1000000000;
    time.tv_nsec %= 1000000000;
    return time;
}

static void until(void) {
    struct timespec time = after(LONG_MS);
    double begun = MPI_Wtime();
    pthread_mutex_lock(&mutex);
    int is_late = pthread_cond_timedwait(&condition, &mutex, &time) == ETIMEDOUT;
    pthread_mutex_unlock(&mutex);
    time = after(LONG_MS);
    int no_unit = sem_timedwait(&units, &time) != 0 && errno == ETIMEDOUT;
    double waited = MPI_Wtime() - begun;
    SAY("until %d %d %d", is_late, no_unit, waited > LONG_MS * 0.9e-3 && waited < 60);
}

int main(int argc, char **argv) {
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    sem_init(&units, 0, 0);
    kinds();
    until();
    return MPI_Finalize();
}
