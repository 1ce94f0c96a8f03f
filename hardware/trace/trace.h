/* Records which calls of MPI a rank makes: see trace.c. */
#ifndef WEFT_TRACE_H
#define WEFT_TRACE_H

#include <mpi.h>
#include <stddef.h>
#include <stdint.h>

/* What a trace has in place of a rank or a tag. */
enum { ANY = -1, NOBODY = -2 };

/* One call, as docs/traces.md has it. */
struct event {
    int call; /* place in the list of names */
    int peer;
    int64_t bytes;
    int tag;
    int comm;
    int request;
    int element;
    int file; /* or a window: 1 and its number; 0 is none */
    int more_count;
    const int64_t *more;
};

/* The names of calls: `weft trace` reads them at the head of the file. */
enum call {
#define X(name) CALL_##name,
#define AS(name, in_trace) CALL_##name##_AS_##in_trace,
#include "calls.h"
#undef X
#undef AS
    CALL_COUNT
};

/* A call begins: what passed since the last one ended is computing. */
void trace_enter(void);
/* It ends, and is written down. */
void trace_leave(struct event event);
/* It ends, and what it did takes part in no trace: a look, or a poll without success. */
void trace_pass(void);
/* Writes an event of a call that has not ended. */
void trace_write(struct event event);
/* Whether the library makes this call inside another one. Such a call has no numbers. */
int trace_is_inside(void);
/* What is recorded begins and ends here, where it is a part of the run. */
void weft_trace_begin(void);
void weft_trace_end(void);
/* A call that traces do not have. */
void trace_unseen(const char *call);

int64_t trace_bytes(MPI_Count count, MPI_Datatype type);
int trace_element(MPI_Datatype type);
int trace_peer(int rank);
int trace_tag(int tag);

/* How many neighbours a rank has in the topology of a communicator. */
struct neighbours {
    int in;
    int out;
};
struct neighbours trace_neighbours(MPI_Comm comm);

/* Requests, communicators, files and windows by the numbers that the trace has for them. */
int trace_request(MPI_Request request);
/* The number of a request that is complete; it is free again. -1 for one that is none. */
int trace_complete(MPI_Request request);
/* A persistent request, with the call that it stands for, by MPI_Start. The numbers of `more` are
 * copied. */
void trace_persistent(MPI_Request request, struct event event);
/* The call that a persistent request starts; NULL if it is none. */
const struct event *trace_started(MPI_Request request);
void trace_forget(MPI_Request request);
/* A message that a probe has taken, with the event of the probe, until a call receives it. */
void trace_message(MPI_Message message, struct event probed);
struct event trace_message_received(MPI_Message message);
int trace_comm(MPI_Comm comm);
int trace_comm_made(MPI_Comm comm);
int trace_comm_copied(MPI_Comm parent, MPI_Comm comm);
/* A trace has an intercommunicator as a communicator of both sides. Its other side begins at this
 * place there. */
int trace_inter_made(MPI_Comm comm, int others_at);
/* Whether the communicator of a number is one, and where a rank that a message names lies there. */
int trace_is_inter(int number);
int trace_peer_in(int number, int rank);
void trace_comm_freed(MPI_Comm comm);
/* One that is there when a request is complete, which trace_request_of_comm numbers. */
int trace_comm_promised(MPI_Comm parent, const MPI_Comm *comm);
int trace_request_of_comm(MPI_Request request, const MPI_Comm *comm);
/* 1 and the number of a file; 0 for one that is none. */
int trace_file(MPI_File file);
int trace_file_opened(MPI_File file);
void trace_file_closed(MPI_File file);
/* The same for windows. A window that nobody has seen made is a call that traces do not have. */
int trace_window_made(MPI_Win window);
int trace_window(MPI_Win window, const char *call);
void trace_window_freed(MPI_Win window);

#endif
