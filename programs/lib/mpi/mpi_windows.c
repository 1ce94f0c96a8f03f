/* Windows: making them and freeing them, and what is asked of them. */
#include "mpi_epoch_rules.h"

struct window *mgen_window(MPI_Win win) {
    struct window *found = win > 0 ? mgen_table_get(&mgen_mpi()->windows, win - 1) : NULL;
    if (found == NULL) {
        mgen_fail(win == MPI_WIN_NULL ? "MPI_WIN_NULL is not a window" : "there is no such window");
    }
    return found;
}

/* Every rank learns what every other one has opened. */
static void make(const char *call, struct opened own, int flavor, int owns_memory, MPI_Comm comm,
                 MPI_Win *win) {
    (void)call;
    struct window *window = mgen_memory(sizeof *window);
    *window = (struct window){.flavor = flavor,
                              .owns_memory = owns_memory,
                              .own_size = own.size,
                              .own_unit = own.unit,
                              .handler = MPI_ERRORS_ARE_FATAL};
    window->comm = mgen_comm_copy(comm);
    window->rank = mgen_comm_rank(window->comm);
    window->size = mgen_comm_size(window->comm);
    window->opened = mgen_memory((size_t)window->size * sizeof *window->opened);
    own.lock = mgen_memory(sizeof *own.lock);
    *own.lock = (struct lock){0};
    mgen_collective_allgather("ring", &own, window->opened, sizeof own, window->comm);
    for (int rank = 0; rank < window->size; rank++) {
        if (window->opened[rank].lock == NULL) {
            mgen_fail("windows need payload: delivered, because ranks exchange their addresses");
        }
    }
    *win = 1 + mgen_table_add(&mgen_mpi()->windows, window);
}

int MPI_Win_create(void *base, MPI_Aint size, int unit, MPI_Info info, MPI_Comm comm,
                   MPI_Win *win) {
    (void)info;
    mgen_enter("MPI_Win_create", comm, -1);
    make("MPI_Win_create", (struct opened){base, size, unit, NULL}, MPI_WIN_FLAVOR_CREATE, 0, comm,
         win);
    return mgen_left(MPI_SUCCESS);
}

int MPI_Win_allocate(MPI_Aint size, int unit, MPI_Info info, MPI_Comm comm, void *base,
                     MPI_Win *win) {
    (void)info;
    mgen_enter("MPI_Win_allocate", comm, -1);
    char *memory = mgen_memory((size_t)size);
    memset(memory, 0, (size_t)size);
    *(void **)base = memory;
    make("MPI_Win_allocate", (struct opened){memory, size, unit, NULL}, MPI_WIN_FLAVOR_ALLOCATE, 1,
         comm, win);
    return mgen_left(MPI_SUCCESS);
}

/* Addresses of a dynamic window are those of memory. */
int MPI_Win_create_dynamic(MPI_Info info, MPI_Comm comm, MPI_Win *win) {
    (void)info;
    mgen_enter("MPI_Win_create_dynamic", comm, -1);
    make("MPI_Win_create_dynamic", (struct opened){NULL, 0, 1, NULL}, MPI_WIN_FLAVOR_DYNAMIC, 0,
         comm, win);
    return mgen_left(MPI_SUCCESS);
}

int mgen_window_open_empty(MPI_Comm comm, MPI_Win *win) {
    mgen_enter("MPI_Win_create", comm, -1);
    make("MPI_Win_create", (struct opened){NULL, 0, 1, NULL}, FLAVOR_EMPTY, 0, comm, win);
    return mgen_left(MPI_SUCCESS);
}

/* The ranks are one process, so memory of one is memory of all. Parts lie one behind the other. */
int MPI_Win_allocate_shared(MPI_Aint size, int unit, MPI_Info info, MPI_Comm comm, void *base,
                            MPI_Win *win) {
    (void)info;
    mgen_enter("MPI_Win_allocate_shared", comm, -1);
    int ranks = mgen_comm_size(comm);
    int rank = mgen_comm_rank(comm);
    MPI_Aint *sizes = mgen_memory((size_t)ranks * sizeof *sizes);
    mgen_collective_allgather("ring", &size, sizes, sizeof size, comm);
    MPI_Aint all = 0;
    MPI_Aint before = 0;
    for (int i = 0; i < ranks; i++) {
        if (mgen_node(mgen_comm_member(comm, i)) != mgen_node(mgen_comm_member(comm, 0))) {
            mgen_fail("the ranks do not share a node");
        }
        before += i < rank ? sizes[i] : 0;
        all += sizes[i];
    }
    char *memory = NULL;
    if (rank == 0) {
        memory = mgen_memory((size_t)all);
        memset(memory, 0, (size_t)all);
    }
    mgen_collective_bcast("binomial", &memory, sizeof memory, 0, comm);
    *(void **)base = memory + before;
    make("MPI_Win_allocate_shared", (struct opened){memory + before, size, unit, NULL},
         MPI_WIN_FLAVOR_SHARED, rank == 0, comm, win);
    free(sizes);
    return mgen_left(MPI_SUCCESS);
}

