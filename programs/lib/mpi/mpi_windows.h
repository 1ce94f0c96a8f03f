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

/* What the rank may do at others, and whether others may do so here. After a fence it may begin any
 * epoch, until it has done something. */
enum access {
    ACCESS_NONE,
    ACCESS_FENCED,
    ACCESS_FENCE,
    ACCESS_START,
    ACCESS_LOCK,
    ACCESS_LOCK_ALL
};
struct epochs {
    enum access access;
    int is_posted;
    int locks;
    char *locked; /* by rank; NULL before the first lock */
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
    /* Operations that are not known to be complete. */
    struct operation **begun;
    int count;
    int room;
    struct epochs epochs;
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
/* Drops the operations that are known to be complete. */
void mgen_window_forget(struct window *window);

/* A one-sided operation, which its window holds and, if it has one, its request. */
struct operation {
    long handle;
    int target;
    int is_complete;
    int holders;
};
/* The window holds it. */
struct operation *mgen_operation_begin(struct window *window, int target, long handle);
/* One more holds it. */
struct operation *mgen_operation_hold(struct operation *operation);
/* Waits until it is complete, for one who holds it no longer. */
void mgen_operation_end(struct operation *operation);

/* Who holds the lock of a rank's window, and who waits for it. */
struct lock {
    int holders; /* -1 if one rank alone holds it */
    struct asker *first;
    struct asker *last;
};
void mgen_lock_free(struct lock *lock);
/* Asks for the lock of a target, or gives it back; MGEN_rdma_complete waits for the answer. */
long mgen_lock_ask(struct window *window, int target, int is_shared, int is_end);

#endif
