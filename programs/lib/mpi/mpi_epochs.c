/* When one-sided operations are complete: fences, groups of ranks that post and start, locks. */
#include "mpi_epoch_rules.h"

enum { POSTED, COMPLETED };

int MPI_Win_fence(int assertion, MPI_Win win) {
    mgen_label(__func__);
    struct window *window = mgen_window(win);
    const char *why = mgen_no_fence(window);
    if (why != NULL) {
        return mgen_wrong_epoch(__func__, win, why);
    }
    mgen_window_flush(window, -1);
    mgen_collective_barrier("dissemination", window->comm);
    window->epochs.access = assertion & MPI_MODE_NOSUCCEED ? ACCESS_NONE : ACCESS_FENCED;
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
    const char *why = mgen_no_post(window);
    if (why != NULL) {
        return mgen_wrong_epoch(__func__, win, why);
    }
    window->epochs.is_posted = 1;
    window->exposure = ranks_of(window, group);
    tell(window, &window->exposure, POSTED);
    return mgen_left(MPI_SUCCESS);
}

int MPI_Win_start(MPI_Group group, int assertion, MPI_Win win) {
    (void)assertion;
    mgen_label("MPI_Win_start");
    struct window *window = mgen_window(win);
    const char *why = mgen_no_start(window);
    if (why != NULL) {
        return mgen_wrong_epoch(__func__, win, why);
    }
    window->epochs.access = ACCESS_START;
    window->access = ranks_of(window, group);
    hear(window, &window->access, POSTED);
    return mgen_left(MPI_SUCCESS);
}

int MPI_Win_complete(MPI_Win win) {
    mgen_label("MPI_Win_complete");
    struct window *window = mgen_window(win);
    const char *why = mgen_no_complete(window);
    if (why != NULL) {
        return mgen_wrong_epoch(__func__, win, why);
    }
    mgen_window_flush(window, -1);
    tell(window, &window->access, COMPLETED);
    end_group(&window->access);
    window->epochs.access = ACCESS_NONE;
    return mgen_left(MPI_SUCCESS);
}

/* Ends an epoch of MPI_Win_post. */
static void hear_all(struct window *window) {
    hear(window, &window->exposure, COMPLETED);
    end_group(&window->exposure);
    window->epochs.is_posted = 0;
}

int MPI_Win_wait(MPI_Win win) {
    mgen_label("MPI_Win_wait");
    struct window *window = mgen_window(win);
    const char *why = mgen_no_wait(window);
    if (why != NULL) {
        return mgen_wrong_epoch(__func__, win, why);
    }
    hear_all(window);
    return mgen_left(MPI_SUCCESS);
}

int MPI_Win_test(MPI_Win win, int *flag) {
    mgen_label("MPI_Win_test");
    struct window *window = mgen_window(win);
    const char *why = mgen_no_wait(window);
    if (why != NULL) {
        return mgen_wrong_epoch(__func__, win, why);
    }
    *flag = 1;
    for (int i = 0; i < window->exposure.size && *flag; i++) {
        MGEN_Iprobe(window->exposure.ranks[i], COMPLETED, window->comm, flag, MGEN_STATUS_IGNORE);
    }
    if (*flag) {
        hear_all(window);
    }
    return mgen_left(MPI_SUCCESS);
}

int MPI_Win_lock(int kind, int target, int assertion, MPI_Win win) {
    (void)assertion;
    mgen_label("MPI_Win_lock");
    struct window *window = mgen_window(win);
    if (target == MPI_PROC_NULL) {
        return mgen_left(MPI_SUCCESS);
    }
    const char *why = mgen_no_lock(window, target);
    if (why != NULL) {
        return mgen_wrong_epoch(__func__, win, why);
    }
    MGEN_rdma_complete(mgen_lock_ask(window, target, kind == MPI_LOCK_SHARED, 0));
    mgen_epoch_lock(window, target, 1);
    return mgen_left(MPI_SUCCESS);
}

int MPI_Win_unlock(int target, MPI_Win win) {
    mgen_label("MPI_Win_unlock");
    struct window *window = mgen_window(win);
    if (target == MPI_PROC_NULL) {
        return mgen_left(MPI_SUCCESS);
    }
    const char *why = mgen_no_unlock(window, target);
    if (why != NULL) {
        return mgen_wrong_epoch(__func__, win, why);
    }
    mgen_window_flush(window, target);
    MGEN_rdma_complete(mgen_lock_ask(window, target, 0, 1));
    mgen_epoch_lock(window, target, 0);
    return mgen_left(MPI_SUCCESS);
}

/* Asks all ranks at once. */
static void ask_all(struct window *window, int is_end) {
    long *handles = mgen_memory((size_t)window->size * sizeof *handles);
    for (int rank = 0; rank < window->size; rank++) {
        handles[rank] = mgen_lock_ask(window, rank, 1, is_end);
    }
    for (int rank = 0; rank < window->size; rank++) {
        MGEN_rdma_complete(handles[rank]);
    }
    free(handles);
}

int MPI_Win_lock_all(int assertion, MPI_Win win) {
    (void)assertion;
    mgen_label(__func__);
    struct window *window = mgen_window(win);
    const char *why = mgen_no_start(window);
    if (why != NULL) {
        return mgen_wrong_epoch(__func__, win, why);
    }
    ask_all(window, 0);
    window->epochs.access = ACCESS_LOCK_ALL;
    return mgen_left(MPI_SUCCESS);
}

int MPI_Win_unlock_all(MPI_Win win) {
    mgen_label("MPI_Win_unlock_all");
    struct window *window = mgen_window(win);
    const char *why = mgen_no_unlock_all(window);
    if (why != NULL) {
        return mgen_wrong_epoch(__func__, win, why);
    }
    mgen_window_flush(window, -1);
    ask_all(window, 1);
    window->epochs.access = ACCESS_NONE;
    return mgen_left(MPI_SUCCESS);
}

static int flush(const char *call, int target, MPI_Win win) {
    mgen_label(call);
    struct window *window = mgen_window(win);
    if (target == MPI_PROC_NULL) {
        return mgen_left(MPI_SUCCESS);
    }
    const char *why = mgen_no_flush(window);
    if (why != NULL) {
        return mgen_wrong_epoch(call, win, why);
    }
    if (window->count == 0) {
        mgen_look();
    }
    mgen_window_flush(window, target);
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

/* A program may look at its memory in a loop, so this takes time, as a yield does. */
int MPI_Win_sync(MPI_Win win) {
    mgen_label(__func__);
    const char *why = mgen_no_flush(mgen_window(win));
    if (why != NULL) {
        return mgen_wrong_epoch(__func__, win, why);
    }
    mgen_functions()->thread_yield();
    return mgen_left(MPI_SUCCESS);
}
