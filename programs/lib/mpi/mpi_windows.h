/* Windows: memory that ranks open to one-sided calls. */
#ifndef MPI_WINDOWS_H
#define MPI_WINDOWS_H

#include "mpi_comms.h"
#include "mpi_requests.h"

/* Beside the flavors of MPI: a window of a replay, whose operations touch no memory. */
enum { FLAVOR_EMPTY = -1 };

/* What a rank has opened. */
struct opened {
    char *base;
    MPI_Aint size;
    int unit;
    struct lock *lock;
};

struct window {
    MPI_Comm comm; /* its own, for what the ranks say to each other */
    int rank;
    int size;
    struct opened *opened; /* by rank */
    int flavor;
    int owns_memory;
    MPI_Aint own_size;
    int own_unit;
    /* Operations that are not known to be complete, and their targets. */
    long *handles;
    int *targets;
    int count;
    int room;
    struct members_of access;
    struct members_of exposure;
    struct attributes *attributes;
    char *name;
    MPI_Errhandler handler;
};

/* Fails in the call that the rank has entered if there is no such window. */
struct window *mgen_window(MPI_Win win);
/* Waits until the operations on a rank, or on all for -1, are complete. */
void mgen_window_flush(struct window *window, int target);
void mgen_window_note(struct window *window, int target, long handle);

/* Who holds the lock of a rank's window, and who waits for it. */
struct lock {
    int holders; /* -1 if one rank alone holds it */
    struct asker *first;
    struct asker *last;
};
void mgen_lock_free(struct lock *lock);

#endif
