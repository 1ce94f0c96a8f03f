/* The calls of mgen.h in the simulator: each calls the function that the simulator has bound. */
#include "mgen_host.h"
#include <string.h>

static const struct mgen_host *host;
/* Runs what is to run when the rank ends; only a program that has such functions sets it. */
static void (*at_end)(void);

void mgen_bind(const struct mgen_host *functions) {
    host = functions;
}

const struct mgen_host *mgen_functions(void) {
    return host;
}

const char *mgen_algorithm(const char *collective) {
    return host->algorithm(collective);
}

void mgen_chosen(const char *collective, const char *algorithm, size_t bytes, int ranks) {
    host->chosen(collective, algorithm, bytes, ranks);
}

void mgen_note(const char *what) {
    host->note(what);
}

void mgen_enter(const char *call, MGEN_Comm comm, int root) {
    host->enter(call, comm, root);
}

void mgen_leave(void) {
    host->leave();
}

void mgen_counts(int counts) {
    host->counts(counts);
}

void mgen_fail(const char *what) {
    host->fail(what);
}

void **mgen_own(void) {
    return host->own();
}

void mgen_label(const char *call) {
    host->label(call);
}

void mgen_called(const char *call) {
    host->called(call);
}

void mgen_copied(size_t bytes) {
    host->copied(bytes);
}

int mgen_node(int rank) {
    return host->node(rank);
}

int mgen_comm_member(MGEN_Comm comm, int place) {
    return host->comm_member(comm, place);
}

int mgen_comm_join(MGEN_Comm comm, const int *members, int count, int tag, MGEN_Comm *made) {
    return host->comm_join(comm, members, count, tag, made);
}

void mgen_comm_link(MGEN_Comm own, MGEN_Comm other) {
    host->comm_link(own, other);
}

int mgen_issend(const void *buffer, int count, MGEN_Datatype type, int dest, int tag,
                MGEN_Comm comm, MGEN_Request *request) {
    return host->issend(buffer, count, type, dest, tag, comm, request);
}

int mgen_improbe(int source, int tag, MGEN_Comm comm, int *found, int *message,
                 MGEN_Status *status) {
    return host->improbe(source, tag, comm, found, message, status);
}

int mgen_imrecv(void *buffer, int count, MGEN_Datatype type, int *message, MGEN_Request *request) {
    return host->imrecv(buffer, count, type, message, request);
}

int mgen_peek(MGEN_Request request, int is_polled, MGEN_Status *status) {
    return host->peek(request, is_polled, status);
}

void mgen_await(int count, const MGEN_Request *requests) {
    host->wait_one(count, requests);
}

void mgen_look(void) {
    host->look();
}

void mgen_cancel(MGEN_Request request) {
    host->cancel(request);
}

void mgen_timer(double seconds, MGEN_Request *request) {
    host->timer(seconds, request);
}

int mgen_storage(void) {
    return host->storage();
}

void mgen_store(size_t bytes, MGEN_Request *request) {
    host->store(bytes, request);
}

void **mgen_common(MGEN_Comm comm) {
    return host->common(comm);
}

void MGEN_Sample(const char *metric, double seconds) {
    host->sample(metric, seconds);
}

double MGEN_Wtime(void) {
    return host->wtime();
}

void MGEN_Comp(double seconds) {
    host->comp(seconds);
}

void MGEN_Copy(void *to, const void *from, size_t bytes) {
    if (to != NULL && from != NULL && bytes > 0) {
        memmove(to, from, bytes);
    }
    host->copy(bytes);
}

int MGEN_Abort(MGEN_Comm comm, int code) {
    return host->abort(comm, code);
}

void mgen_at_end(void (*run)(void)) {
    at_end = run;
}

/* Called when a rank has returned from its main function, and by exit. */
void mgen_end(void) {
    if (at_end != NULL) {
        at_end();
    }
}

/* The simulator's function never returns. */
void mgen_exit(int code) {
    mgen_end();
    for (;;) {
        host->quit(code);
    }
}

int MGEN_Comm_rank(MGEN_Comm comm, int *rank) {
    return host->comm_rank(comm, rank);
}

int MGEN_Comm_size(MGEN_Comm comm, int *size) {
    return host->comm_size(comm, size);
}

int MGEN_Comm_split(MGEN_Comm comm, int color, int key, MGEN_Comm *made) {
    return host->comm_split(comm, color, key, made);
}

