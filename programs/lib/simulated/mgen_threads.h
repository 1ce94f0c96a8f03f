/* Threads of a rank: what their functions share. */
#ifndef MGEN_THREADS_H
#define MGEN_THREADS_H

#include "mgen_host.h"
#include "of_a_rank.h"
#include <pthread.h>
#include <time.h>

/* A thread; pthread_t is its address. */
struct thread {
    int number;
    void *(*run)(void *);
    void *argument;
    void *result;
    int has_ended;
    int is_detached;
    int is_joined;
};

/* The linker drops what no program needs, if it is hidden. */
#define WITHIN __attribute__((visibility("hidden")))

/* Threads of the rank beside its first that have not ended. */
extern WITHIN int mgen_other_threads;
/* What happens at the end of the thread, in this order: destructors of C++, those of keys, and what
 * C++ has set aside until then. NULL where nothing does. */
extern WITHIN __thread void (*mgen_at_thread_end)(void);
extern WITHIN __thread void (*mgen_at_end_of_keys)(void);
extern WITHIN __thread void (*mgen_at_end_of_cpp)(void);

/* The number of the running thread, from 1 on. */
WITHIN int mgen_own_thread(void);
/* Lets other threads do first what they do before; a rank of one thread asks nobody. */
WITHIN void mgen_reach(const char *call);
/* Waits until another thread wakes this one at `place`; no longer than until `time` of `clock` if
 * that is not NULL. Returns whether one did. CLOCK_MONOTONIC is mgen_steady_clock. */
WITHIN int mgen_wait_at(const char *call, const void *place, clockid_t clock,
                        const struct timespec *time);
/* CLOCK_MONOTONIC as std::chrono reads it, in nanoseconds. A wait with a time of this clock takes
 * that long by it, too. */
WITHIN long long mgen_steady_clock(void);
/* Wakes so many threads at a place, or all. Returns the number of the last one, from 1 on, or 0. */
enum { ALL_THREADS = 1 << 30 };
WITHIN int mgen_wake_at(const void *place, int count);
/* Locks and unlocks without a word to other threads before. */
WITHIN int mgen_lock(const char *call, pthread_mutex_t *mutex, clockid_t clock,
                     const struct timespec *time);
WITHIN void mgen_unlock(pthread_mutex_t *mutex);

#endif
