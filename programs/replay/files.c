/* Files. Those of a replay have no bytes: accesses take the time of the storage, wherever they lie.
 */
#include "replay.h"

static MPI_File file_of(struct replay *own, const struct event *event) {
    int64_t *found = replay_object(own, &own->files, event->file, MPI_FILE_NULL);
    if (*found == MPI_FILE_NULL) {
        replay_stop(own, "it uses a file that no event has opened");
    }
    return (MPI_File)*found;
}

/* There is no file of this name. */
static const char missing[] = "missing";

/* Without a number, the program did not get the file either. */
CALL(File_open) {
    (void)more;
    MPI_File file = MPI_FILE_NULL;
    if (event->file < 0) {
        MPI_File_open(replay_comm_of(own, event), missing, MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
        return;
    }
    mgen_file_open_empty(replay_comm_of(own, event), &file);
    *replay_object(own, &own->files, event->file, MPI_FILE_NULL) = file;
}

CALL(File_close) {
    (void)more;
    MPI_File file = file_of(own, event);
    MPI_File_close(&file);
    *replay_object(own, &own->files, event->file, MPI_FILE_NULL) = MPI_FILE_NULL;
}

CALL(File_delete) {
    (void)own;
    (void)event;
    (void)more;
    MPI_File_delete(missing, MPI_INFO_NULL);
}

CALL(File_get_size) {
    (void)more;
    MPI_Offset size = 0;
    MPI_File_get_size(file_of(own, event), &size);
}

/* Calls of a file without data, with these arguments behind it. */
#define TOUCH(name, ...)                                                                           \
    CALL(File_##name) {                                                                            \
        (void)more;                                                                                \
        MPI_File_##name(file_of(own, event) __VA_ARGS__);                                          \
    }

TOUCH(set_size, , 0)
TOUCH(preallocate, , 0)
TOUCH(sync, )
TOUCH(set_atomicity, , 0)
TOUCH(seek_shared, , 0, MPI_SEEK_SET)
TOUCH(set_view, , 0, MPI_BYTE, MPI_BYTE, "native", MPI_INFO_NULL)

/* Accesses, with a place or without. */
#define ACCESS(name, ...)                                                                          \
    CALL(File_##name) {                                                                            \
        (void)more;                                                                                \
        struct amount of = replay_amount(own, event);                                              \
        MPI_File_##name(file_of(own, event), __VA_ARGS__ NULL, of.count, of.type,                  \
                        MPI_STATUS_IGNORE);                                                        \
    }
#define LATER(name, ...)                                                                           \
    CALL(File_##name) {                                                                            \
        (void)more;                                                                                \
        MPI_Request request = MPI_REQUEST_NULL;                                                    \
        struct amount of = replay_amount(own, event);                                              \
        MPI_File_##name(file_of(own, event), __VA_ARGS__ NULL, of.count, of.type, &request);       \
        replay_keep(own, event, request);                                                          \
    }
#define SPLIT(name, ...)                                                                           \
    CALL(File_##name##_begin) {                                                                    \
        (void)more;                                                                                \
        struct amount of = replay_amount(own, event);                                              \
        MPI_File_##name##_begin(file_of(own, event), __VA_ARGS__ NULL, of.count, of.type);         \
    }                                                                                              \
    CALL(File_##name##_end) {                                                                      \
        (void)more;                                                                                \
        MPI_File_##name##_end(file_of(own, event), NULL, MPI_STATUS_IGNORE);                       \
    }
#define START 0,

ACCESS(read, )
ACCESS(read_all, )
ACCESS(read_shared, )
ACCESS(read_ordered, )
ACCESS(read_at, START)
ACCESS(read_at_all, START)
ACCESS(write, )
ACCESS(write_all, )
ACCESS(write_shared, )
ACCESS(write_ordered, )
ACCESS(write_at, START)
ACCESS(write_at_all, START)

LATER(iread, )
LATER(iread_all, )
LATER(iread_shared, )
LATER(iread_at, START)
LATER(iread_at_all, START)
LATER(iwrite, )
LATER(iwrite_all, )
LATER(iwrite_shared, )
LATER(iwrite_at, START)
LATER(iwrite_at_all, START)

SPLIT(read_all, )
SPLIT(read_ordered, )
SPLIT(read_at_all, START)
SPLIT(write_all, )
SPLIT(write_ordered, )
SPLIT(write_at_all, START)
