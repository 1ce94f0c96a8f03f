/* Files. A trace has how many bytes a call moves, and not where they lie: the storage takes as long
 * for all places. A call that fails moves nothing. */
#include "counts.h"
#include "trace.h"

static struct event of_file(int call, int file, int64_t bytes, int64_t element) {
    return (struct event){.call = call,
                          .peer = NOBODY,
                          .bytes = bytes,
                          .element = bytes % element == 0 ? (int)element : 1,
                          .file = file,
                          .request = -1};
}

static void left(int call, MPI_File file, int code, int64_t bytes, int64_t element) {
    int number = code == MPI_SUCCESS ? trace_file(file) : 0;
    if (number > 0) {
        trace_leave(of_file(call, number, bytes, element));
    } else {
        trace_pass();
    }
}

/* A file may end before all has been read. */
static int64_t moved(const MPI_Status *status, int64_t asked) {
    MPI_Count found = 0;
    PMPI_Get_elements_x(status, MPI_BYTE, &found);
    return found >= 0 && found < asked ? found : asked;
}

#define ALL(...) __VA_ARGS__
#define READS void *buffer, COUNT count, MPI_Datatype type
#define WRITES const void *buffer, COUNT count, MPI_Datatype type
#define OWN buffer, count, type
#define AT MPI_Offset offset,
#define ASKED trace_bytes(count, type)

