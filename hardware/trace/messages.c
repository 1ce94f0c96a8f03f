/* Messages between two ranks. */
#include "trace.h"

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

static struct event message(int call, int count, MPI_Datatype type, int peer, int tag,
                            MPI_Comm comm) {
    int size = 0;
    PMPI_Type_size(type, &size);
    return (struct event){.call = call,
                          .bytes = (int64_t)count * size,
                          .element = size > 0 ? size : 1,
                          .peer = trace_peer(peer),
                          .tag = trace_tag(tag),
                          .comm = trace_comm(comm),
                          .request = -1};
}

#define SEND(name)                                                                                 \
    int MPI_##name(const void *buffer, int count, MPI_Datatype type, int dest, int tag,            \
                   MPI_Comm comm) {                                                                \
        trace_enter();                                                                             \
        int code = PMPI_##name(buffer, count, type, dest, tag, comm);                              \
        trace_leave(message(CALL_##name, count, type, dest, tag, comm));                           \
        return code;                                                                               \
    }

#define SEND_LATER(name)                                                                           \
    int MPI_##name(const void *buffer, int count, MPI_Datatype type, int dest, int tag,            \
                   MPI_Comm comm, MPI_Request *request) {                                          \
        trace_enter();                                                                             \
        int code = PMPI_##name(buffer, count, type, dest, tag, comm, request);                     \
        struct event event = message(CALL_##name, count, type, dest, tag, comm);                   \
        event.request = trace_request(*request);                                                   \
        trace_leave(event);                                                                        \
        return code;                                                                               \
    }

SEND(Send)
SEND(Ssend)
SEND(Rsend)
SEND_LATER(Isend)
SEND_LATER(Issend)
SEND_LATER(Irsend)

/* A buffered send is one that waits for nobody: its copy leaves as an ordinary message. */
int MPI_Bsend(const void *buffer, int count, MPI_Datatype type, int dest, int tag, MPI_Comm comm) {
    trace_enter();
    trace_unseen("MPI_Bsend");
    int code = PMPI_Bsend(buffer, count, type, dest, tag, comm);
    trace_pass();
    return code;
}

int MPI_Recv(void *buffer, int count, MPI_Datatype type, int source, int tag, MPI_Comm comm,
             MPI_Status *status) {
    trace_enter();
    int code = PMPI_Recv(buffer, count, type, source, tag, comm, status);
    trace_leave(message(CALL_Recv, count, type, source, tag, comm));
    return code;
}

int MPI_Irecv(void *buffer, int count, MPI_Datatype type, int source, int tag, MPI_Comm comm,
              MPI_Request *request) {
    trace_enter();
    int code = PMPI_Irecv(buffer, count, type, source, tag, comm, request);
    struct event event = message(CALL_Irecv, count, type, source, tag, comm);
    event.request = trace_request(*request);
    trace_leave(event);
    return code;
}

int MPI_Probe(int source, int tag, MPI_Comm comm, MPI_Status *status) {
    trace_enter();
    int code = PMPI_Probe(source, tag, comm, status);
    trace_leave(message(CALL_Probe, 0, MPI_BYTE, source, tag, comm));
    return code;
}

int MPI_Iprobe(int source, int tag, MPI_Comm comm, int *found, MPI_Status *status) {
    trace_enter();
    int code = PMPI_Iprobe(source, tag, comm, found, status);
    if (*found) {
        trace_leave(message(CALL_Probe, 0, MPI_BYTE, source, tag, comm));
    } else {
        trace_pass();
    }
    return code;
}

static void both_ways(int count, MPI_Datatype type, int dest, int sent_tag, int64_t room,
                      int source, int received_tag, MPI_Comm comm) {
    int64_t more[] = {trace_peer(source), room, trace_tag(received_tag)};
    struct event event = message(CALL_Sendrecv, count, type, dest, sent_tag, comm);
    event.more_count = 3;
    event.more = more;
    trace_leave(event);
}

int MPI_Sendrecv(const void *sent, int sent_count, MPI_Datatype sent_type, int dest, int sent_tag,
                 void *received, int received_count, MPI_Datatype received_type, int source,
                 int received_tag, MPI_Comm comm, MPI_Status *status) {
    trace_enter();
    int code = PMPI_Sendrecv(sent, sent_count, sent_type, dest, sent_tag, received, received_count,
                             received_type, source, received_tag, comm, status);
    both_ways(sent_count, sent_type, dest, sent_tag, trace_bytes(received_count, received_type),
              source, received_tag, comm);
    return code;
}

int MPI_Sendrecv_replace(void *buffer, int count, MPI_Datatype type, int dest, int sent_tag,
                         int source, int received_tag, MPI_Comm comm, MPI_Status *status) {
    trace_enter();
    int code = PMPI_Sendrecv_replace(buffer, count, type, dest, sent_tag, source, received_tag,
                                     comm, status);
    both_ways(count, type, dest, sent_tag, trace_bytes(count, type), source, received_tag, comm);
    return code;
}

/* Persistent requests: what they start is recorded when it starts. */
#define PERSISTENT(name, started, pointer)                                                         \
    int MPI_##name(pointer buffer, int count, MPI_Datatype type, int peer, int tag, MPI_Comm comm, \
                   MPI_Request *request) {                                                         \
        trace_enter();                                                                             \
        int code = PMPI_##name(buffer, count, type, peer, tag, comm, request);                     \
        trace_persistent(*request, message(CALL_##started, count, type, peer, tag, comm));         \
        trace_pass();                                                                              \
        return code;                                                                               \
    }

PERSISTENT(Send_init, Isend, const void *)
PERSISTENT(Ssend_init, Issend, const void *)
PERSISTENT(Rsend_init, Irsend, const void *)
PERSISTENT(Recv_init, Irecv, void *)

static void started(MPI_Request request) {
    const struct event *event = trace_started(request);
    if (event == NULL) {
        trace_unseen("MPI_Start of a request that is not of MPI_Send_init or MPI_Recv_init");
    } else {
        trace_write(*event);
    }
}

int MPI_Start(MPI_Request *request) {
    trace_enter();
    int code = PMPI_Start(request);
    started(*request);
    trace_pass();
    return code;
}

int MPI_Startall(int count, MPI_Request *requests) {
    trace_enter();
    int code = PMPI_Startall(count, requests);
    for (int i = 0; i < count; i++) {
        started(requests[i]);
    }
    trace_pass();
    return code;
}
