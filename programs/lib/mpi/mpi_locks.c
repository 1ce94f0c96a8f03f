/* Locks of windows: who holds one, and who waits for it. They are at their targets. */
#include "mpi_windows.h"

/* A rank that waits for a lock. Its operation is answered when it gets it. */
struct asker {
    struct asker *next;
    int is_shared;
    int number;
};

struct request_of_lock {
    struct lock *lock;
    int is_shared;
    int is_end;
};

void mgen_lock_free(struct lock *lock) {
    free(lock);
}

static int may_hold(const struct lock *lock, int is_shared) {
    return lock->holders == 0 || (is_shared && lock->holders > 0);
}

static void hold(struct lock *lock, int is_shared) {
    lock->holders = is_shared ? lock->holders + 1 : -1;
}

/* Locks are given in the order in which they were asked for. */
static int lock_effect(void *what, const void *data, void *answer, long shift, int number) {
    (void)data;
    (void)answer;
    (void)shift;
    struct request_of_lock request = *(struct request_of_lock *)what;
    struct lock *lock = request.lock;
    free(what);
    if (!request.is_end) {
        if (lock->first == NULL && may_hold(lock, request.is_shared)) {
            hold(lock, request.is_shared);
            return 1;
        }
        struct asker *asker = mgen_memory(sizeof *asker);
        *asker = (struct asker){NULL, request.is_shared, number};
        *(lock->first == NULL ? &lock->first : &lock->last->next) = asker;
        lock->last = asker;
        return 0;
    }
    lock->holders = lock->holders > 0 ? lock->holders - 1 : 0;
    while (lock->first != NULL && may_hold(lock, lock->first->is_shared)) {
        struct asker *next = lock->first;
        hold(lock, next->is_shared);
        mgen_release(next->number);
        lock->first = next->next;
        free(next);
    }
    return 1;
}

long mgen_lock_ask(struct window *window, int target, int is_shared, int is_end) {
    struct request_of_lock *request = mgen_memory(sizeof *request);
    *request = (struct request_of_lock){window->opened[target].lock, is_shared, is_end};
    return mgen_apply(mgen_comm_member(window->comm, target), NULL, 0, NULL, 0, NULL, lock_effect,
                      request);
}