/* One that waits, and one with a request. */
#define ACCESS(name, parameters, arguments)                                                        \
    int FOR_COUNT(MPI_File_##name)(MPI_File file, parameters, MPI_Status * status) {               \
        MPI_Status own;                                                                            \
        MPI_Status *seen = status == MPI_STATUS_IGNORE ? &own : status;                            \
        trace_enter();                                                                             \
        int code = FOR_COUNT(PMPI_File_##name)(file, arguments, seen);                             \
        left(CALL_File_##name, file, code, moved(seen, ASKED), trace_element(type));               \
        return code;                                                                               \
    }
#define LATER(name, parameters, arguments)                                                         \
    int FOR_COUNT(MPI_File_##name)(MPI_File file, parameters, MPI_Request * request) {             \
        trace_enter();                                                                             \
        int code = FOR_COUNT(PMPI_File_##name)(file, arguments, request);                          \
        int number = code == MPI_SUCCESS ? trace_file(file) : 0;                                   \
        if (number > 0) {                                                                          \
            struct event event = of_file(CALL_File_##name, number, ASKED, trace_element(type));    \
            event.request = trace_request(*request);                                               \
            trace_leave(event);                                                                    \
        } else {                                                                                   \
            trace_pass();                                                                          \
        }                                                                                          \
        return code;                                                                               \
    }
/* One in two calls: the first one moves the bytes. */
#define BEGIN(name, parameters, arguments)                                                         \
    int FOR_COUNT(MPI_File_##name##_begin)(MPI_File file, parameters) {                            \
        trace_enter();                                                                             \
        int code = FOR_COUNT(PMPI_File_##name##_begin)(file, arguments);                           \
        left(CALL_File_##name##_begin, file, code, ASKED, trace_element(type));                    \
        return code;                                                                               \
    }
#define END(name, pointer)                                                                         \
    int MPI_File_##name##_end(MPI_File file, pointer buffer, MPI_Status *status) {                 \
        trace_enter();                                                                             \
        int code = PMPI_File_##name##_end(file, buffer, status);                                   \
        left(CALL_File_##name##_end, file, code, 0, 1);                                            \
        return code;                                                                               \
    }

ACCESS(read, READS, OWN)
ACCESS(read_all, READS, OWN)
ACCESS(read_shared, READS, OWN)
ACCESS(read_ordered, READS, OWN)
ACCESS(read_at, ALL(AT READS), ALL(offset, OWN))
ACCESS(read_at_all, ALL(AT READS), ALL(offset, OWN))
ACCESS(write, WRITES, OWN)
ACCESS(write_all, WRITES, OWN)
ACCESS(write_shared, WRITES, OWN)
ACCESS(write_ordered, WRITES, OWN)
ACCESS(write_at, ALL(AT WRITES), ALL(offset, OWN))
ACCESS(write_at_all, ALL(AT WRITES), ALL(offset, OWN))

LATER(iread, READS, OWN)
LATER(iread_all, READS, OWN)
LATER(iread_shared, READS, OWN)
LATER(iread_at, ALL(AT READS), ALL(offset, OWN))
LATER(iread_at_all, ALL(AT READS), ALL(offset, OWN))
LATER(iwrite, WRITES, OWN)
LATER(iwrite_all, WRITES, OWN)
LATER(iwrite_shared, WRITES, OWN)
LATER(iwrite_at, ALL(AT WRITES), ALL(offset, OWN))
LATER(iwrite_at_all, ALL(AT WRITES), ALL(offset, OWN))

BEGIN(read_all, READS, OWN)
BEGIN(read_ordered, READS, OWN)
BEGIN(read_at_all, ALL(AT READS), ALL(offset, OWN))
BEGIN(write_all, WRITES, OWN)
BEGIN(write_ordered, WRITES, OWN)
BEGIN(write_at_all, ALL(AT WRITES), ALL(offset, OWN))

#ifndef LARGE
END(read_all, void *)
END(read_ordered, void *)
END(read_at_all, void *)
END(write_all, const void *)
END(write_ordered, const void *)
END(write_at_all, const void *)

/* An open that fails has no number. */
int MPI_File_open(MPI_Comm comm, const char *name, int mode, MPI_Info info, MPI_File *file) {
    trace_enter();
    int code = PMPI_File_open(comm, name, mode, info, file);
    int number = code == MPI_SUCCESS ? trace_file_opened(*file) : 0;
    struct event event = of_file(CALL_File_open, number, 0, 1);
    event.comm = trace_comm(comm);
    trace_leave(event);
    return code;
}

int MPI_File_close(MPI_File *file) {
    trace_enter();
    MPI_File own = *file;
    int code = PMPI_File_close(file);
    left(CALL_File_close, own, code, 0, 1);
    trace_file_closed(own);
    return code;
}

int MPI_File_delete(const char *name, MPI_Info info) {
    trace_enter();
    int code = PMPI_File_delete(name, info);
    trace_leave(of_file(CALL_File_delete, 0, 0, 1));
    return code;
}

/* A call without data. */
#define TOUCH(name, parameters, arguments)                                                         \
    int MPI_File_##name(MPI_File file, parameters) {                                               \
        trace_enter();                                                                             \
        int code = PMPI_File_##name(file, arguments);                                              \
        left(CALL_File_##name, file, code, 0, 1);                                                  \
        return code;                                                                               \
    }

TOUCH(get_size, MPI_Offset *size, size)
TOUCH(set_size, MPI_Offset size, size)
TOUCH(preallocate, MPI_Offset size, size)
TOUCH(set_atomicity, int flag, flag)
TOUCH(seek_shared, ALL(MPI_Offset offset, int whence), ALL(offset, whence))
TOUCH(set_view,
      ALL(MPI_Offset displacement, MPI_Datatype etype, MPI_Datatype filetype, const char *form,
          MPI_Info info),
      ALL(displacement, etype, filetype, form, info))

int MPI_File_sync(MPI_File file) {
    trace_enter();
    int code = PMPI_File_sync(file);
    left(CALL_File_sync, file, code, 0, 1);
    return code;
}

/* A look at the pointer: it takes no time in a simulation, and is no computing. */
int MPI_File_get_position_shared(MPI_File file, MPI_Offset *offset) {
    trace_enter();
    int code = PMPI_File_get_position_shared(file, offset);
    trace_pass();
    return code;
}
#endif
