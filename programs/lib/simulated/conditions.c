/* Threads that wait for each other: conditions, barriers, semaphores, and what runs once. */
#define _GNU_SOURCE
#include "mgen_threads.h"
#include <errno.h>
#include <semaphore.h>

/* A thread that holds a recursive mutex several times has it as often afterwards. */
static int wait_for(const char *call, pthread_cond_t *condition, pthread_mutex_t *mutex,
                    clockid_t clock, const struct timespec *time) {
    unsigned count = mutex->__data.__count;
    mgen_reach(call);
    mgen_unlock(mutex);
    int is_woken = mgen_wait_at(call, condition, clock, time);
    mgen_lock(call, mutex, clock, NULL);
    mutex->__data.__count = count;
    return is_woken ? 0 : ETIMEDOUT;
}

OF_A_RANK int pthread_cond_wait(pthread_cond_t *condition, pthread_mutex_t *mutex) {
    return wait_for("pthread_cond_wait", condition, mutex, CLOCK_REALTIME, NULL);
}

/* The library notes in this bit that a condition has the other clock. */
enum { MONOTONIC = 2 };

OF_A_RANK int pthread_cond_timedwait(pthread_cond_t *condition, pthread_mutex_t *mutex,
                                     const struct timespec *time) {
    int is_monotonic = (condition->__data.__wrefs & MONOTONIC) != 0;
    clockid_t clock = is_monotonic ? CLOCK_MONOTONIC : CLOCK_REALTIME;
    return wait_for("pthread_cond_timedwait", condition, mutex, clock, time);
}

OF_A_RANK int pthread_cond_clockwait(pthread_cond_t *condition, pthread_mutex_t *mutex,
                                     clockid_t clock, const struct timespec *time) {
    return wait_for("pthread_cond_clockwait", condition, mutex, clock, time);
}

OF_A_RANK int pthread_cond_signal(pthread_cond_t *condition) {
    mgen_reach("pthread_cond_signal");
    mgen_wake_at(condition, 1);
    return 0;
}

OF_A_RANK int pthread_cond_broadcast(pthread_cond_t *condition) {
    mgen_reach("pthread_cond_broadcast");
    mgen_wake_at(condition, ALL_THREADS);
    return 0;
}

struct barrier {
    unsigned needed;
    unsigned here;
};

_Static_assert(sizeof(struct barrier) <= sizeof(pthread_barrier_t), "a barrier has room for it");

OF_A_RANK int pthread_barrier_init(pthread_barrier_t *barrier,
                                   const pthread_barrierattr_t *attributes, unsigned count) {
    (void)attributes;
    if (count == 0) {
        return EINVAL;
    }
    *(struct barrier *)barrier = (struct barrier){.needed = count};
    return 0;
}

OF_A_RANK int pthread_barrier_destroy(pthread_barrier_t *barrier) {
    return ((struct barrier *)barrier)->here > 0 ? EBUSY : 0;
}

OF_A_RANK int pthread_barrier_wait(pthread_barrier_t *shared) {
    struct barrier *barrier = (struct barrier *)shared;
    mgen_reach("pthread_barrier_wait");
    if (++barrier->here == barrier->needed) {
        barrier->here = 0;
        mgen_wake_at(barrier, ALL_THREADS);
        return PTHREAD_BARRIER_SERIAL_THREAD;
    }
    mgen_wait_at("pthread_barrier_wait", barrier, CLOCK_REALTIME, NULL);
    return 0;
}

static int failed(int code) {
    errno = code;
    return -1;
}

/* The value of a semaphore stands where its memory begins. */
static unsigned *value_of(sem_t *semaphore) {
    return (unsigned *)semaphore;
}

OF_A_RANK int sem_init(sem_t *semaphore, int shared, unsigned value) {
    (void)shared;
    *value_of(semaphore) = value;
    return 0;
}

OF_A_RANK int sem_destroy(sem_t *semaphore) {
    (void)semaphore;
    return 0;
}

/* Who posts gives the unit to the first that waits. */
static int take(const char *call, sem_t *semaphore, clockid_t clock, const struct timespec *time) {
    mgen_reach(call);
    if (*value_of(semaphore) > 0) {
        --*value_of(semaphore);
        return 0;
    }
    return mgen_wait_at(call, semaphore, clock, time) ? 0 : failed(ETIMEDOUT);
}

OF_A_RANK int sem_wait(sem_t *semaphore) {
    return take("sem_wait", semaphore, CLOCK_REALTIME, NULL);
}

OF_A_RANK int sem_timedwait(sem_t *semaphore, const struct timespec *time) {
    return take("sem_timedwait", semaphore, CLOCK_REALTIME, time);
}

OF_A_RANK int sem_clockwait(sem_t *semaphore, clockid_t clock, const struct timespec *time) {
    return take("sem_clockwait", semaphore, clock, time);
}

OF_A_RANK int sem_trywait(sem_t *semaphore) {
    mgen_reach("sem_trywait");
    if (*value_of(semaphore) == 0) {
        return failed(EAGAIN);
    }
    --*value_of(semaphore);
    return 0;
}

OF_A_RANK int sem_post(sem_t *semaphore) {
    mgen_reach("sem_post");
    if (mgen_wake_at(semaphore, 1) == 0) {
        ++*value_of(semaphore);
    }
    return 0;
}

OF_A_RANK int sem_getvalue(sem_t *semaphore, int *value) {
    *value = (int)*value_of(semaphore);
    return 0;
}

enum { MAY_RUN, RUNS, HAS_RUN };

/* Who has begun it ends it, or lets another thread begin it if an exception of C++ ended it. */
struct begun {
    pthread_once_t *once;
    int state;
};

static void end_once(const struct begun *begun) {
    *begun->once = begun->state;
    mgen_wake_at(begun->once, ALL_THREADS);
}

OF_A_RANK int pthread_once(pthread_once_t *once, void (*run)(void)) {
    mgen_reach("pthread_once");
    while (*once == RUNS) {
        mgen_wait_at("pthread_once", once, CLOCK_REALTIME, NULL);
    }
    if (*once == HAS_RUN) {
        return 0;
    }
    *once = RUNS;
    struct begun begun __attribute__((cleanup(end_once))) = {once, MAY_RUN};
    run();
    begun.state = HAS_RUN;
    return 0;
}
