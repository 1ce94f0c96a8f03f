/* Mutexes, spin locks and locks of readers and writers. Their memory is that of the GNU C library,
 * whose functions prepare it. */
#define _GNU_SOURCE
#include "mgen_threads.h"
#include <errno.h>

enum { KIND = 3 };

int mgen_lock(const char *call, pthread_mutex_t *mutex, clockid_t clock,
              const struct timespec *time) {
    int me = mgen_own_thread(), kind = mutex->__data.__kind & KIND;
    int is_own = mutex->__data.__lock && mutex->__data.__owner == me;
    if (is_own && kind == PTHREAD_MUTEX_RECURSIVE) {
        mutex->__data.__count++;
        return 0;
    }
    if (is_own && kind == PTHREAD_MUTEX_ERRORCHECK) {
        return EDEADLK;
    }
    /* Who unlocks it gives it to the first that waits. */
    if (mutex->__data.__lock) {
        return mgen_wait_at(call, mutex, clock, time) ? 0 : ETIMEDOUT;
    }
    mutex->__data.__lock = 1;
    mutex->__data.__owner = me;
    return 0;
}

void mgen_unlock(pthread_mutex_t *mutex) {
    int next = mgen_wake_at(mutex, 1);
    mutex->__data.__lock = next != 0;
    mutex->__data.__owner = next;
    mutex->__data.__count = 0;
}

OF_A_RANK int pthread_mutex_lock(pthread_mutex_t *mutex) {
    mgen_reach("pthread_mutex_lock");
    return mgen_lock("pthread_mutex_lock", mutex, CLOCK_REALTIME, NULL);
}

OF_A_RANK int pthread_mutex_timedlock(pthread_mutex_t *mutex, const struct timespec *time) {
    mgen_reach("pthread_mutex_timedlock");
    return mgen_lock("pthread_mutex_timedlock", mutex, CLOCK_REALTIME, time);
}

OF_A_RANK int pthread_mutex_clocklock(pthread_mutex_t *mutex, clockid_t clock,
                                      const struct timespec *time) {
    mgen_reach("pthread_mutex_clocklock");
    return mgen_lock("pthread_mutex_clocklock", mutex, clock, time);
}

OF_A_RANK int pthread_mutex_trylock(pthread_mutex_t *mutex) {
    mgen_reach("pthread_mutex_trylock");
    int is_own = mutex->__data.__owner == mgen_own_thread();
    int is_recursive = (mutex->__data.__kind & KIND) == PTHREAD_MUTEX_RECURSIVE;
    if (mutex->__data.__lock && !(is_own && is_recursive)) {
        return EBUSY;
    }
    return mgen_lock("pthread_mutex_trylock", mutex, CLOCK_REALTIME, NULL);
}

OF_A_RANK int pthread_mutex_unlock(pthread_mutex_t *mutex) {
    int kind = mutex->__data.__kind & KIND;
    int is_own = mutex->__data.__lock && mutex->__data.__owner == mgen_own_thread();
    mgen_reach("pthread_mutex_unlock");
    if (!is_own && (kind == PTHREAD_MUTEX_RECURSIVE || kind == PTHREAD_MUTEX_ERRORCHECK)) {
        return EPERM;
    }
    if (mutex->__data.__count > 0) {
        mutex->__data.__count--;
        return 0;
    }
    mgen_unlock(mutex);
    return 0;
}

OF_A_RANK int pthread_mutex_destroy(pthread_mutex_t *mutex) {
    return mutex->__data.__lock ? EBUSY : 0;
}

OF_A_RANK int pthread_spin_init(pthread_spinlock_t *lock, int shared) {
    (void)shared;
    *lock = 0;
    return 0;
}

OF_A_RANK int pthread_spin_destroy(pthread_spinlock_t *lock) {
    (void)lock;
    return 0;
}

OF_A_RANK int pthread_spin_lock(pthread_spinlock_t *lock) {
    mgen_reach("pthread_spin_lock");
    if (*lock) {
        mgen_wait_at("pthread_spin_lock", (void *)lock, CLOCK_REALTIME, NULL);
    }
    *lock = 1;
    return 0;
}

OF_A_RANK int pthread_spin_trylock(pthread_spinlock_t *lock) {
    mgen_reach("pthread_spin_trylock");
    if (*lock) {
        return EBUSY;
    }
    *lock = 1;
    return 0;
}

OF_A_RANK int pthread_spin_unlock(pthread_spinlock_t *lock) {
    mgen_reach("pthread_spin_unlock");
    *lock = mgen_wake_at((void *)lock, 1) != 0;
    return 0;
}

/* The library's counter of readers counts them here, too; a thread that writes leaves its number.
 */
static int take(const char *call, pthread_rwlock_t *lock, int writes, clockid_t clock,
                const struct timespec *time, int waits) {
    mgen_reach(call);
    while (lock->__data.__cur_writer || (writes && lock->__data.__readers)) {
        if (!waits) {
            return EBUSY;
        }
        if (lock->__data.__cur_writer == mgen_own_thread()) {
            return EDEADLK;
        }
        if (!mgen_wait_at(call, lock, clock, time)) {
            return ETIMEDOUT;
        }
    }
    if (writes) {
        lock->__data.__cur_writer = mgen_own_thread();
    } else {
        lock->__data.__readers++;
    }
    return 0;
}

#define TAKE(name, writes, waits)                                                                  \
    OF_A_RANK int pthread_rwlock_##name(pthread_rwlock_t *lock) {                                  \
        return take("pthread_rwlock_" #name, lock, writes, CLOCK_REALTIME, NULL, waits);           \
    }
#define TAKE_UNTIL(name, writes)                                                                   \
    OF_A_RANK int pthread_rwlock_timed##name(pthread_rwlock_t *lock,                               \
                                             const struct timespec *time) {                        \
        return take("pthread_rwlock_timed" #name, lock, writes, CLOCK_REALTIME, time, 1);          \
    }                                                                                              \
    OF_A_RANK int pthread_rwlock_clock##name(pthread_rwlock_t *lock, clockid_t clock,              \
                                             const struct timespec *time) {                        \
        return take("pthread_rwlock_clock" #name, lock, writes, clock, time, 1);                   \
    }

TAKE(rdlock, 0, 1)
TAKE(wrlock, 1, 1)
TAKE(tryrdlock, 0, 0)
TAKE(trywrlock, 1, 0)
TAKE_UNTIL(rdlock, 0)
TAKE_UNTIL(wrlock, 1)

OF_A_RANK int pthread_rwlock_unlock(pthread_rwlock_t *lock) {
    mgen_reach("pthread_rwlock_unlock");
    if (lock->__data.__cur_writer) {
        lock->__data.__cur_writer = 0;
    } else {
        lock->__data.__readers--;
    }
    if (lock->__data.__readers == 0) {
        mgen_wake_at(lock, ALL_THREADS);
    }
    return 0;
}
