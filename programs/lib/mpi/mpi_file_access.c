/* Reading and writing: between the memory of a rank and its view of a file. */
#include "mpi_files.h"
#include <errno.h>
#include <unistd.h>

int mgen_access_check(const struct file *file, int is_written, enum way way, int count,
                      MPI_Datatype type) {
    if (count < 0) {
        return MPI_ERR_COUNT;
    }
    if (is_written && (file->mode & MPI_MODE_RDONLY)) {
        return MPI_ERR_READ_ONLY;
    }
    if (!is_written && (file->mode & MPI_MODE_WRONLY)) {
        return MPI_ERR_ACCESS;
    }
    if (way != WAY_SHARED && (file->mode & MPI_MODE_SEQUENTIAL)) {
        return MPI_ERR_UNSUPPORTED_OPERATION;
    }
    size_t element = (size_t)file->view.element->size;
    return mgen_data_bytes(type, count) % element == 0 ? MPI_SUCCESS : MPI_ERR_IO;
}

/* A write without data makes the file as long as it would be. */
static int lengthen(int descriptor, MPI_Offset end, const struct file *file) {
    return mgen_file_bytes(file) >= end || ftruncate(descriptor, end) == 0 ? 1 : -1;
}

/* Moves one piece; returns how many bytes, or -1. */
static ssize_t move_piece(const struct file *file, struct piece piece, char *data, int is_written,
                          int holds_data) {
    int descriptor = file->shared->descriptor;
    if (file->shared->is_empty) {
        return (ssize_t)piece.bytes;
    }
    if (is_written && (!holds_data || data == NULL)) {
        int done = lengthen(descriptor, piece.at + (MPI_Offset)piece.bytes, file);
        return done < 0 ? -1 : (ssize_t)piece.bytes;
    }
    if (is_written) {
        return pwrite(descriptor, data, piece.bytes, piece.at);
    }
    if (data == NULL) {
        MPI_Offset left = mgen_file_bytes(file) - piece.at;
        return left <= 0                        ? 0
               : left < (MPI_Offset)piece.bytes ? (ssize_t)left
                                                : (ssize_t)piece.bytes;
    }
    return pread(descriptor, data, piece.bytes, piece.at);
}

/* Piece after piece, until the data or the file end. */
static void move(struct access *access, const struct file *file, MPI_Offset from, int holds_data) {
    char *data = access->dense.data;
    while (access->moved < access->dense.bytes) {
        size_t most = access->dense.bytes - access->moved;
        struct piece piece = mgen_view_piece(&file->view, from + (MPI_Offset)access->moved, most);
        char *place = data == NULL ? NULL : data + access->moved;
        ssize_t done = move_piece(file, piece, place, access->is_written, holds_data);
        if (done < 0 && errno == EINTR) {
            continue;
        }
        if (done < 0) {
            access->code = mgen_file_class(errno);
        }
        if (done <= 0) {
            return;
        }
        access->moved += (size_t)done;
    }
}

struct access mgen_access_begin(const struct file *file, int is_written, int holds_data,
                                const void *buffer, int count, MPI_Datatype type, MPI_Offset from) {
    struct access access = {.is_written = is_written,
                            .dense = mgen_dense(buffer, count, type, is_written),
                            .code = MPI_SUCCESS,
                            .request = MGEN_REQUEST_NULL};
    move(&access, file, from, holds_data);
    if (is_written) {
        mgen_dense_free(&access.dense);
    }
    mgen_store(access.moved, &access.request);
    return access;
}

int mgen_access_end(struct access *access, MPI_Status *status) {
    mgen_wait_all(1, &access->request, MGEN_STATUSES_IGNORE);
    if (!access->is_written) {
        mgen_dense_received(&access->dense, access->moved);
    }
    if (status != MPI_STATUS_IGNORE) {
        *status = mgen_empty_status;
        status->bytes = (long)access->moved;
    }
    return access->code;
}

MPI_Request mgen_access_request(const struct access *access) {
    struct request *made = mgen_request_new(REQUEST_FILE);
    made->inner = access->request;
    made->status.bytes = (long)access->moved;
    made->status.MGEN_ERROR = access->code;
    made->moved = access->moved;
    if (!access->is_written) {
        made->dense = access->dense;
    }
    return mgen_request_add(made);
}
