/* One-sided operations that have begun. What completes one may be a call of its window, or its
 * request; several threads may wait for it at once. */
#include "mpi_windows.h"

struct operation *mgen_operation_begin(struct window *window, int target, long handle) {
    if (window->count == window->room) {
        mgen_window_forget(window);
        int is_crowded = 2 * window->count >= window->room;
        window->room = window->room == 0 ? 16 : is_crowded ? 2 * window->room : window->room;
        window->begun =
            mgen_more_memory(window->begun, (size_t)window->room * sizeof(struct operation *));
    }
    struct operation *made = mgen_memory(sizeof *made);
    *made = (struct operation){handle, target, 0, 1};
    window->begun[window->count++] = made;
    return made;
}

struct operation *mgen_operation_hold(struct operation *operation) {
    operation->holders++;
    return operation;
}

static void release(struct operation *operation) {
    if (--operation->holders == 0) {
        free(operation);
    }
}

/* Other threads may end it meanwhile. */
void mgen_operation_end(struct operation *operation) {
    if (!operation->is_complete) {
        MGEN_rdma_complete(operation->handle);
        operation->is_complete = 1;
    }
    release(operation);
}

void mgen_window_forget(struct window *window) {
    int left = 0;
    for (int i = 0; i < window->count; i++) {
        if (window->begun[i]->is_complete) {
            release(window->begun[i]);
        } else {
            window->begun[left++] = window->begun[i];
        }
    }
    window->count = left;
}

/* While the thread waits, others may begin operations, which it leaves, and end those that it waits
 * for. */
void mgen_window_flush(struct window *window, int target) {
    int count = 0;
    struct operation **awaited = mgen_memory((size_t)window->count * sizeof(struct operation *));
    for (int i = 0; i < window->count; i++) {
        if (target < 0 || window->begun[i]->target == target) {
            awaited[count++] = mgen_operation_hold(window->begun[i]);
        }
    }
    for (int i = 0; i < count; i++) {
        mgen_operation_end(awaited[i]);
    }
    free(awaited);
    mgen_window_forget(window);
}
