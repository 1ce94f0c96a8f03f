/* What the files of the replay share: see main.c. */
#ifndef REPLAY_H
#define REPLAY_H

#include "mgen_host.h"
#include <inttypes.h>
#include <mpi.h>
#include <stdint.h>

/* What a trace has in place of a rank or a tag. */
enum { ANY = -1, NOBODY = -2 };
/* Numbers of requests, communicators, files and windows are below this. */
enum { MOST_NUMBERS = 1 << 24 };

struct event {
    double compute_s; /* before the call */
    int64_t bytes;
    int32_t call; /* place in the list of names */
    int32_t peer; /* the other rank, or the root */
    int32_t tag;
    int32_t comm;
    int32_t request;
    int32_t element; /* bytes of one element */
    int32_t more;    /* numbers that follow */
    int32_t file;    /* or a window */
};

struct replay;
typedef void handler(struct replay *own, const struct event *event, const int64_t *more);

/* Numbers of the trace and the objects that they stand for now. */
struct objects {
    int64_t *items;
    int64_t count;
};

/* Datatypes by the bytes of an element, the smallest first: one may have gigabytes. */
struct types {
    struct type {
        int64_t element;
        MPI_Datatype type;
    } *items;
    int64_t count;
};

struct replay {
    const char *path;
    int rank;
    int size;
    handler **calls;
    int64_t names;
    int64_t number; /* of the event */
    /* What has been read of the file, and where the rest of this rank's part lies. */
    char *chunk;
    size_t held;
    size_t used;
    size_t room;
    int64_t place;
    int64_t end;
    struct objects requests;
    struct objects handles;
    struct objects comms;
    struct objects files;
    struct objects windows;
    struct types types;
    MPI_Request *waited;
    int64_t waited_room;
};

struct amount {
    int count;
    MPI_Datatype type;
};

/* Ends the run with a message about the event that the rank is at. */
void replay_stop(const struct replay *own, const char *what);
/* As realloc; the run ends if there is no memory. */
void *replay_memory(const struct replay *own, void *held, size_t bytes);
/* The place of an object by its number; `empty` stands where there is none yet. */
int64_t *replay_object(const struct replay *own, struct objects *objects, int64_t number,
                       int64_t empty);
/* Reads from a place of the file. */
void replay_read_at(const struct replay *own, void *to, size_t bytes, int64_t place);
/* The next bytes of this rank's part, all at once in memory. */
const void *replay_next(struct replay *own, size_t bytes);

/* These members of a group, to be freed. */
MPI_Group replay_group(const struct replay *own, MPI_Group all, const int64_t *places,
                       int64_t count);
MPI_Comm replay_comm_of(struct replay *own, const struct event *event);
int replay_peer_of(int64_t peer);
int replay_tag_of(int64_t tag);
/* Bytes as elements. Too many single bytes for a count are fewer, larger elements. */
struct amount replay_amount_of(struct replay *own, int64_t bytes, int64_t element);
struct amount replay_amount(struct replay *own, const struct event *event);
/* Keeps the request of an event under its number. */
void replay_keep(struct replay *own, const struct event *event, MPI_Request request);
/* Ends the run if fewer numbers follow an event. */
void replay_needs(const struct replay *own, const struct event *event, int64_t count);

#define CALL(name)                                                                                 \
    void do_##name(struct replay *own, const struct event *event, const int64_t *more)

/* clang-format off */
/* Every call that a trace may hold. */
#define CALLS(X) \
    X(Send) X(Ssend) X(Rsend) X(Bsend) X(Ibsend) X(Buffer_detach) X(Isend) X(Issend) X(Irsend) X(Recv) X(Irecv) X(Probe) \
    X(Sendrecv) X(Wait) X(Waitall) X(Barrier) X(Ibarrier) X(Bcast) X(Ibcast) X(Gather) \
    X(Igather) X(Scatter) X(Iscatter) X(Allgather) X(Iallgather) X(Alltoall) X(Ialltoall) \
    X(Reduce) X(Ireduce) X(Allreduce) X(Iallreduce) X(Scan) X(Iscan) X(Exscan) X(Iexscan) \
    X(Alltoallv) X(Allgatherv) X(Gatherv) X(Scatterv) X(Comm_split) X(Comm_dup) \
    X(Comm_free) X(Reduce_scatter_block) X(Rdma_put) X(Rdma_get) X(Rdma_poll) \
    X(Rdma_complete) X(Copy) X(Compute) X(Device_compute) \
    X(Ireduce_scatter_block) X(Reduce_scatter) X(Ireduce_scatter) X(Ialltoallv) X(Iallgatherv) \
    X(Igatherv) X(Iscatterv) X(Neighbor_alltoallv) X(Ineighbor_alltoallv) X(Cart_create) \
    X(Dist_graph_create_adjacent) X(Comm_create_group) X(Comm_idup) \
    X(Win_create) X(Win_allocate_shared) X(Win_free) X(Win_fence) X(Win_post) X(Win_start) \
    X(Win_complete) X(Win_wait) X(Win_lock) X(Win_unlock) X(Win_lock_all) X(Win_unlock_all) \
    X(Win_flush) X(Win_flush_all) X(Win_flush_local) X(Win_flush_local_all) X(Put) X(Rput) \
    X(Get) X(Rget) X(Get_accumulate) X(Rget_accumulate) \
    X(File_open) X(File_close) X(File_delete) X(File_get_size) X(File_set_size) \
    X(File_preallocate) X(File_sync) X(File_set_view) X(File_set_atomicity) X(File_seek_shared) \
    X(File_read) X(File_read_all) X(File_read_shared) X(File_read_ordered) X(File_read_at) \
    X(File_read_at_all) X(File_write) X(File_write_all) X(File_write_shared) \
    X(File_write_ordered) X(File_write_at) X(File_write_at_all) \
    X(File_iread) X(File_iread_all) X(File_iread_shared) X(File_iread_at) X(File_iread_at_all) \
    X(File_iwrite) X(File_iwrite_all) X(File_iwrite_shared) X(File_iwrite_at) \
    X(File_iwrite_at_all) \
    X(File_read_all_begin) X(File_read_all_end) X(File_read_ordered_begin) \
    X(File_read_ordered_end) X(File_read_at_all_begin) X(File_read_at_all_end) \
    X(File_write_all_begin) X(File_write_all_end) X(File_write_ordered_begin) \
    X(File_write_ordered_end) X(File_write_at_all_begin) X(File_write_at_all_end)
/* clang-format on */

#define DECLARED(name) handler do_##name;
CALLS(DECLARED)

#endif
