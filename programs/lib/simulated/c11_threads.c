/* Threads of C11, by those of POSIX. Their types are those of the GNU C library, where each is as
 * large as what stands for it. */
#include "mgen_threads.h"
#include <errno.h>
#include <sched.h>
#include <stdint.h>
#include <stdlib.h>
#include <threads.h>

_Static_assert(sizeof(mtx_t) == sizeof(pthread_mutex_t), "a mtx_t is a mutex");
_Static_assert(sizeof(cnd_t) == sizeof(pthread_cond_t), "a cnd_t is a condition");
_Static_assert(sizeof(once_flag) == sizeof(pthread_once_t), "a once_flag is one of POSIX");
_Static_assert(sizeof(thrd_t) == sizeof(pthread_t), "a thrd_t is a thread");

static int in_c11(int code) {
    switch (code) {
    case 0:
        return thrd_success;
    case ENOMEM:
        return thrd_nomem;
    case ETIMEDOUT:
        return thrd_timedout;
    case EBUSY:
        return thrd_busy;
    }
    return thrd_error;
}

/* Threads of C11 return a number. */
struct begin {
    thrd_start_t run;
    void *argument;
};

static void *run(void *begin_) {
    struct begin begin = *(struct begin *)begin_;
    free(begin_);
    return (void *)(intptr_t)begin.run(begin.argument);
}

OF_A_RANK int thrd_create(thrd_t *thread, thrd_start_t function, void *argument) {
    struct begin *begin = malloc(sizeof *begin);
    if (begin == NULL) {
        return thrd_nomem;
    }
    *begin = (struct begin){function, argument};
    return in_c11(pthread_create(thread, NULL, run, begin));
}

OF_A_RANK int thrd_join(thrd_t thread, int *result) {
    void *returned;
    int code = pthread_join(thread, &returned);
    if (code == 0 && result != NULL) {
        *result = (int)(intptr_t)returned;
    }
    return in_c11(code);
}

OF_A_RANK int thrd_detach(thrd_t thread) {
    return in_c11(pthread_detach(thread));
}

OF_A_RANK thrd_t thrd_current(void) {
    return pthread_self();
}

OF_A_RANK int thrd_equal(thrd_t one, thrd_t other) {
    return pthread_equal(one, other);
}

OF_A_RANK void thrd_yield(void) {
    sched_yield();
}

OF_A_RANK _Noreturn void thrd_exit(int result) {
    pthread_exit((void *)(intptr_t)result);
}

OF_A_RANK int mtx_init(mtx_t *mutex, int type) {
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    if (type & mtx_recursive) {
        pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
    }
    return in_c11(pthread_mutex_init((pthread_mutex_t *)mutex, &attributes));
}

OF_A_RANK void mtx_destroy(mtx_t *mutex) {
    pthread_mutex_destroy((pthread_mutex_t *)mutex);
}

OF_A_RANK int mtx_lock(mtx_t *mutex) {
    return in_c11(pthread_mutex_lock((pthread_mutex_t *)mutex));
}

OF_A_RANK int mtx_timedlock(mtx_t *mutex, const struct timespec *time) {
    return in_c11(pthread_mutex_timedlock((pthread_mutex_t *)mutex, time));
}

OF_A_RANK int mtx_trylock(mtx_t *mutex) {
    return in_c11(pthread_mutex_trylock((pthread_mutex_t *)mutex));
}

OF_A_RANK int mtx_unlock(mtx_t *mutex) {
    return in_c11(pthread_mutex_unlock((pthread_mutex_t *)mutex));
}

OF_A_RANK int cnd_init(cnd_t *condition) {
    return in_c11(pthread_cond_init((pthread_cond_t *)condition, NULL));
}

OF_A_RANK void cnd_destroy(cnd_t *condition) {
    (void)condition;
}

OF_A_RANK int cnd_wait(cnd_t *condition, mtx_t *mutex) {
    return in_c11(pthread_cond_wait((pthread_cond_t *)condition, (pthread_mutex_t *)mutex));
}

OF_A_RANK int cnd_timedwait(cnd_t *condition, mtx_t *mutex, const struct timespec *time) {
    return in_c11(
        pthread_cond_timedwait((pthread_cond_t *)condition, (pthread_mutex_t *)mutex, time));
}

OF_A_RANK int cnd_signal(cnd_t *condition) {
    return in_c11(pthread_cond_signal((pthread_cond_t *)condition));
}

OF_A_RANK int cnd_broadcast(cnd_t *condition) {
    return in_c11(pthread_cond_broadcast((pthread_cond_t *)condition));
}

OF_A_RANK int tss_create(tss_t *key, tss_dtor_t destructor) {
    return in_c11(pthread_key_create(key, destructor));
}

OF_A_RANK void tss_delete(tss_t key) {
    pthread_key_delete(key);
}

OF_A_RANK void *tss_get(tss_t key) {
    return pthread_getspecific(key);
}

OF_A_RANK int tss_set(tss_t key, void *value) {
    return in_c11(pthread_setspecific(key, value));
}

OF_A_RANK void call_once(once_flag *flag, void (*function)(void)) {
    pthread_once((pthread_once_t *)flag, function);
}
