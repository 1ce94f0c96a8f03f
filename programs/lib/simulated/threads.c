/* Threads of a rank: they begin and end. The simulator runs one after the other, and another one
 * when one waits. */
#define _GNU_SOURCE
#include "mgen_threads.h"
#include <errno.h>
#include <sched.h>
#include <setjmp.h>
#include <stdlib.h>

/* Of simulated.c. */
_Noreturn void mgen_exit(int code);

int mgen_other_threads;
/* Whether the rank has begun a thread. From then on locks and waits are calls, whether or not other
 * threads are left: a thread makes the same calls whoever is earlier, so that what it computes
 * between them can be measured in one run and used in another. */
static int has_begun_threads;
__thread void (*mgen_at_thread_end)(void);
__thread void (*mgen_at_end_of_keys)(void);
__thread void (*mgen_at_end_of_cpp)(void);

/* The first thread of the rank, and the running one if it is another. */
static struct thread first;
static __thread struct thread *own;

static struct thread *self(void) {
    return own != NULL ? own : &first;
}

int mgen_own_thread(void) {
    return self()->number + 1;
}

void mgen_reach(const char *call) {
    if (has_begun_threads) {
        mgen_functions()->thread_reach(call);
    }
}

enum { NANOSECONDS = 1000000000, STEP = 1000000 };

/* How long waits have taken that ended by their time, which no clock of the machine shows. */
static long long ahead;

long long mgen_steady_clock(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (long long)now.tv_sec * NANOSECONDS + now.tv_nsec + ahead;
}

static long long read_clock(clockid_t clock) {
    struct timespec now;
    if (clock == CLOCK_MONOTONIC) {
        return mgen_steady_clock();
    }
    clock_gettime(clock, &now);
    return (long long)now.tv_sec * NANOSECONDS + now.tv_nsec;
}

/* A program reads the clock of the machine: whole milliseconds hide how long it took until here. */
int mgen_wait_at(const char *call, const void *place, clockid_t clock,
                 const struct timespec *time) {
    if (time == NULL) {
        return mgen_functions()->thread_wait(call, place, -1);
    }
    long long until = (long long)time->tv_sec * NANOSECONDS + time->tv_nsec;
    long long left = until - read_clock(clock);
    long long steps = left > 0 ? (left + STEP - 1) / STEP : 0;
    int is_woken = mgen_functions()->thread_wait(call, place, (double)steps * 1e-3);
    if (!is_woken && clock == CLOCK_MONOTONIC) {
        ahead += steps * STEP;
    }
    return is_woken;
}

int mgen_wake_at(const void *place, int count) {
    return mgen_other_threads > 0 ? mgen_functions()->thread_wake(place, count) + 1 : 0;
}

/* The thread leaves others its result. */
static void end(void *result) {
    struct thread *thread = self();
    if (mgen_at_thread_end != NULL) {
        mgen_at_thread_end();
    }
    if (mgen_at_end_of_keys != NULL) {
        mgen_at_end_of_keys();
    }
    if (mgen_at_end_of_cpp != NULL) {
        mgen_at_end_of_cpp();
    }
    mgen_reach("pthread_exit");
    thread->result = result;
    thread->has_ended = 1;
    mgen_wake_at(thread, ALL_THREADS);
    if (thread == &first) {
        return;
    }
    mgen_other_threads--;
    mgen_functions()->thread_wake(&mgen_other_threads, 1);
    if (thread->is_detached) {
        free(thread);
    }
}

static void begin(void *argument) {
    own = argument;
    end(own->run(own->argument));
}

/* What pthread_cleanup_push of C leaves on the stack: where to go on when the thread ends, and the
 * place of the one before in `__pad`. The handler runs there, and then the next one. */
static __thread __pthread_unwind_buf_t *last_cleanup;
static __thread void *result_of_exit;

OF_A_RANK void __pthread_register_cancel(__pthread_unwind_buf_t *buffer) {
    buffer->__pad[0] = last_cleanup;
    last_cleanup = buffer;
}

OF_A_RANK void __pthread_unregister_cancel(__pthread_unwind_buf_t *buffer) {
    last_cleanup = buffer->__pad[0];
}

static _Noreturn void leave(void *result);

