/* What C++ sets aside for the end of a thread: results of std::promise and std::packaged_task, and
 * what waits by std::notify_all_at_thread_exit. The library of C++ keeps it for the thread of the
 * process, which all threads of all ranks share and which ends with none of them: the functions
 * stand before those of the GNU library. */
#define _GNU_SOURCE
#include "mgen_threads.h"
#include <dlfcn.h>
#include <stdlib.h>

#define IS(name) __asm__(name)
#define MAKE_READY "_ZNSt13__future_base13_State_baseV211_Make_ready6_M_setEv"

/* std::__future_base::_State_baseV2: a table, the result, and the word that futures wait at. */
struct shared_state {
    void *functions;
    void *result;
    unsigned status;
};

/* std::__future_base::_State_baseV2::_Make_ready, which makes a result ready and frees itself. */
struct make_ready {
    struct make_ready *next;
    void (*run)(struct make_ready *);
    struct shared_state *state;
    void *count;
};

/* std::unique_lock<std::mutex>. */
struct cpp_lock {
    pthread_mutex_t *mutex;
    char owns;
};

/* A result to make ready, or else a condition to notify once its mutex is free. */
struct set_aside {
    struct make_ready *ready;
    pthread_cond_t *condition;
    pthread_mutex_t *mutex;
    struct set_aside *before;
};

static __thread struct set_aside *last;

/* The last one first, as the library does it. */
static void run_set_aside(void) {
    while (last != NULL) {
        struct set_aside *each = last;
        last = each->before;
        if (each->ready != NULL) {
            unsigned *status = &each->ready->state->status;
            each->ready->run(each->ready);
            mgen_wake_at(status, ALL_THREADS);
        } else {
            pthread_mutex_unlock(each->mutex);
            pthread_cond_broadcast(each->condition);
        }
        free(each);
    }
}

static void run_with_rank(void *nothing) {
    (void)nothing;
    run_set_aside();
}

int __cxa_atexit(void (*function)(void *), void *argument, void *object);

static void set_aside(struct set_aside given) {
    struct set_aside *made = malloc(sizeof *made);
    if (made == NULL) {
        abort();
    }
    *made = given;
    made->before = last;
    last = made;
    if (mgen_own_thread() == 1) {
        __cxa_atexit(run_with_rank, NULL, NULL);
    }
    mgen_at_end_of_cpp = run_set_aside;
}

/* How the library makes a result ready is no function that others can name: it leaves its address
 * in what it is given. That stays in a list of the library, which runs at the end of the process
 * and then frees it. */
static void (*how_to_make_ready(void))(struct make_ready *) {
    static void (*known)(struct make_ready *);
    if (known == NULL) {
        void (*of_the_library)(struct make_ready *);
        *(void **)&of_the_library = dlsym(RTLD_NEXT, MAKE_READY);
        struct make_ready *given = calloc(1, sizeof *given);
        if (of_the_library == NULL || given == NULL) {
            abort();
        }
        of_the_library(given);
        known = given->run;
        given->run = (void (*)(struct make_ready *))free;
    }
    return known;
}

OF_A_RANK void make_ready_at_exit(struct make_ready *ready) IS(MAKE_READY);

OF_A_RANK void make_ready_at_exit(struct make_ready *ready) {
    ready->run = how_to_make_ready();
    set_aside((struct set_aside){.ready = ready});
}

OF_A_RANK void notify_all_at_exit(pthread_cond_t *condition, struct cpp_lock *lock)
    IS("_ZSt25notify_all_at_thread_exitRSt18condition_variableSt11unique_lockISt5mutexE");

OF_A_RANK void notify_all_at_exit(pthread_cond_t *condition, struct cpp_lock *lock) {
    set_aside((struct set_aside){.condition = condition, .mutex = lock->mutex});
    lock->mutex = NULL;
    lock->owns = 0;
}
