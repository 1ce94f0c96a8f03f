/* What a file is asked: its size, mode, group; and its error handlers. */
#include "mpi_files.h"
#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

/* A handler that nobody has set is 0. */
int mgen_file_default_handler(void) {
    int handler = mgen_mpi()->file_handler;
    return handler == MPI_ERRHANDLER_NULL ? MPI_ERRORS_RETURN : handler;
}

int mgen_file_error(const char *call, MPI_File handle, int code) {
    const struct file *file = mgen_file(handle);
    mgen_call_handler(call, file != NULL ? file->handler : mgen_file_default_handler(), handle,
                      code);
    return code;
}

int mgen_file_left(const char *call, MPI_File file, int code) {
    mgen_leave();
    return code == MPI_SUCCESS ? MPI_SUCCESS : mgen_file_error(call, file, code);
}

MPI_Offset mgen_file_bytes(const struct file *file) {
    struct stat found = {.st_size = 0};
    if (!file->shared->is_empty && fstat(file->shared->descriptor, &found) != 0) {
        mgen_fail("its size cannot be read");
    }
    return found.st_size;
}

int MPI_File_get_size(MPI_File handle, MPI_Offset *size) {
    struct file *file = mgen_file_of(__func__, handle);
    if (file == NULL) {
        return mgen_file_error(__func__, MPI_FILE_NULL, MPI_ERR_FILE);
    }
    mgen_label(__func__);
    mgen_file_touch();
    *size = mgen_file_bytes(file);
    return mgen_left(MPI_SUCCESS);
}

/* The last rank that has met the others changes the size, and all have its result. */
static int resize(const char *call, MPI_File handle, MPI_Offset size, int only_grows) {
    struct file *file = mgen_file_of(call, handle);
    if (file == NULL) {
        return mgen_file_error(call, MPI_FILE_NULL, MPI_ERR_FILE);
    }
    int code = size < 0                       ? MPI_ERR_ARG
               : file->mode & MPI_MODE_RDONLY ? MPI_ERR_READ_ONLY
                                              : MPI_SUCCESS;
    if (code != MPI_SUCCESS) {
        return mgen_file_error(call, handle, code);
    }
    mgen_enter(call, file->comm, -1);
    mgen_file_meet(file);
    mgen_file_touch();
    if (mgen_file_is_last(file)) {
        int stays = file->shared->is_empty || (only_grows && mgen_file_bytes(file) >= size);
        int failed = !stays && ftruncate(file->shared->descriptor, size) != 0;
        file->shared->code = failed ? mgen_file_class(errno) : MPI_SUCCESS;
    }
    mgen_file_meet(file);
    return mgen_file_left(call, handle, file->shared->code);
}

int MPI_File_set_size(MPI_File file, MPI_Offset size) {
    return resize(__func__, file, size, 0);
}

int MPI_File_preallocate(MPI_File file, MPI_Offset size) {
    return resize(__func__, file, size, 1);
}

/* What is written is in the storage when the call that writes it ends. */
int MPI_File_sync(MPI_File handle) {
    struct file *file = mgen_file_of(__func__, handle);
    if (file == NULL) {
        return mgen_file_error(__func__, MPI_FILE_NULL, MPI_ERR_FILE);
    }
    if (file->mode & MPI_MODE_RDONLY) {
        return mgen_file_error(__func__, handle, MPI_ERR_READ_ONLY);
    }
    mgen_enter(__func__, file->comm, -1);
    mgen_file_touch();
    mgen_file_meet(file);
    return mgen_left(MPI_SUCCESS);
}

int MPI_File_get_amode(MPI_File handle, int *mode) {
    struct file *file = mgen_file_of(__func__, handle);
    if (file == NULL) {
        return mgen_file_error(__func__, MPI_FILE_NULL, MPI_ERR_FILE);
    }
    *mode = file->mode;
    return MPI_SUCCESS;
}

int MPI_File_get_group(MPI_File handle, MPI_Group *group) {
    struct file *file = mgen_file_of(__func__, handle);
    if (file == NULL) {
        return mgen_file_error(__func__, MPI_FILE_NULL, MPI_ERR_FILE);
    }
    return MPI_Comm_group(file->comm, group);
}

/* All accesses are atomic: each moves its data at one time. */
int MPI_File_set_atomicity(MPI_File handle, int flag) {
    struct file *file = mgen_file_of(__func__, handle);
    if (file == NULL) {
        return mgen_file_error(__func__, MPI_FILE_NULL, MPI_ERR_FILE);
    }
    mgen_enter(__func__, file->comm, -1);
    file->is_atomic = flag != 0;
    mgen_file_meet(file);
    return mgen_left(MPI_SUCCESS);
}

int MPI_File_get_atomicity(MPI_File handle, int *flag) {
    struct file *file = mgen_file_of(__func__, handle);
    if (file == NULL) {
        return mgen_file_error(__func__, MPI_FILE_NULL, MPI_ERR_FILE);
    }
    *flag = file->is_atomic;
    return MPI_SUCCESS;
}

int MPI_File_create_errhandler(MPI_File_errhandler_function *function, MPI_Errhandler *handler) {
    mgen_called(__func__);
    return MPI_Comm_create_errhandler(function, handler);
}

/* The handler of MPI_FILE_NULL is that of files that will be opened. */
int MPI_File_set_errhandler(MPI_File handle, MPI_Errhandler handler) {
    struct file *file = mgen_file_of(__func__, handle);
    if (handle == MPI_FILE_NULL) {
        mgen_mpi()->file_handler = handler;
    } else if (file == NULL) {
        return mgen_file_error(__func__, MPI_FILE_NULL, MPI_ERR_FILE);
    } else {
        file->handler = handler;
    }
    return MPI_SUCCESS;
}

int MPI_File_get_errhandler(MPI_File handle, MPI_Errhandler *handler) {
    struct file *file = mgen_file_of(__func__, handle);
    if (file == NULL && handle != MPI_FILE_NULL) {
        return mgen_file_error(__func__, MPI_FILE_NULL, MPI_ERR_FILE);
    }
    *handler = file != NULL ? file->handler : mgen_file_default_handler();
    return MPI_SUCCESS;
}

int MPI_File_call_errhandler(MPI_File handle, int code) {
    mgen_called(__func__);
    mgen_file_error(__func__, handle, code);
    return MPI_SUCCESS;
}
