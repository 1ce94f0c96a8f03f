/* Messages between two ranks. */
#include "counts.h"
#include "trace.h"

#ifndef LARGE
int64_t trace_bytes(MPI_Count count, MPI_Datatype type) {
    int size = 0;
    PMPI_Type_size(type, &size);
    return (int64_t)count * size;
}

int trace_element(MPI_Datatype type) {
    int size = 0;
    PMPI_Type_size(type, &size);
    return size > 0 ? size : 1;
}

int trace_peer(int rank) {
    return rank == MPI_PROC_NULL ? NOBODY : rank == MPI_ANY_SOURCE ? ANY : rank;
}

int trace_tag(int tag) {
    return tag == MPI_ANY_TAG ? ANY : tag;
}
#endif

static struct event message_of(int call, MPI_Count count, MPI_Datatype type, int peer, int tag,
                               MPI_Comm comm) {
    int size = 0;
    int number = trace_comm(comm);
    PMPI_Type_size(type, &size);
    return (struct event){.call = call,
                          .bytes = (int64_t)count * size,
                          .element = size > 0 ? size : 1,
                          .peer = trace_peer_in(number, peer),
                          .tag = trace_tag(tag),
                          .comm = number,
                          .request = -1};
}

#define SEND(name)                                                                                 \
    int FOR_COUNT(MPI_##name)(const void *buffer, COUNT count, MPI_Datatype type, int dest,        \
                              int tag, MPI_Comm comm) {                                            \
        trace_enter();                                                                             \
        int code = FOR_COUNT(PMPI_##name)(buffer, count, type, dest, tag, comm);                   \
        trace_leave(message_of(CALL_##name, count, type, dest, tag, comm));                        \
        return code;                                                                               \
    }

#define SEND_LATER(name)                                                                           \
    int FOR_COUNT(MPI_##name)(const void *buffer, COUNT count, MPI_Datatype type, int dest,        \
                              int tag, MPI_Comm comm, MPI_Request *request) {                      \
        trace_enter();                                                                             \
        int code = FOR_COUNT(PMPI_##name)(buffer, count, type, dest, tag, comm, request);          \
        struct event event = message_of(CALL_##name, count, type, dest, tag, comm);                \
        event.request = trace_request(*request);                                                   \
        trace_leave(event);                                                                        \
        return code;                                                                               \
    }

SEND(Send)
SEND(Ssend)
SEND(Rsend)
SEND(Bsend)
SEND_LATER(Isend)
SEND_LATER(Issend)
SEND_LATER(Irsend)
SEND_LATER(Ibsend)

/* Waits until the messages of buffered sends have left the buffer. */
int FOR_COUNT(MPI_Buffer_detach)(void *buffer, COUNT *bytes) {
    trace_enter();
    int code = FOR_COUNT(PMPI_Buffer_detach)(buffer, bytes);
    trace_leave(
        (struct event){.call = CALL_Buffer_detach, .peer = NOBODY, .element = 1, .request = -1});
    return code;
}

int FOR_COUNT(MPI_Recv)(void *buffer, COUNT count, MPI_Datatype type, int source, int tag,
                        MPI_Comm comm, MPI_Status *status) {
    trace_enter();
    int code = FOR_COUNT(PMPI_Recv)(buffer, count, type, source, tag, comm, status);
    trace_leave(message_of(CALL_Recv, count, type, source, tag, comm));
    return code;
}

int FOR_COUNT(MPI_Irecv)(void *buffer, COUNT count, MPI_Datatype type, int source, int tag,
                         MPI_Comm comm, MPI_Request *request) {
    trace_enter();
    int code = FOR_COUNT(PMPI_Irecv)(buffer, count, type, source, tag, comm, request);
    struct event event = message_of(CALL_Irecv, count, type, source, tag, comm);
    event.request = trace_request(*request);
    trace_leave(event);
    return code;
}

#ifndef LARGE
int MPI_Probe(int source, int tag, MPI_Comm comm, MPI_Status *status) {
    trace_enter();
    int code = PMPI_Probe(source, tag, comm, status);
    trace_leave(message_of(CALL_Probe, 0, MPI_BYTE, source, tag, comm));
    return code;
}

int MPI_Iprobe(int source, int tag, MPI_Comm comm, int *found, MPI_Status *status) {
    trace_enter();
    int code = PMPI_Iprobe(source, tag, comm, found, status);
    if (*found) {
        trace_leave(message_of(CALL_Iprobe_AS_Probe, 0, MPI_BYTE, source, tag, comm));
    } else {
        trace_pass();
    }
    return code;
}
#endif

#ifndef LARGE
/* A matched probe takes its message out of sight, so that no other call receives it. A trace has it
 * as a probe for the sender and the tag that it found, and then a receive for them. */
static void taken(int call, MPI_Comm comm, MPI_Message message, const MPI_Status *status) {
    int peer = message == MPI_MESSAGE_NO_PROC ? MPI_PROC_NULL : status->MPI_SOURCE;
    struct event event = message_of(call, 0, MPI_BYTE, peer, status->MPI_TAG, comm);
    trace_message(message, event);
    trace_leave(event);
}

int MPI_Mprobe(int source, int tag, MPI_Comm comm, MPI_Message *message, MPI_Status *status) {
    MPI_Status own;
    MPI_Status *seen = status == MPI_STATUS_IGNORE ? &own : status;
    trace_enter();
    int code = PMPI_Mprobe(source, tag, comm, message, seen);
    taken(CALL_Mprobe_AS_Probe, comm, *message, seen);
    return code;
}

int MPI_Improbe(int source, int tag, MPI_Comm comm, int *found, MPI_Message *message,
                MPI_Status *status) {
    MPI_Status own;
    MPI_Status *seen = status == MPI_STATUS_IGNORE ? &own : status;
    trace_enter();
    int code = PMPI_Improbe(source, tag, comm, found, message, seen);
    if (*found) {
        taken(CALL_Improbe_AS_Probe, comm, *message, seen);
    } else {
        trace_pass();
    }
    return code;
}
#endif

static struct event received(int call, MPI_Count count, MPI_Datatype type, MPI_Message message) {
    struct event event = trace_message_received(message);
    event.call = call;
    event.bytes = trace_bytes(count, type);
    event.element = trace_element(type);
    event.request = -1;
    return event;
}

int FOR_COUNT(MPI_Mrecv)(void *buffer, COUNT count, MPI_Datatype type, MPI_Message *message,
                         MPI_Status *status) {
    trace_enter();
    struct event event = received(CALL_Mrecv_AS_Recv, count, type, *message);
    int code = FOR_COUNT(PMPI_Mrecv)(buffer, count, type, message, status);
    trace_leave(event);
    return code;
}

int FOR_COUNT(MPI_Imrecv)(void *buffer, COUNT count, MPI_Datatype type, MPI_Message *message,
                          MPI_Request *request) {
    trace_enter();
    struct event event = received(CALL_Imrecv_AS_Irecv, count, type, *message);
    int code = FOR_COUNT(PMPI_Imrecv)(buffer, count, type, message, request);
    event.request = trace_request(*request);
    trace_leave(event);
    return code;
}

static void both_ways(int call, MPI_Count count, MPI_Datatype type, int dest, int sent_tag,
                      int64_t room, int source, int received_tag, MPI_Comm comm) {
    struct event event = message_of(call, count, type, dest, sent_tag, comm);
    int64_t more[] = {trace_peer_in(event.comm, source), room, trace_tag(received_tag)};
    event.more_count = 3;
    event.more = more;
    trace_leave(event);
}

int FOR_COUNT(MPI_Sendrecv)(const void *sent, COUNT sent_count, MPI_Datatype sent_type, int dest,
                            int sent_tag, void *received, COUNT received_count,
                            MPI_Datatype received_type, int source, int received_tag, MPI_Comm comm,
                            MPI_Status *status) {
    trace_enter();
    int code =
        FOR_COUNT(PMPI_Sendrecv)(sent, sent_count, sent_type, dest, sent_tag, received,
                                 received_count, received_type, source, received_tag, comm, status);
    both_ways(CALL_Sendrecv, sent_count, sent_type, dest, sent_tag,
              trace_bytes(received_count, received_type), source, received_tag, comm);
    return code;
}

int FOR_COUNT(MPI_Sendrecv_replace)(void *buffer, COUNT count, MPI_Datatype type, int dest,
                                    int sent_tag, int source, int received_tag, MPI_Comm comm,
                                    MPI_Status *status) {
    trace_enter();
    int code = FOR_COUNT(PMPI_Sendrecv_replace)(buffer, count, type, dest, sent_tag, source,
                                                received_tag, comm, status);
    both_ways(CALL_Sendrecv_replace_AS_Sendrecv, count, type, dest, sent_tag,
              trace_bytes(count, type), source, received_tag, comm);
    return code;
}

/* Persistent requests: what they start is recorded when it starts. */
#define PERSISTENT(name, started, pointer)                                                         \
    int FOR_COUNT(MPI_##name)(pointer buffer, COUNT count, MPI_Datatype type, int peer, int tag,   \
                              MPI_Comm comm, MPI_Request *request) {                               \
        trace_enter();                                                                             \
        int code = FOR_COUNT(PMPI_##name)(buffer, count, type, peer, tag, comm, request);          \
        trace_persistent(*request,                                                                 \
                         message_of(CALL_Start_AS_##started, count, type, peer, tag, comm));       \
        trace_pass();                                                                              \
        return code;                                                                               \
    }

PERSISTENT(Send_init, Isend, const void *)
PERSISTENT(Ssend_init, Issend, const void *)
PERSISTENT(Rsend_init, Irsend, const void *)
PERSISTENT(Bsend_init, Ibsend, const void *)
PERSISTENT(Recv_init, Irecv, void *)

#ifndef LARGE
/* By the call that starts one, or several: those follow in the same order. */
static void started(MPI_Request request, int are_several) {
    const struct event *event = trace_started(request);
    if (event == NULL) {
        trace_unseen("MPI_Start of a request that weft does not know");
    } else {
        struct event own = *event;
        own.call += are_several ? CALL_Startall_AS_Isend - CALL_Start_AS_Isend : 0;
        trace_write(own);
    }
}

int MPI_Start(MPI_Request *request) {
    trace_enter();
    int code = PMPI_Start(request);
    started(*request, 0);
    trace_pass();
    return code;
}

int MPI_Startall(int count, MPI_Request *requests) {
    trace_enter();
    int code = PMPI_Startall(count, requests);
    for (int i = 0; i < count; i++) {
        started(requests[i], 1);
    }
    trace_pass();
    return code;
}
#endif
