/* When one-sided operations are complete: fences, groups of ranks that post and start, locks. */
#include "mpi_windows.h"

enum { POSTED, COMPLETED };

int MPI_Win_fence(int assertion, MPI_Win win) {
    (void)assertion;
    mgen_label("MPI_Win_fence");
    struct window *window = mgen_window(win);
    mgen_window_flush(window, -1);
    mgen_collective_barrier("dissemination", window->comm);
    return mgen_left(MPI_SUCCESS);
}

/* A group as ranks of the window. */
static struct members_of ranks_of(struct window *window, MPI_Group group) {
    const struct members_of *members = mgen_group("MPI_Win_post", group);
    struct members_of found = {members->size, mgen_memory((size_t)members->size * sizeof(int))};
    for (int i = 0; i < members->size; i++) {
        found.ranks[i] = MPI_PROC_NULL;
        for (int rank = 0; rank < window->size; rank++) {
            if (mgen_comm_member(window->comm, rank) == members->ranks[i]) {
                found.ranks[i] = rank;
            }
        }
    }
    return found;
}

static void end_group(struct members_of *members) {
    free(members->ranks);
    *members = (struct members_of){0};
}

/* Tells all of a group something, or waits until all of them have said it. */
static void tell(struct window *window, const struct members_of *members, int what) {
    for (int i = 0; i < members->size; i++) {
        MGEN_Send(NULL, 0, MGEN_BYTE, members->ranks[i], what, window->comm);
    }
}

static void hear(struct window *window, const struct members_of *members, int what) {
    for (int i = 0; i < members->size; i++) {
        MPI_Request request =
            mgen_begin_receive(NULL, 0, MPI_BYTE, members->ranks[i], what, window->comm);
        mgen_wait_all(1, &request, MGEN_STATUSES_IGNORE);
    }
}

int MPI_Win_post(MPI_Group group, int assertion, MPI_Win win) {
    (void)assertion;
    mgen_label("MPI_Win_post");
    struct window *window = mgen_window(win);
    window->exposure = ranks_of(window, group);
    tell(window, &window->exposure, POSTED);
    return mgen_left(MPI_SUCCESS);
}

int MPI_Win_start(MPI_Group group, int assertion, MPI_Win win) {
    (void)assertion;
    mgen_label("MPI_Win_start");
    struct window *window = mgen_window(win);
    window->access = ranks_of(window, group);
    hear(window, &window->access, POSTED);
    return mgen_left(MPI_SUCCESS);
}

int MPI_Win_complete(MPI_Win win) {
    mgen_label("MPI_Win_complete");
    struct window *window = mgen_window(win);
    mgen_window_flush(window, -1);
    tell(window, &window->access, COMPLETED);
    end_group(&window->access);
    return mgen_left(MPI_SUCCESS);
}

int MPI_Win_wait(MPI_Win win) {
    mgen_label("MPI_Win_wait");
    struct window *window = mgen_window(win);
    hear(window, &window->exposure, COMPLETED);
    end_group(&window->exposure);
    return mgen_left(MPI_SUCCESS);
}

int MPI_Win_test(MPI_Win win, int *flag) {
    mgen_label("MPI_Win_test");
    struct window *window = mgen_window(win);
    *flag = 1;
    for (int i = 0; i < window->exposure.size && *flag; i++) {
        MGEN_Iprobe(window->exposure.ranks[i], COMPLETED, window->comm, flag, MGEN_STATUS_IGNORE);
    }
    if (*flag) {
        hear(window, &window->exposure, COMPLETED);
        end_group(&window->exposure);
    }
    return mgen_left(MPI_SUCCESS);
}

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

static long ask_lock(struct window *window, int target, int is_shared, int is_end) {
    struct request_of_lock *request = mgen_memory(sizeof *request);
    *request = (struct request_of_lock){window->opened[target].lock, is_shared, is_end};
    return mgen_apply(mgen_comm_member(window->comm, target), NULL, 0, NULL, 0, NULL, lock_effect,
                      request);
}

int MPI_Win_lock(int kind, int target, int assertion, MPI_Win win) {
    (void)assertion;
    mgen_label("MPI_Win_lock");
    struct window *window = mgen_window(win);
    if (target != MPI_PROC_NULL) {
        MGEN_rdma_complete(ask_lock(window, target, kind == MPI_LOCK_SHARED, 0));
    }
    return mgen_left(MPI_SUCCESS);
}

int MPI_Win_unlock(int target, MPI_Win win) {
    mgen_label("MPI_Win_unlock");
    struct window *window = mgen_window(win);
    if (target != MPI_PROC_NULL) {
        mgen_window_flush(window, target);
        MGEN_rdma_complete(ask_lock(window, target, 0, 1));
    }
    return mgen_left(MPI_SUCCESS);
}

/* Asks all ranks at once. */
static void ask_all(struct window *window, int is_end) {
    long *handles = mgen_memory((size_t)window->size * sizeof *handles);
    for (int rank = 0; rank < window->size; rank++) {
        handles[rank] = ask_lock(window, rank, 1, is_end);
    }
    for (int rank = 0; rank < window->size; rank++) {
        MGEN_rdma_complete(handles[rank]);
    }
    free(handles);
}

int MPI_Win_lock_all(int assertion, MPI_Win win) {
    (void)assertion;
    mgen_label("MPI_Win_lock_all");
    ask_all(mgen_window(win), 0);
    return mgen_left(MPI_SUCCESS);
}

int MPI_Win_unlock_all(MPI_Win win) {
    mgen_label("MPI_Win_unlock_all");
    struct window *window = mgen_window(win);
    mgen_window_flush(window, -1);
    ask_all(window, 1);
    return mgen_left(MPI_SUCCESS);
}

static int flush(const char *call, int target, MPI_Win win) {
    mgen_label(call);
    struct window *window = mgen_window(win);
    if (target != MPI_PROC_NULL) {
        mgen_window_flush(window, target);
    }
    return mgen_left(MPI_SUCCESS);
}

int MPI_Win_flush(int target, MPI_Win win) {
    return flush(__func__, target, win);
}

int MPI_Win_flush_all(MPI_Win win) {
    return flush(__func__, -1, win);
}

/* The memory of a put may be used again at once, but that of a get may not. */
int MPI_Win_flush_local(int target, MPI_Win win) {
    return flush(__func__, target, win);
}

int MPI_Win_flush_local_all(MPI_Win win) {
    return flush(__func__, -1, win);
}

int MPI_Win_sync(MPI_Win win) {
    mgen_label("MPI_Win_sync");
    mgen_window(win);
    return mgen_left(MPI_SUCCESS);
}