int MGEN_Comm_dup(MGEN_Comm comm, MGEN_Comm *made) {
    return host->comm_dup(comm, made);
}

int MGEN_Comm_free(MGEN_Comm *comm) {
    return host->comm_free(comm);
}

int MGEN_Send(const void *buffer, int count, MGEN_Datatype type, int dest, int tag,
              MGEN_Comm comm) {
    return host->send(buffer, count, type, dest, tag, comm);
}

int MGEN_Ssend(const void *buffer, int count, MGEN_Datatype type, int dest, int tag,
               MGEN_Comm comm) {
    return host->ssend(buffer, count, type, dest, tag, comm);
}

int MGEN_Recv(void *buffer, int count, MGEN_Datatype type, int source, int tag, MGEN_Comm comm,
              MGEN_Status *status) {
    return host->recv(buffer, count, type, source, tag, comm, status);
}

int MGEN_Isend(const void *buffer, int count, MGEN_Datatype type, int dest, int tag, MGEN_Comm comm,
               MGEN_Request *request) {
    return host->isend(buffer, count, type, dest, tag, comm, request);
}

int MGEN_Irecv(void *buffer, int count, MGEN_Datatype type, int source, int tag, MGEN_Comm comm,
               MGEN_Request *request) {
    return host->irecv(buffer, count, type, source, tag, comm, request);
}

int MGEN_Recv_head(void *buffer, int count, MGEN_Datatype type, int source, int tag, MGEN_Comm comm,
                   MGEN_Request *request) {
    return host->recv_head(buffer, count, type, source, tag, comm, request);
}

int MGEN_Sendrecv(const void *sent, int sent_count, MGEN_Datatype sent_type, int dest, int sent_tag,
                  void *received, int received_count, MGEN_Datatype received_type, int source,
                  int received_tag, MGEN_Comm comm, MGEN_Status *status) {
    return host->sendrecv(sent, sent_count, sent_type, dest, sent_tag, received, received_count,
                          received_type, source, received_tag, comm, status);
}

int MGEN_Wait(MGEN_Request *request, MGEN_Status *status) {
    return host->wait(request, status);
}

int MGEN_Waitall(int count, MGEN_Request *requests, MGEN_Status *statuses) {
    return host->waitall(count, requests, statuses);
}

int MGEN_Waitany(int count, MGEN_Request *requests, int *index, MGEN_Status *status) {
    return host->waitany(count, requests, index, status);
}

int MGEN_Test(MGEN_Request *request, int *done, MGEN_Status *status) {
    return host->test(request, done, status);
}

int MGEN_Testall(int count, MGEN_Request *requests, int *done, MGEN_Status *statuses) {
    return host->testall(count, requests, done, statuses);
}

int MGEN_Probe(int source, int tag, MGEN_Comm comm, MGEN_Status *status) {
    return host->probe(source, tag, comm, status);
}

int MGEN_Iprobe(int source, int tag, MGEN_Comm comm, int *found, MGEN_Status *status) {
    return host->iprobe(source, tag, comm, found, status);
}

int MGEN_Get_count(const MGEN_Status *status, MGEN_Datatype type, int *count) {
    return host->get_count(status, type, count);
}

MGEN_acp_handle MGEN_rdma_put(int dest, int size, int tag) {
    return host->rdma_put(dest, size, tag);
}

MGEN_acp_handle MGEN_rdma_get(int source, int size, int tag) {
    return host->rdma_get(source, size, tag);
}

void MGEN_rdma_poll(int tag) {
    host->rdma_poll(tag);
}

void MGEN_rdma_complete(MGEN_acp_handle handle) {
    host->rdma_complete(handle);
}

int MGEN_rdma_expose(void *memory, size_t bytes) {
    return host->rdma_expose(memory, bytes);
}

MGEN_acp_handle MGEN_rdma_put_data(int dest, const void *data, int size, size_t offset, int tag) {
    return host->rdma_put_data(dest, data, size, offset, tag);
}

MGEN_acp_handle MGEN_rdma_get_data(int source, void *data, int size, size_t offset, int tag) {
    return host->rdma_get_data(source, data, size, offset, tag);
}

MGEN_acp_handle mgen_apply(int dest, const void *data, size_t bytes, void *answer,
                           size_t answer_bytes, void *place, mgen_effect *effect, void *what) {
    return host->apply(dest, data, bytes, answer, answer_bytes, place, effect, what);
}

void mgen_release(int number) {
    host->release(number);
}
