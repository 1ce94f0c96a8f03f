/* Opening files and closing them. */
#include "mpi_files.h"
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

enum { ACCESSES = MPI_MODE_RDONLY | MPI_MODE_WRONLY | MPI_MODE_RDWR };

struct file *mgen_file(MPI_File file) {
    return file > 0 ? mgen_table_get(&mgen_mpi()->files, file - 1) : NULL;
}

struct file *mgen_file_of(const char *call, MPI_File file) {
    mgen_called(call);
    return mgen_file(file);
}

void mgen_file_meet(const struct file *file) {
    mgen_collective_barrier("dissemination", file->comm);
}

int mgen_file_is_last(const struct file *file) {
    struct shared_file *shared = file->shared;
    shared->passed = (shared->passed + 1) % mgen_comm_size(file->comm);
    return shared->passed == 0;
}

void mgen_file_touch(void) {
    MGEN_Request request = MGEN_REQUEST_NULL;
    mgen_storage();
    mgen_store(0, &request);
    mgen_wait_all(1, &request, MGEN_STATUSES_IGNORE);
}

int mgen_file_class(int error) {
    switch (error) {
    case ENOENT:
        return MPI_ERR_NO_SUCH_FILE;
    case EEXIST:
        return MPI_ERR_FILE_EXISTS;
    case EACCES:
    case EPERM:
        return MPI_ERR_ACCESS;
    case EISDIR:
    case ENAMETOOLONG:
        return MPI_ERR_BAD_FILE;
    case ENOSPC:
    case EDQUOT:
        return MPI_ERR_NO_SPACE;
    case EMFILE:
        mgen_fail("the process that simulates all ranks cannot hold more files open");
        return MPI_ERR_IO;
    default:
        return MPI_ERR_IO;
    }
}

static int leads_up(const char *path) {
    for (const char *at = strstr(path, ".."); at != NULL; at = strstr(at + 2, "..")) {
        if ((at == path || at[-1] == '/') && (at[2] == '/' || at[2] == '\0')) {
            return 1;
        }
    }
    return 0;
}

/* Some programs name the kind of the file system in front of the path. */
const char *mgen_file_path(const char *name) {
    static const char *const kinds[] = {"ufs:", "nfs:", "lustre:", "gpfs:"};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        if (strncmp(name, kinds[i], strlen(kinds[i])) == 0) {
            name += strlen(kinds[i]);
        }
    }
    if (name[0] == '/' || leads_up(name)) {
        char text[512];
        snprintf(text, sizeof text,
                 "%.400s leads out of the folder of the program; use a path inside it", name);
        mgen_fail(text);
    }
    return name;
}

static int mode_error(int mode) {
    int access = mode & ACCESSES;
    int is_one = access == MPI_MODE_RDONLY || access == MPI_MODE_WRONLY || access == MPI_MODE_RDWR;
    int makes = mode & (MPI_MODE_CREATE | MPI_MODE_EXCL);
    if (!is_one || (access == MPI_MODE_RDONLY && makes) ||
        (access == MPI_MODE_RDWR && (mode & MPI_MODE_SEQUENTIAL))) {
        return MPI_ERR_AMODE;
    }
    return MPI_SUCCESS;
}

static struct shared_file *opened(const char *path, int mode, int size) {
    int access = mode & ACCESSES;
    int flags = access == MPI_MODE_RDONLY   ? O_RDONLY
                : access == MPI_MODE_WRONLY ? O_WRONLY
                                            : O_RDWR;
    flags |= mode & MPI_MODE_CREATE ? O_CREAT : 0;
    flags |= mode & MPI_MODE_EXCL ? O_EXCL : 0;
    struct shared_file *made = mgen_memory(sizeof *made);
    *made = (struct shared_file){.descriptor = -1, .mode = mode, .code = MPI_SUCCESS};
    made->bytes = mgen_memory((size_t)size * sizeof *made->bytes);
    made->is_empty = path == NULL;
    if (made->is_empty) {
        return made;
    }
    made->descriptor = open(path, flags | O_CLOEXEC, 0666);
    if (made->descriptor < 0) {
        made->code = mgen_file_class(errno);
    }
    made->path = mgen_memory(strlen(path) + 1);
    strcpy(made->path, path);
    return made;
}

/* The first rank that comes opens the file. */
static struct shared_file *join(MPI_Comm comm, const char *path, int mode) {
    void **common = mgen_common(comm);
    if (*common == NULL) {
        *common = opened(path, mode, mgen_comm_size(comm));
    }
    struct shared_file *shared = *common;
    shared->users++;
    if (shared->mode != mode) {
        shared->code = MPI_ERR_NOT_SAME;
    }
    return shared;
}

