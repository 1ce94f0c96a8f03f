/* Requests that the simulator does not have itself. */
#ifndef MPI_REQUESTS_H
#define MPI_REQUESTS_H

#include "mpi_schedule.h"
#include "mpi_state.h"

enum request_kind {
    REQUEST_RECEIVE, /* its data come into a copy */
    REQUEST_PERSISTENT,
    REQUEST_SCHEDULE, /* a collective */
    REQUEST_DONE,
    REQUEST_GENERAL,
    REQUEST_PUTS, /* a one-sided operation */
    REQUEST_FILE
};

enum send_mode { SEND_STANDARD, SEND_SYNCHRONOUS, SEND_BUFFERED, SEND_NOTHING };

/* What a persistent request begins again and again. */
struct call;
struct operation;
struct persistent {
    /* A collective; the rest is of messages. */
    void (*body)(const struct call *call);
    struct call *call;
    enum send_mode mode; /* SEND_NOTHING for a receive */
    void *buffer;
    int count;
    MPI_Datatype type;
    int other;
    int tag;
    MPI_Comm comm;
};

struct request {
    enum request_kind kind;
    MGEN_Request inner; /* the simulator's request; MGEN_REQUEST_NULL if there is none */
    int is_active;
    int is_freed; /* by MPI_Request_free, before it was complete */
    struct dense dense;
    struct persistent again;
    struct schedule *schedule;
    MGEN_Status status;
    MPI_Grequest_query_function *query;
    MPI_Grequest_free_function *free;
    MPI_Grequest_cancel_function *cancel;
    void *extra;
    struct operation *operation;
    size_t moved; /* of an access of a file */
};

extern const MGEN_Status mgen_empty_status;

/* Numbers of these requests are negative. */
MPI_Request mgen_request_add(struct request *made);
struct request *mgen_request_new(enum request_kind kind);
/* NULL for requests of the simulator and MPI_REQUEST_NULL; fails if there is no such request. */
struct request *mgen_request(MPI_Request request);
void mgen_request_remove(MPI_Request request);

/* The simulator's requests of a list, with their statuses. */
struct inner {
    MGEN_Request *requests;
    MGEN_Status *statuses;
    MGEN_Request few[4];
    MGEN_Status few_statuses[4];
};
void mgen_inner_begin(struct inner *inner, int count, const MPI_Request *requests);
void mgen_inner_end(struct inner *inner);
int mgen_has_inner(int count, const MGEN_Request *requests);
/* The simulator's request that must complete first. */
MGEN_Request mgen_inner_of(MPI_Request request);
/* Whether a test or wait passes over it: it is none, or a persistent one that no one started. */
int mgen_is_inactive(MPI_Request request);
/* Whether a request is complete apart from its inner one. */
int mgen_is_done_apart(MPI_Request request);
/* Whether the simulator can wait for all of these, or test them, without this library. */
int mgen_is_simple(int count, const MPI_Request *requests);
/* Keeps a request that nobody waits for until MPI_Buffer_detach or MPI_Finalize. */
void mgen_keep_request(MPI_Request request);
/* Waits for those. */
void mgen_finish_kept(void);
/* Ends a complete request; `found` is the status of its inner one. */
void mgen_request_finish(MPI_Request *request, MGEN_Status *found);
/* Tests the first collective among them that is not complete, and returns whether there is one. */
int mgen_test_schedule(int count, const MPI_Request *requests);
/* A test had success, so that the program may go on to another loop. The simulator suspends a rank
 * that repeats a test without success, and must not count the tests of the loop before. */
void mgen_test_had_success(void);

/* Waits for all of them inside a call that the rank has entered. */
void mgen_wait_all(int count, MPI_Request *requests, MGEN_Status *statuses);
/* Begins a send or a receive. */
MPI_Request mgen_begin_send(enum send_mode mode, const void *buffer, int count, MPI_Datatype type,
                            int dest, int tag, MPI_Comm comm);
MPI_Request mgen_begin_receive(void *buffer, int count, MPI_Datatype type, int source, int tag,
                               MPI_Comm comm);
/* A receive whose data come into a copy is a request of this library; others are `inner`. */
MPI_Request mgen_received_apart(struct dense *dense, MGEN_Request inner);
/* Waits for one inside a call that the rank has entered. */
void mgen_wait_one(MPI_Request request, MPI_Status *status);

#endif
