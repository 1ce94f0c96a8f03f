/* Which calls an epoch allows. What is refused, and what is not, is as in MPICH. */
#include "mpi_epoch_rules.h"

/* No epoch is open in which the rank has done anything. */
static int is_free(const struct window *window) {
    return window->epochs.access == ACCESS_NONE || window->epochs.access == ACCESS_FENCED;
}

static int is_passive(const struct window *window) {
    return window->epochs.access == ACCESS_LOCK || window->epochs.access == ACCESS_LOCK_ALL;
}

static int is_locked(const struct window *window, int target) {
    const char *locked = window->epochs.locked;
    return locked != NULL && target >= 0 && target < window->size && locked[target];
}

static int is_started(const struct window *window, int target) {
    for (int i = 0; i < window->access.size; i++) {
        if (window->access.ranks[i] == target) {
            return 1;
        }
    }
    return 0;
}

const char *mgen_no_operation(struct window *window, int target) {
    struct epochs *epochs = &window->epochs;
    switch (epochs->access) {
    case ACCESS_NONE:
        return window->flavor == FLAVOR_EMPTY
                   ? NULL
                   : "no epoch is open: call MPI_Win_fence, MPI_Win_start or MPI_Win_lock before";
    case ACCESS_FENCED:
        epochs->access = ACCESS_FENCE;
        return NULL;
    case ACCESS_START:
        return is_started(window, target) ? NULL : "the group of MPI_Win_start lacks the target";
    case ACCESS_LOCK:
        if (!is_locked(window, target)) {
            mgen_note(
                "a one-sided operation reaches a rank that is not locked, which MPICH allows");
        }
        return NULL;
    default:
        return NULL;
    }
}

const char *mgen_no_fence(const struct window *window) {
    const char *why = is_free(window) || window->epochs.access == ACCESS_FENCE
                          ? NULL
                          : "an epoch of MPI_Win_start or of a lock is open";
    return window->epochs.is_posted ? "an epoch of MPI_Win_post is open" : why;
}

const char *mgen_no_start(const struct window *window) {
    return is_free(window) ? NULL : "another epoch is open";
}

const char *mgen_no_complete(const struct window *window) {
    return window->epochs.access == ACCESS_START ? NULL : "no epoch of MPI_Win_start is open";
}

const char *mgen_no_post(const struct window *window) {
    return window->epochs.is_posted                ? "an epoch of MPI_Win_post is open"
           : window->epochs.access == ACCESS_FENCE ? "an epoch of MPI_Win_fence is open"
                                                   : NULL;
}

const char *mgen_no_wait(const struct window *window) {
    return window->epochs.is_posted ? NULL : "no epoch of MPI_Win_post is open";
}

const char *mgen_no_lock(const struct window *window, int target) {
    return is_locked(window, target)                                 ? "the rank holds the lock"
           : is_free(window) || window->epochs.access == ACCESS_LOCK ? NULL
                                                                     : "another epoch is open";
}

const char *mgen_no_unlock(const struct window *window, int target) {
    return is_locked(window, target) ? NULL : "the rank does not hold the lock";
}

const char *mgen_no_unlock_all(const struct window *window) {
    return window->epochs.access == ACCESS_LOCK_ALL ? NULL : "no epoch of MPI_Win_lock_all is open";
}

const char *mgen_no_flush(const struct window *window) {
    return is_passive(window) || window->flavor == FLAVOR_EMPTY ? NULL
                                                                : "no epoch of a lock is open";
}

const char *mgen_no_free(const struct window *window) {
    return window->epochs.is_posted || !is_free(window) ? "an epoch is open" : NULL;
}

void mgen_epoch_lock(struct window *window, int target, int holds) {
    struct epochs *epochs = &window->epochs;
    if (epochs->locked == NULL) {
        epochs->locked = mgen_memory((size_t)window->size);
        memset(epochs->locked, 0, (size_t)window->size);
    }
    epochs->locked[target] = (char)holds;
    epochs->locks += holds ? 1 : -1;
    epochs->access = epochs->locks > 0 ? ACCESS_LOCK : ACCESS_NONE;
}

int mgen_wrong_epoch(const char *call, MPI_Win win, const char *why) {
    MPI_Errhandler handler = mgen_window(win)->handler;
    mgen_leave();
    if (handler == MPI_ERRORS_ARE_FATAL) {
        mgen_fails(call, why);
    }
    return mgen_failed(call, handler, win, MPI_ERR_RMA_SYNC);
}
