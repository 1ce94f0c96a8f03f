/* Attributes of windows. */
#include "mpi_windows.h"

static struct window *labelled(const char *call, MPI_Win win) {
    mgen_label(call);
    struct window *found = mgen_window(win);
    mgen_leave();
    return found;
}

int MPI_Win_create_keyval(MPI_Win_copy_attr_function *copy, MPI_Win_delete_attr_function *delete,
                          int *key, void *extra) {
    return mgen_keyval_create(__func__, KEYVAL_WIN, copy, delete, key, extra);
}

int MPI_Win_free_keyval(int *key) {
    return mgen_keyval_free(__func__, key);
}

int MPI_Win_set_attr(MPI_Win win, int key, void *value) {
    return mgen_attribute_set(__func__, KEYVAL_WIN, win, &labelled(__func__, win)->attributes, key,
                              value);
}

int MPI_Win_delete_attr(MPI_Win win, int key) {
    return mgen_attribute_delete(__func__, KEYVAL_WIN, win, &labelled(__func__, win)->attributes,
                                 key);
}

int MPI_Win_get_attr(MPI_Win win, int key, void *value, int *flag) {
    static const int UNIFIED = MPI_WIN_UNIFIED;
    struct window *window = labelled(__func__, win);
    const void *found = NULL;
    *flag = 1;
    switch (key) {
    case MPI_WIN_BASE:
        found = window->opened[window->rank].base;
        break;
    case MPI_WIN_SIZE:
        found = &window->own_size;
        break;
    case MPI_WIN_DISP_UNIT:
        found = &window->own_unit;
        break;
    case MPI_WIN_CREATE_FLAVOR:
        found = &window->flavor;
        break;
    case MPI_WIN_MODEL:
        found = &UNIFIED;
        break;
    default:
        return mgen_attribute_get(window->attributes, key, value, flag);
    }
    *(const void **)value = found;
    return MPI_SUCCESS;
}

int MPI_Win_call_errhandler(MPI_Win win, int code) {
    return mgen_call_handler(__func__, labelled(__func__, win)->handler, win, code);
}
