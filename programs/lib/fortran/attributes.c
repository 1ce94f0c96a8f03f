/* Attributes: in Fortran they are numbers as wide as an address, and those of MPI-1 integers. */
#include "fortran.h"
#include "mpi_state.h"

typedef void copy_function(int *object, int *key, void *extra, void *value, void *copy, int *flag,
                           int *error);
typedef void delete_function(int *object, int *key, void *value, void *extra, int *error);

struct functions {
    copy_function *copy;
    delete_function *delete;
    MPI_Aint extra;
    int is_old; /* values are default integers */
};

/* The low bytes come first on every machine that weft runs on. */
static int copied(int object, int key, void *extra, void *value, void *copy, int *flag) {
    struct functions *own = extra;
    MPI_Aint given = (MPI_Aint)value, made = 0;
    int error = MPI_SUCCESS;
    own->copy(&object, &key, &own->extra, &given, &made, flag, &error);
    *(MPI_Aint *)copy = own->is_old ? (int)made : made;
    return error;
}

static int deleted(int object, int key, void *value, void *extra) {
    struct functions *own = extra;
    MPI_Aint given = (MPI_Aint)value;
    int error = MPI_SUCCESS;
    own->delete(&object, &key, &given, &own->extra, &error);
    return error;
}

static struct functions *functions(copy_function *copy, delete_function *delete, MPI_Aint extra,
                                   int is_old) {
    struct functions *made = mgen_memory(sizeof *made);
    *made = (struct functions){copy, delete, extra, is_old};
    return made;
}

/* Values of MPI's own keys, which in C are addresses of the value. */
static MPI_Aint value_of(int key, void *value) {
    switch (key) {
    case MPI_WIN_SIZE:
        return *(MPI_Aint *)value;
    case MPI_TAG_UB:
    case MPI_HOST:
    case MPI_IO:
    case MPI_WTIME_IS_GLOBAL:
    case MPI_UNIVERSE_SIZE:
    case MPI_LASTUSEDCODE:
    case MPI_APPNUM:
    case MPI_WIN_DISP_UNIT:
    case MPI_WIN_CREATE_FLAVOR:
    case MPI_WIN_MODEL:
        return *(int *)value;
    default:
        return (MPI_Aint)value;
    }
}

#define ATTRIBUTES(kind, Kind)                                                                     \
    void mpi_##kind##_create_keyval_(copy_function *copy, delete_function *delete, int *key,       \
                                     const MPI_Aint *extra, int *error) {                          \
        void *own = functions(copy, delete, *extra, 0);                                            \
        mgen_fortran_error(MPI_##Kind##_create_keyval(copied, deleted, key, own), error);          \
    }                                                                                              \
    void mpi_##kind##_set_attr_(const int *object, const int *key, const MPI_Aint *value,          \
                                int *error) {                                                      \
        mgen_fortran_error(MPI_##Kind##_set_attr(*object, *key, (void *)*value), error);           \
    }                                                                                              \
    void mpi_##kind##_get_attr_(const int *object, const int *key, MPI_Aint *value, int *flag,     \
                                int *error) {                                                      \
        void *found = NULL;                                                                        \
        mgen_fortran_error(MPI_##Kind##_get_attr(*object, *key, &found, flag), error);             \
        if (*flag) {                                                                               \
            *value = value_of(*key, found);                                                        \
        }                                                                                          \
    }                                                                                              \
    void mpi_##kind##_null_copy_fn_(int *object, int *key, void *extra, void *value, void *copy,   \
                                    int *flag, int *error) {                                       \
        (void)object, (void)key, (void)extra, (void)value, (void)copy;                             \
        *flag = 0;                                                                                 \
        *error = MPI_SUCCESS;                                                                      \
    }                                                                                              \
    void mpi_##kind##_dup_fn_(int *object, int *key, void *extra, MPI_Aint *value, MPI_Aint *copy, \
                              int *flag, int *error) {                                             \
        (void)object, (void)key, (void)extra;                                                      \
        *copy = *value;                                                                            \
        *flag = 1;                                                                                 \
        *error = MPI_SUCCESS;                                                                      \
    }                                                                                              \
    void mpi_##kind##_null_delete_fn_(int *object, int *key, void *value, void *extra,             \
                                      int *error) {                                                \
        (void)object, (void)key, (void)value, (void)extra;                                         \
        *error = MPI_SUCCESS;                                                                      \
    }

ATTRIBUTES(comm, Comm)
ATTRIBUTES(type, Type)
ATTRIBUTES(win, Win)

void mpi_keyval_create_(copy_function *copy, delete_function *delete, int *key, const int *extra,
                        int *error) {
    void *own = functions(copy, delete, *extra, 1);
    mgen_fortran_error(MPI_Keyval_create(copied, deleted, key, own), error);
}

void mpi_attr_put_(const int *comm, const int *key, const int *value, int *error) {
    mgen_fortran_error(MPI_Attr_put(*comm, *key, (void *)(MPI_Aint)*value), error);
}

void mpi_attr_get_(const int *comm, const int *key, int *value, int *flag, int *error) {
    void *found = NULL;
    mgen_fortran_error(MPI_Attr_get(*comm, *key, &found, flag), error);
    if (*flag) {
        *value = (int)value_of(*key, found);
    }
}

void mpi_null_copy_fn_(int *comm, int *key, void *extra, void *value, void *copy, int *flag,
                       int *error) {
    mpi_comm_null_copy_fn_(comm, key, extra, value, copy, flag, error);
}

void mpi_dup_fn_(int *comm, int *key, void *extra, int *value, int *copy, int *flag, int *error) {
    (void)comm, (void)key, (void)extra;
    *copy = *value;
    *flag = 1;
    *error = MPI_SUCCESS;
}

void mpi_null_delete_fn_(int *comm, int *key, void *value, void *extra, int *error) {
    mpi_comm_null_delete_fn_(comm, key, value, extra, error);
}