/* The buffer is the part of a jmp_buf that a jump without signals reads. */
static _Noreturn __attribute__((noinline)) void jump_to(void *buffer) {
    longjmp(buffer, 1);
}

OF_A_RANK _Noreturn void __pthread_unwind_next(__pthread_unwind_buf_t *buffer) {
    (void)buffer;
    if (last_cleanup == NULL) {
        leave(result_of_exit);
    }
    __pthread_unwind_buf_t *next = last_cleanup;
    last_cleanup = next->__pad[0];
    jump_to(next->__cancel_jmp_buf);
}

OF_A_RANK _Noreturn void pthread_exit(void *result) {
    result_of_exit = result;
    __pthread_unwind_next(NULL);
}

/* The first thread may end before the others, which the rank waits for. */
static _Noreturn void leave(void *result) {
    int is_first = self() == &first;
    end(result);
    while (is_first && mgen_other_threads > 0) {
        mgen_wait_at("pthread_exit", &mgen_other_threads, CLOCK_REALTIME, NULL);
    }
    if (is_first) {
        mgen_exit(0);
    }
    for (;;) {
        mgen_functions()->thread_end();
    }
}

OF_A_RANK int pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
                             void *(*run)(void *), void *argument) {
    struct thread *made = calloc(1, sizeof *made);
    size_t stack_bytes = 0;
    int state = PTHREAD_CREATE_JOINABLE;
    if (made == NULL) {
        return EAGAIN;
    }
    if (attributes != NULL) {
        pthread_attr_getstacksize(attributes, &stack_bytes);
        pthread_attr_getdetachstate(attributes, &state);
    }
    made->run = run;
    made->argument = argument;
    made->is_detached = state == PTHREAD_CREATE_DETACHED;
    mgen_other_threads++;
    has_begun_threads = 1;
    made->number = mgen_functions()->thread_begin(begin, made, stack_bytes);
    *thread = (pthread_t)made;
    return 0;
}

OF_A_RANK int pthread_join(pthread_t other, void **result) {
    struct thread *thread = (struct thread *)other;
    if (thread == self()) {
        return EDEADLK;
    }
    if (thread->is_detached || thread->is_joined) {
        return EINVAL;
    }
    thread->is_joined = 1;
    mgen_reach("pthread_join");
    while (!thread->has_ended) {
        mgen_wait_at("pthread_join", thread, CLOCK_REALTIME, NULL);
    }
    if (result != NULL) {
        *result = thread->result;
    }
    if (thread != &first) {
        free(thread);
    }
    return 0;
}

OF_A_RANK int pthread_detach(pthread_t other) {
    struct thread *thread = (struct thread *)other;
    if (thread->is_detached || thread->is_joined) {
        return EINVAL;
    }
    thread->is_detached = 1;
    if (thread->has_ended && thread != &first) {
        free(thread);
    }
    return 0;
}

OF_A_RANK pthread_t pthread_self(void) {
    return (pthread_t)self();
}

OF_A_RANK int pthread_equal(pthread_t one, pthread_t other) {
    return one == other;
}

/* A rank of one thread has nobody to let go on. */
OF_A_RANK int sched_yield(void) {
    if (mgen_other_threads > 0) {
        mgen_functions()->thread_yield();
    }
    return 0;
}

/* Names and places of threads mean nothing here; nobody can cancel or signal one. */
OF_A_RANK int pthread_setname_np(pthread_t thread, const char *name) {
    (void)thread, (void)name;
    return 0;
}

OF_A_RANK int pthread_setaffinity_np(pthread_t thread, size_t bytes, const cpu_set_t *set) {
    (void)thread, (void)bytes, (void)set;
    return 0;
}

OF_A_RANK int pthread_getaffinity_np(pthread_t thread, size_t bytes, cpu_set_t *set) {
    (void)thread;
    return sched_getaffinity(0, bytes, set) == 0 ? 0 : errno;
}

OF_A_RANK int pthread_setschedparam(pthread_t thread, int policy, const struct sched_param *given) {
    (void)thread, (void)policy, (void)given;
    return 0;
}

OF_A_RANK int pthread_kill(pthread_t thread, int signal) {
    (void)thread, (void)signal;
    return ENOTSUP;
}

OF_A_RANK int pthread_cancel(pthread_t thread) {
    (void)thread;
    return ENOTSUP;
}