int MPI_Win_shared_query(MPI_Win win, int rank, MPI_Aint *size, int *unit, void *base) {
    mgen_label("MPI_Win_shared_query");
    struct window *window = mgen_window(win);
    for (int i = 0; rank == MPI_PROC_NULL && i < window->size; i++) {
        rank = window->opened[i].size > 0 ? i : rank;
    }
    rank = rank == MPI_PROC_NULL ? 0 : rank;
    *size = window->opened[rank].size;
    *unit = window->opened[rank].unit;
    *(void **)base = window->opened[rank].base;
    return mgen_left(MPI_SUCCESS);
}

int MPI_Win_attach(MPI_Win win, void *base, MPI_Aint size) {
    (void)base;
    (void)size;
    mgen_label("MPI_Win_attach");
    mgen_window(win);
    return mgen_left(MPI_SUCCESS);
}

int MPI_Win_detach(MPI_Win win, const void *base) {
    (void)base;
    mgen_label("MPI_Win_detach");
    mgen_window(win);
    return mgen_left(MPI_SUCCESS);
}

int MPI_Win_free(MPI_Win *win) {
    mgen_label("MPI_Win_free");
    struct window *window = mgen_window(*win);
    const char *why = mgen_no_free(window);
    if (why != NULL) {
        return mgen_wrong_epoch(__func__, *win, why);
    }
    mgen_window_flush(window, -1);
    mgen_collective_barrier("dissemination", window->comm);
    mgen_attributes_free(KEYVAL_WIN, *win, &window->attributes);
    if (window->owns_memory) {
        free(window->opened[window->rank].base);
    }
    mgen_lock_free(window->opened[window->rank].lock);
    mgen_table_remove(&mgen_mpi()->windows, *win - 1);
    MPI_Comm_free(&window->comm);
    free(window->opened);
    free(window->begun);
    free(window->epochs.locked);
    free(window->name);
    free(window);
    *win = MPI_WIN_NULL;
    return mgen_left(MPI_SUCCESS);
}

int MPI_Win_get_group(MPI_Win win, MPI_Group *group) {
    mgen_label("MPI_Win_get_group");
    MPI_Comm_group(mgen_window(win)->comm, group);
    return mgen_left(MPI_SUCCESS);
}

int MPI_Win_set_name(MPI_Win win, const char *name) {
    mgen_label("MPI_Win_set_name");
    struct window *window = mgen_window(win);
    free(window->name);
    window->name = mgen_memory(strlen(name) + 1);
    strcpy(window->name, name);
    return mgen_left(MPI_SUCCESS);
}

int MPI_Win_get_name(MPI_Win win, char *name, int *length) {
    mgen_label("MPI_Win_get_name");
    struct window *window = mgen_window(win);
    *length = snprintf(name, MPI_MAX_OBJECT_NAME, "%s", window->name != NULL ? window->name : "");
    return mgen_left(MPI_SUCCESS);
}

int MPI_Win_set_info(MPI_Win win, MPI_Info info) {
    mgen_called(__func__);
    (void)win;
    (void)info;
    return MPI_SUCCESS;
}

int MPI_Win_get_info(MPI_Win win, MPI_Info *info) {
    mgen_called(__func__);
    (void)win;
    return MPI_Info_create(info);
}

int MPI_Win_create_errhandler(MPI_Win_errhandler_function *function, MPI_Errhandler *handler) {
    mgen_called(__func__);
    return MPI_Comm_create_errhandler(function, handler);
}

int MPI_Win_set_errhandler(MPI_Win win, MPI_Errhandler handler) {
    mgen_label("MPI_Win_set_errhandler");
    mgen_window(win)->handler = handler;
    return mgen_left(MPI_SUCCESS);
}

int MPI_Win_get_errhandler(MPI_Win win, MPI_Errhandler *handler) {
    mgen_label("MPI_Win_get_errhandler");
    *handler = mgen_window(win)->handler;
    return mgen_left(MPI_SUCCESS);
}
