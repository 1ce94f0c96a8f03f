/* The calls that read and write files. They differ in where the data lie, in who waits for whom,
 * and in what completes them. */
#include "mpi_files.h"

enum place { AT, OWN, SHARED, ORDERED };

struct want {
    const char *call;
    int is_written;
    enum place place;
    int is_collective;
    MPI_Offset offset; /* for AT, in elements */
    const void *buffer;
    int count;
    MPI_Datatype type;
};

static void enter(const struct file *file, const struct want *want) {
    if (want->is_collective) {
        mgen_enter(want->call, file->comm, -1);
    } else {
        mgen_label(want->call);
    }
}

static int error_of(const struct file *file, const struct want *want) {
    if (want->place == AT && want->offset < 0) {
        return MPI_ERR_ARG;
    }
    enum way way = want->place == SHARED || want->place == ORDERED ? WAY_SHARED : WAY_ANY;
    return mgen_access_check(file, want->is_written, way, want->count, want->type);
}

/* The ranks lie one behind the other, and the shared pointer behind all of them. */
static MPI_Offset in_order(const struct file *file, size_t bytes) {
    struct shared_file *shared = file->shared;
    int size = mgen_comm_size(file->comm);
    int rank = mgen_comm_rank(file->comm);
    shared->bytes[rank] = bytes;
    mgen_file_meet(file);
    MPI_Offset from = shared->position;
    MPI_Offset all = 0;
    for (int i = 0; i < size; i++) {
        from += i < rank ? (MPI_Offset)shared->bytes[i] : 0;
        all += (MPI_Offset)shared->bytes[i];
    }
    if (mgen_file_is_last(file)) {
        shared->position += all;
    }
    return from;
}

/* Data beyond the end of the file count for the shared pointer, not for the rank's own. */
static struct access begin(struct file *file, const struct want *want) {
    size_t bytes = mgen_data_bytes(want->type, want->count);
    MPI_Offset from = want->place == ORDERED ? in_order(file, bytes) : 0;
    int holds_data = mgen_storage();
    if (want->place == AT) {
        from = want->offset * file->view.element->size;
    } else if (want->place == OWN) {
        from = file->position;
    } else if (want->place == SHARED) {
        from = file->shared->position;
        file->shared->position += (MPI_Offset)bytes;
    }
    struct access begun = mgen_access_begin(file, want->is_written, holds_data, want->buffer,
                                            want->count, want->type, from);
    if (want->place == OWN) {
        file->position += (MPI_Offset)begun.moved;
    }
    return begun;
}

static int access_now(MPI_File handle, struct want want, MPI_Status *status) {
    struct file *file = mgen_file_of(want.call, handle);
    if (file == NULL) {
        return mgen_file_error(want.call, MPI_FILE_NULL, MPI_ERR_FILE);
    }
    enter(file, &want);
    int code = error_of(file, &want);
    if (code == MPI_SUCCESS) {
        struct access begun = begin(file, &want);
        code = mgen_access_end(&begun, status);
        if (want.is_collective) {
            mgen_file_meet(file);
        }
    }
    return mgen_file_left(want.call, handle, code);
}

/* Waits for no other rank. */
static int access_later(MPI_File handle, struct want want, MPI_Request *request) {
    struct file *file = mgen_file_of(want.call, handle);
    if (file == NULL) {
        return mgen_file_error(want.call, MPI_FILE_NULL, MPI_ERR_FILE);
    }
    mgen_label(want.call);
    int code = error_of(file, &want);
    if (code == MPI_SUCCESS) {
        struct access begun = begin(file, &want);
        *request = mgen_access_request(&begun);
    }
    return mgen_file_left(want.call, handle, code);
}

static int access_split(MPI_File handle, struct want want) {
    struct file *file = mgen_file_of(want.call, handle);
    if (file == NULL) {
        return mgen_file_error(want.call, MPI_FILE_NULL, MPI_ERR_FILE);
    }
    enter(file, &want);
    int code = file->split != NULL ? MPI_ERR_IO : error_of(file, &want);
    if (code == MPI_SUCCESS) {
        file->split = mgen_memory(sizeof *file->split);
        *file->split = begin(file, &want);
    }
    return mgen_file_left(want.call, handle, code);
}

static int split_ends(const char *call, MPI_File handle, MPI_Status *status) {
    struct file *file = mgen_file_of(call, handle);
    if (file == NULL || file->split == NULL) {
        return mgen_file_error(call, file == NULL ? MPI_FILE_NULL : handle,
                               file == NULL ? MPI_ERR_FILE : MPI_ERR_IO);
    }
    mgen_enter(call, file->comm, -1);
    int code = mgen_access_end(file->split, status);
    free(file->split);
    file->split = NULL;
    mgen_file_meet(file);
    return mgen_file_left(call, handle, code);
}

