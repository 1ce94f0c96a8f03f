/* Files: they lie in the folder in which the program runs. */
#ifndef MPI_FILES_H
#define MPI_FILES_H

#include "mpi_comms.h"
#include "mpi_requests.h"

/* What the ranks that have opened a file together share. */
struct shared_file {
    int descriptor;
    int mode;
    int code; /* of the last call in which all ranks have one result */
    int users;
    int is_empty; /* the file of a replay: it has no bytes, and moves all that it is asked for */
    int passed;   /* how many ranks have passed the present meeting */
    char *path;
    MPI_Offset position; /* the shared pointer, in bytes of data of the view */
    size_t *bytes;       /* of each rank in an access in the order of ranks */
};

/* Which bytes of the file a rank sees. */
struct view {
    MPI_Offset displacement;
    MPI_Datatype etype;
    MPI_Datatype filetype;
    const struct type *element;
    const struct type *pattern;
    int is_together;    /* all bytes from the displacement on */
    MPI_Offset *before; /* of each block of the pattern: bytes of data in the blocks before */
};

/* An access that is under way. */
struct access {
    int is_written;
    struct dense dense;
    size_t moved;
    int code;
    MGEN_Request request;
};

struct file {
    struct shared_file *shared;
    MPI_Comm comm; /* its own */
    int mode;
    int is_atomic;
    MPI_Errhandler handler;
    MPI_Info info;
    struct view view;
    MPI_Offset position;  /* the rank's own pointer, in bytes of data of the view */
    struct access *split; /* that of a call that has begun and not ended */
};

/* NULL if there is no such file. */
struct file *mgen_file(MPI_File file);
/* The same at the begin of `call`. */
struct file *mgen_file_of(const char *call, MPI_File file);
int mgen_file_default_handler(void);
/* Ends a call with an error, which goes to the handler of the file. */
int mgen_file_error(const char *call, MPI_File file, int code);
/* Ends a call with a code that may be MPI_SUCCESS. */
int mgen_file_left(const char *call, MPI_File file, int code);

/* All ranks of the file meet here. */
void mgen_file_meet(const struct file *file);
/* Whether the rank is the last one behind a meeting, and so does what is done once. Another meeting
 * must follow. */
int mgen_file_is_last(const struct file *file);
/* The rank accesses the storage without data. */
void mgen_file_touch(void);
/* Fails if the name leads out of the folder; returns it without the prefix for a file system. */
const char *mgen_file_path(const char *name);
/* The class of the C library's error. */
int mgen_file_class(int error);

/* Views. */
struct piece {
    MPI_Offset at; /* in the file */
    size_t bytes;
};
void mgen_view_open(struct view *view, MPI_Offset displacement, MPI_Datatype etype,
                    MPI_Datatype filetype);
void mgen_view_close(struct view *view);
/* The first bytes that lie together of `most` bytes of data from the byte `from` of data on. */
struct piece mgen_view_piece(const struct view *view, MPI_Offset from, size_t most);
/* How many bytes of data of the view lie before the end of a file of so many bytes. */
MPI_Offset mgen_view_end(const struct view *view, MPI_Offset file_bytes);
MPI_Offset mgen_file_bytes(const struct file *file);

/* Accesses. */
enum way { WAY_ANY, WAY_SHARED };
/* Whether a rank may access the file so; else an error. */
int mgen_access_check(const struct file *file, int is_written, enum way way, int count,
                      MPI_Datatype type);
/* Begins an access of the data from the byte `from` of the view's data on: moves them and asks the
 * storage for its time. The rank has reached the storage. */
struct access mgen_access_begin(const struct file *file, int is_written, int holds_data,
                                const void *buffer, int count, MPI_Datatype type, MPI_Offset from);
/* Waits for it; returns its error. */
int mgen_access_end(struct access *access, MPI_Status *status);
/* A request that completes it. */
MPI_Request mgen_access_request(const struct access *access);

#endif
