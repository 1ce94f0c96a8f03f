/* Four threads of each rank compute, at once or, with an argument, one after the other. */
#include <mpi.h>
#include <pthread.h>
#include <stddef.h>

enum { THREADS = 4, STEPS = 2000000 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static int ready;

static void *run(void *locks) {
    volatile double sum = 0;
    pthread_mutex_lock(&mutex);
    ready++;
    pthread_cond_broadcast(&condition);
    while (ready < THREADS) {
        pthread_cond_wait(&condition, &mutex);
    }
    pthread_mutex_unlock(&mutex);
    if (locks != NULL) {
        pthread_mutex_lock(&mutex);
    }
    for (int i = 0; i < STEPS; i++) {
        sum += i;
    }
    if (locks != NULL) {
        pthread_mutex_unlock(&mutex);
    }
    return NULL;
}

int main(int argc, char **argv) {
    int provided;
    pthread_t threads[THREADS];
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    for (int i = 0; i < THREADS; i++) {
        pthread_create(&threads[i], NULL, run, argc > 1 ? argv[1] : NULL);
    }
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
    }
    MPI_Finalize();
    return 0;
}