#define WANT(is_written, place, is_collective, offset)                                             \
    (struct want) {                                                                                \
        __func__, is_written, place, is_collective, offset, buffer, count, type                    \
    }
#define ACCESS(name, BUFFER, is_written, place, is_collective)                                     \
    int name(MPI_File file, BUFFER *buffer, int count, MPI_Datatype type, MPI_Status *status) {    \
        return access_now(file, WANT(is_written, place, is_collective, 0), status);                \
    }
#define ACCESS_AT(name, BUFFER, is_written, is_collective)                                         \
    int name(MPI_File file, MPI_Offset offset, BUFFER *buffer, int count, MPI_Datatype type,       \
             MPI_Status *status) {                                                                 \
        return access_now(file, WANT(is_written, AT, is_collective, offset), status);              \
    }
#define LATER(name, BUFFER, is_written, place)                                                     \
    int name(MPI_File file, BUFFER *buffer, int count, MPI_Datatype type, MPI_Request *request) {  \
        return access_later(file, WANT(is_written, place, 0, 0), request);                         \
    }
#define LATER_AT(name, BUFFER, is_written)                                                         \
    int name(MPI_File file, MPI_Offset offset, BUFFER *buffer, int count, MPI_Datatype type,       \
             MPI_Request *request) {                                                               \
        return access_later(file, WANT(is_written, AT, 0, offset), request);                       \
    }
#define SPLIT(name, BUFFER, is_written, place)                                                     \
    int name##_begin(MPI_File file, BUFFER *buffer, int count, MPI_Datatype type) {                \
        return access_split(file, WANT(is_written, place, 1, 0));                                  \
    }
#define SPLIT_AT(name, BUFFER, is_written)                                                         \
    int name##_begin(MPI_File file, MPI_Offset offset, BUFFER *buffer, int count,                  \
                     MPI_Datatype type) {                                                          \
        return access_split(file, WANT(is_written, AT, 1, offset));                                \
    }
#define SPLIT_END(name, BUFFER)                                                                    \
    int name##_end(MPI_File file, BUFFER *buffer, MPI_Status *status) {                            \
        (void)buffer;                                                                              \
        return split_ends(__func__, file, status);                                                 \
    }

ACCESS(MPI_File_read, void, 0, OWN, 0)
ACCESS(MPI_File_read_all, void, 0, OWN, 1)
ACCESS(MPI_File_read_shared, void, 0, SHARED, 0)
ACCESS(MPI_File_read_ordered, void, 0, ORDERED, 1)
ACCESS(MPI_File_write, const void, 1, OWN, 0)
ACCESS(MPI_File_write_all, const void, 1, OWN, 1)
ACCESS(MPI_File_write_shared, const void, 1, SHARED, 0)
ACCESS(MPI_File_write_ordered, const void, 1, ORDERED, 1)
ACCESS_AT(MPI_File_read_at, void, 0, 0)
ACCESS_AT(MPI_File_read_at_all, void, 0, 1)
ACCESS_AT(MPI_File_write_at, const void, 1, 0)
ACCESS_AT(MPI_File_write_at_all, const void, 1, 1)

LATER(MPI_File_iread, void, 0, OWN)
LATER(MPI_File_iread_all, void, 0, OWN)
LATER(MPI_File_iread_shared, void, 0, SHARED)
LATER(MPI_File_iwrite, const void, 1, OWN)
LATER(MPI_File_iwrite_all, const void, 1, OWN)
LATER(MPI_File_iwrite_shared, const void, 1, SHARED)
LATER_AT(MPI_File_iread_at, void, 0)
LATER_AT(MPI_File_iread_at_all, void, 0)
LATER_AT(MPI_File_iwrite_at, const void, 1)
LATER_AT(MPI_File_iwrite_at_all, const void, 1)

SPLIT(MPI_File_read_all, void, 0, OWN)
SPLIT(MPI_File_read_ordered, void, 0, ORDERED)
SPLIT(MPI_File_write_all, const void, 1, OWN)
SPLIT(MPI_File_write_ordered, const void, 1, ORDERED)
SPLIT_AT(MPI_File_read_at_all, void, 0)
SPLIT_AT(MPI_File_write_at_all, const void, 1)
SPLIT_END(MPI_File_read_all, void)
SPLIT_END(MPI_File_read_at_all, void)
SPLIT_END(MPI_File_read_ordered, void)
SPLIT_END(MPI_File_write_all, const void)
SPLIT_END(MPI_File_write_at_all, const void)
SPLIT_END(MPI_File_write_ordered, const void)
