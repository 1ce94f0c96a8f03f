/* Threads of C++. Its headers call functions of its library, which would ask the C library for
 * threads: these stand before them. Their names and types are those of the GNU library. */
#define _GNU_SOURCE
#include "mgen_threads.h"
#include <errno.h>

/* std::thread::_State, which begins with a table: a destructor, one that frees, and what to run. */
struct state {
    void (**functions)(struct state *);
};
enum { FREE = 1, RUN = 2 };

/* std::thread, and std::unique_lock<std::mutex>. */
struct cpp_thread {
    pthread_t number;
};
struct cpp_lock {
    pthread_mutex_t *mutex;
    char owns;
};

/* std::__throw_system_error(int). */
_Noreturn void throw_error(int code) __asm__("_ZSt20__throw_system_errori") __attribute__((weak));

static void *run_state(void *argument) {
    struct state *state = argument;
    state->functions[RUN](state);
    state->functions[FREE](state);
    return NULL;
}

/* The address of a function of C++ is that of its name. */
#define IS(name) __asm__(name)

OF_A_RANK void start_thread(struct cpp_thread *thread, struct state **state, void (*depend)(void))
    IS("_ZNSt6thread15_M_start_threadESt10unique_ptrINS_6_StateESt14default_deleteIS1_EEPFvvE");

OF_A_RANK void start_thread(struct cpp_thread *thread, struct state **state, void (*depend)(void)) {
    (void)depend;
    int code = pthread_create(&thread->number, NULL, run_state, *state);
    if (code != 0) {
        throw_error(code);
    }
    *state = NULL;
}

static void end_with(struct cpp_thread *thread, int code) {
    if (code != 0) {
        throw_error(code);
    }
    thread->number = 0;
}

OF_A_RANK void join_thread(struct cpp_thread *thread) IS("_ZNSt6thread4joinEv");

OF_A_RANK void join_thread(struct cpp_thread *thread) {
    end_with(thread, thread->number == 0 ? EINVAL : pthread_join(thread->number, NULL));
}

OF_A_RANK void detach_thread(struct cpp_thread *thread) IS("_ZNSt6thread6detachEv");

OF_A_RANK void detach_thread(struct cpp_thread *thread) {
    end_with(thread, thread->number == 0 ? EINVAL : pthread_detach(thread->number));
}

OF_A_RANK void wait_condition(pthread_cond_t *condition, struct cpp_lock *lock)
    IS("_ZNSt18condition_variable4waitERSt11unique_lockISt5mutexE");

OF_A_RANK void wait_condition(pthread_cond_t *condition, struct cpp_lock *lock) {
    pthread_cond_wait(condition, lock->mutex);
}

OF_A_RANK void notify_one(pthread_cond_t *condition) IS("_ZNSt18condition_variable10notify_oneEv");

OF_A_RANK void notify_one(pthread_cond_t *condition) {
    pthread_cond_signal(condition);
}

OF_A_RANK void notify_all(pthread_cond_t *condition) IS("_ZNSt18condition_variable10notify_allEv");

OF_A_RANK void notify_all(pthread_cond_t *condition) {
    pthread_cond_broadcast(condition);
}

/* What std::call_once leaves for the function that it runs once, and with which std::promise,
 * std::async and std::packaged_task set their results. The library of C++ has one of both for all
 * threads of all ranks, and another thread may run before the function does. */
OF_A_RANK __thread void *once_callable IS("_ZSt15__once_callable");
OF_A_RANK __thread void (*once_call)(void) IS("_ZSt11__once_call");

OF_A_RANK void __once_proxy(void) {
    once_call();
}

/* What std::future waits by: std::__atomic_futex_unsigned_base. */
static char wait_at(unsigned *place, unsigned value, clockid_t clock, const struct timespec *time) {
    mgen_reach("std::future::wait");
    return *place != value || mgen_wait_at("std::future::wait", place, clock, time);
}

#define SECONDS "NSt6chrono8durationIlSt5ratioILl1ELl1EEEENS2_IlS3_ILl1ELl1000000000EEEE"
#define WAIT_FUTEX(name, label, clock)                                                             \
    OF_A_RANK char name(void *own, unsigned *place, unsigned value, char has_time, long seconds,   \
                        long nanoseconds)                                                          \
        IS("_ZNSt28__atomic_futex_unsigned_base" label "EPjjb" SECONDS);                           \
    OF_A_RANK char name(void *own, unsigned *place, unsigned value, char has_time, long seconds,   \
                        long nanoseconds) {                                                        \
        (void)own;                                                                                 \
        struct timespec time = {.tv_sec = seconds, .tv_nsec = nanoseconds};                        \
        return wait_at(place, value, clock, has_time ? &time : NULL);                              \
    }

WAIT_FUTEX(wait_futex, "19_M_futex_wait_until", CLOCK_REALTIME)
WAIT_FUTEX(wait_futex_steady, "26_M_futex_wait_until_steady", CLOCK_MONOTONIC)

OF_A_RANK void wake_futex(unsigned *place)
    IS("_ZNSt28__atomic_futex_unsigned_base19_M_futex_notify_allEPj");

OF_A_RANK void wake_futex(unsigned *place) {
    mgen_reach("std::promise");
    mgen_wake_at(place, ALL_THREADS);
}

OF_A_RANK long long steady_now(void) IS("_ZNSt6chrono3_V212steady_clock3nowEv");

OF_A_RANK long long steady_now(void) {
    return mgen_steady_clock();
}