/* The last rank closes the file. */
static void leave(struct shared_file *shared) {
    if (--shared->users > 0) {
        return;
    }
    if (shared->descriptor >= 0) {
        close(shared->descriptor);
        if (shared->mode & MPI_MODE_DELETE_ON_CLOSE) {
            unlink(shared->path);
        }
    }
    free(shared->path);
    free(shared->bytes);
    free(shared);
}

static void set_info(struct file *file, MPI_Info info) {
    int count = 0;
    if (info == MPI_INFO_NULL) {
        return;
    }
    MPI_Info_get_nkeys(info, &count);
    for (int i = 0; i < count; i++) {
        char key[MPI_MAX_INFO_KEY + 1];
        char value[MPI_MAX_INFO_VAL + 1];
        int flag = 0;
        MPI_Info_get_nthkey(info, i, key);
        MPI_Info_get(info, key, MPI_MAX_INFO_VAL, value, &flag);
        MPI_Info_set(file->info, key, value);
    }
}

static MPI_File added(struct file made, MPI_Info info) {
    struct file *file = mgen_memory(sizeof *file);
    *file = made;
    mgen_view_open(&file->view, 0, MPI_BYTE, MPI_BYTE);
    MPI_Info_create(&file->info);
    set_info(file, info);
    if (file->mode & MPI_MODE_APPEND) {
        file->position = mgen_file_bytes(file);
        file->shared->position = file->position;
    }
    return 1 + mgen_table_add(&mgen_mpi()->files, file);
}

/* Without a path it is the file of a replay. */
static int opens(const char *call, MPI_Comm comm, const char *path, int mode, MPI_Info info,
                 MPI_File *handle) {
    int code = mode_error(mode);
    if (code != MPI_SUCCESS) {
        return mgen_file_left(call, MPI_FILE_NULL, code);
    }
    struct file made = {
        .comm = mgen_comm_copy(comm), .mode = mode, .handler = mgen_file_default_handler()};
    mgen_file_meet(&made);
    mgen_file_touch();
    made.shared = join(made.comm, path, mode);
    mgen_file_meet(&made);
    code = made.shared->code;
    if (code == MPI_SUCCESS) {
        *handle = added(made, info);
        mgen_file_meet(&made);
    } else {
        leave(made.shared);
        MPI_Comm_free(&made.comm);
    }
    return mgen_file_left(call, MPI_FILE_NULL, code);
}

int MPI_File_open(MPI_Comm comm, const char *name, int mode, MPI_Info info, MPI_File *handle) {
    *handle = MPI_FILE_NULL;
    mgen_enter(__func__, comm, -1);
    return opens(__func__, comm, mgen_file_path(name), mode, info, handle);
}

int mgen_file_open_empty(MPI_Comm comm, MPI_File *handle) {
    static const char call[] = "MPI_File_open";
    *handle = MPI_FILE_NULL;
    mgen_enter(call, comm, -1);
    return opens(call, comm, NULL, MPI_MODE_RDWR, MPI_INFO_NULL, handle);
}

int MPI_File_close(MPI_File *handle) {
    struct file *file = mgen_file_of(__func__, *handle);
    if (file == NULL) {
        return mgen_file_error(__func__, MPI_FILE_NULL, MPI_ERR_FILE);
    }
    mgen_enter(__func__, file->comm, -1);
    mgen_file_touch();
    mgen_view_close(&file->view);
    leave(file->shared);
    mgen_file_meet(file);
    MPI_Info_free(&file->info);
    MPI_Comm_free(&file->comm);
    mgen_table_remove(&mgen_mpi()->files, *handle - 1);
    free(file);
    *handle = MPI_FILE_NULL;
    return mgen_left(MPI_SUCCESS);
}

int MPI_File_delete(const char *name, MPI_Info info) {
    (void)info;
    mgen_label(__func__);
    const char *path = mgen_file_path(name);
    mgen_file_touch();
    int code = unlink(path) == 0 ? MPI_SUCCESS : mgen_file_class(errno);
    return mgen_file_left(__func__, MPI_FILE_NULL, code);
}

int MPI_File_set_info(MPI_File handle, MPI_Info info) {
    struct file *file = mgen_file_of(__func__, handle);
    if (file == NULL) {
        return mgen_file_error(__func__, MPI_FILE_NULL, MPI_ERR_FILE);
    }
    set_info(file, info);
    return MPI_SUCCESS;
}

int MPI_File_get_info(MPI_File handle, MPI_Info *info) {
    struct file *file = mgen_file_of(__func__, handle);
    if (file == NULL) {
        return mgen_file_error(__func__, MPI_FILE_NULL, MPI_ERR_FILE);
    }
    return MPI_Info_dup(file->info, info);
}
