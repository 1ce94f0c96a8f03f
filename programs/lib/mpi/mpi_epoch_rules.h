/* Which calls an epoch allows. */
#ifndef MPI_EPOCH_RULES_H
#define MPI_EPOCH_RULES_H

#include "mpi_windows.h"

/* Why a rank must not make a call on a window now; NULL if it may. An operation that may be begun
 * makes the epoch of a fence one that only a fence ends. */
const char *mgen_no_operation(struct window *window, int target);
const char *mgen_no_fence(const struct window *window);
const char *mgen_no_start(const struct window *window);
const char *mgen_no_complete(const struct window *window);
const char *mgen_no_post(const struct window *window);
const char *mgen_no_wait(const struct window *window);
const char *mgen_no_lock(const struct window *window, int target);
const char *mgen_no_unlock(const struct window *window, int target);
const char *mgen_no_unlock_all(const struct window *window);
const char *mgen_no_flush(const struct window *window);
const char *mgen_no_free(const struct window *window);

/* The rank holds the lock of a target from now on, or no more. */
void mgen_epoch_lock(struct window *window, int target, int holds);

/* Leaves the call that the rank has entered, says so as the handler of the window says, and returns
 * what the call returns. */
int mgen_wrong_epoch(const char *call, MPI_Win win, const char *why);

#endif
