/* Attributes of communicators. */
#include "mpi_comms.h"

int MPI_Comm_create_keyval(MPI_Comm_copy_attr_function *copy, MPI_Comm_delete_attr_function *delete,
                           int *key, void *extra) {
    return mgen_keyval_create(__func__, KEYVAL_COMM, copy, delete, key, extra);
}

int MPI_Comm_free_keyval(int *key) {
    return mgen_keyval_free(__func__, key);
}

int MPI_Comm_set_attr(MPI_Comm comm, int key, void *value) {
    return mgen_attribute_set(__func__, KEYVAL_COMM, comm,
                              &mgen_comm_of(__func__, comm)->attributes, key, value);
}

/* What every communicator has. */
static const int *predefined(int key) {
    static const int TAG_UB = MGEN_TAG_UB;
    static const int NOBODY = MPI_PROC_NULL;
    static const int ANYBODY = MPI_ANY_SOURCE;
    static const int TRUE = 1;
    static const int LAST = MPI_ERR_RMA_FLAVOR;
    switch (key) {
    case MPI_TAG_UB:
        return &TAG_UB;
    case MPI_HOST:
        return &NOBODY;
    case MPI_IO:
        return &ANYBODY;
    case MPI_WTIME_IS_GLOBAL:
        return &TRUE;
    case MPI_LASTUSEDCODE:
        return &LAST;
    default:
        return NULL;
    }
}

int MPI_Comm_get_attr(MPI_Comm comm, int key, void *value, int *flag) {
    mgen_called(__func__);
    const int *known = predefined(key);
    if (known != NULL) {
        *(const void **)value = known;
        *flag = 1;
        return MPI_SUCCESS;
    }
    return mgen_attribute_get(mgen_comm_of(__func__, comm)->attributes, key, value, flag);
}

int MPI_Comm_delete_attr(MPI_Comm comm, int key) {
    return mgen_attribute_delete(__func__, KEYVAL_COMM, comm,
                                 &mgen_comm_of(__func__, comm)->attributes, key);
}

int MPI_Keyval_create(MPI_Copy_function *copy, MPI_Delete_function *delete, int *key, void *extra) {
    return mgen_keyval_create(__func__, KEYVAL_COMM, copy, delete, key, extra);
}

int MPI_Keyval_free(int *key) {
    return mgen_keyval_free(__func__, key);
}

int MPI_Attr_put(MPI_Comm comm, int key, void *value) {
    mgen_called(__func__);
    return MPI_Comm_set_attr(comm, key, value);
}

int MPI_Attr_get(MPI_Comm comm, int key, void *value, int *flag) {
    mgen_called(__func__);
    return MPI_Comm_get_attr(comm, key, value, flag);
}

int MPI_Attr_delete(MPI_Comm comm, int key) {
    mgen_called(__func__);
    return MPI_Comm_delete_attr(comm, key);
}
