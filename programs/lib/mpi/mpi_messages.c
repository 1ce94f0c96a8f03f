/* Messages between two ranks. Data that lie together in memory go straight to the simulator; others
 * are packed. While collectives go on beside them, calls that wait help them on. */
#include "mpi_requests.h"
#include "mpi_tags.h"

static int with_amount(enum send_mode mode, const struct dense *dense, int dest, int tag,
                       MPI_Comm comm, MPI_Request *request) {
    struct amount amount = mgen_amount(dense->bytes);
    if (mode == SEND_SYNCHRONOUS) {
        return mgen_issend(dense->data, amount.count, amount.type, dest, tag, comm, request);
    }
    return MGEN_Isend(dense->data, amount.count, amount.type, dest, tag, comm, request);
}

void mgen_keep_request(MPI_Request request) {
    struct mpi_state *state = mgen_mpi();
    if (state->buffered_count == state->buffered_room) {
        state->buffered_room = state->buffered_room > 0 ? 2 * state->buffered_room : 8;
        state->buffered = mgen_more_memory(state->buffered,
                                           (size_t)state->buffered_room * sizeof *state->buffered);
    }
    state->buffered[state->buffered_count++] = request;
}

/* Other threads may send more meanwhile. */
void mgen_finish_kept(void) {
    struct mpi_state *state = mgen_mpi();
    int count = state->buffered_count;
    MPI_Request *kept = state->buffered;
    state->buffered = NULL;
    state->buffered_count = state->buffered_room = 0;
    mgen_wait_all(count, kept, MPI_STATUSES_IGNORE);
    free(kept);
}

MPI_Request mgen_begin_send(enum send_mode mode, const void *buffer, int count, MPI_Datatype type,
                            int dest, int tag, MPI_Comm comm) {
    MPI_Request request = MPI_REQUEST_NULL;
    struct dense dense = mgen_dense(buffer, count, type, 1);
    if (mode == SEND_BUFFERED) {
        struct mpi_state *state = mgen_mpi();
        if (dense.bytes + MPI_BSEND_OVERHEAD > (size_t)state->buffer_bytes) {
            mgen_fail("the buffer of MPI_Buffer_attach is too small");
        }
    }
    with_amount(mode, &dense, dest, tag, comm, &request);
    mgen_dense_free(&dense);
    if (mode == SEND_BUFFERED) {
        mgen_keep_request(request);
        return mgen_request_add(mgen_request_new(REQUEST_DONE));
    }
    return request;
}

void mgen_wait_one(MPI_Request request, MPI_Status *status) {
    MGEN_Status found;
    mgen_wait_all(1, &request, &found);
    if (status != MPI_STATUS_IGNORE) {
        *status = found;
    }
}

static int send(const char *call, enum send_mode mode, const void *buffer, int count,
                MPI_Datatype type, int dest, int tag, MPI_Comm comm) {
    mgen_label(call);
    if (mgen_is_busy() || mode == SEND_BUFFERED) {
        mgen_wait_one(mgen_begin_send(mode, buffer, count, type, dest, tag, comm),
                      MPI_STATUS_IGNORE);
        return mgen_left(MPI_SUCCESS);
    }
    struct dense dense = mgen_dense(buffer, count, type, 1);
    struct amount amount = mgen_amount(dense.bytes);
    if (mode == SEND_SYNCHRONOUS) {
        MGEN_Ssend(dense.data, amount.count, amount.type, dest, tag, comm);
    } else {
        MGEN_Send(dense.data, amount.count, amount.type, dest, tag, comm);
    }
    mgen_dense_free(&dense);
    return mgen_left(MPI_SUCCESS);
}

int MPI_Send(const void *buffer, int count, MPI_Datatype type, int dest, int tag, MPI_Comm comm) {
    if (mgen_is_wrong_tag(tag)) {
        return mgen_wrong_tag(__func__, comm, tag);
    }
    if (mgen_is_easy(buffer, type) && !mgen_is_busy()) {
        return MGEN_Send(buffer, count, type, dest, tag, comm);
    }
    return send("MGEN_Send", SEND_STANDARD, buffer, count, type, dest, tag, comm);
}

int MPI_Ssend(const void *buffer, int count, MPI_Datatype type, int dest, int tag, MPI_Comm comm) {
    if (mgen_is_wrong_tag(tag)) {
        return mgen_wrong_tag(__func__, comm, tag);
    }
    if (mgen_is_easy(buffer, type) && !mgen_is_busy()) {
        return MGEN_Ssend(buffer, count, type, dest, tag, comm);
    }
    return send("MGEN_Ssend", SEND_SYNCHRONOUS, buffer, count, type, dest, tag, comm);
}

int MPI_Rsend(const void *buffer, int count, MPI_Datatype type, int dest, int tag, MPI_Comm comm) {
    if (mgen_is_wrong_tag(tag)) {
        return mgen_wrong_tag(__func__, comm, tag);
    }
    if (mgen_is_easy(buffer, type) && !mgen_is_busy()) {
        return MGEN_Send(buffer, count, type, dest, tag, comm);
    }
    return send("MPI_Rsend", SEND_STANDARD, buffer, count, type, dest, tag, comm);
}

int MPI_Bsend(const void *buffer, int count, MPI_Datatype type, int dest, int tag, MPI_Comm comm) {
    if (mgen_is_wrong_tag(tag)) {
        return mgen_wrong_tag(__func__, comm, tag);
    }
    return send("MPI_Bsend", SEND_BUFFERED, buffer, count, type, dest, tag, comm);
}

static int begun(const char *call, enum send_mode mode, const void *buffer, int count,
                 MPI_Datatype type, int dest, int tag, MPI_Comm comm, MPI_Request *request) {
    mgen_label(call);
    *request = mgen_begin_send(mode, buffer, count, type, dest, tag, comm);
    return mgen_left(MPI_SUCCESS);
}

int MPI_Isend(const void *buffer, int count, MPI_Datatype type, int dest, int tag, MPI_Comm comm,
              MPI_Request *request) {
    if (mgen_is_wrong_tag(tag)) {
        return mgen_wrong_tag(__func__, comm, tag);
    }
    if (mgen_is_easy(buffer, type)) {
        return MGEN_Isend(buffer, count, type, dest, tag, comm, request);
    }
    return begun("MGEN_Isend", SEND_STANDARD, buffer, count, type, dest, tag, comm, request);
}

int MPI_Irsend(const void *buffer, int count, MPI_Datatype type, int dest, int tag, MPI_Comm comm,
               MPI_Request *request) {
    if (mgen_is_wrong_tag(tag)) {
        return mgen_wrong_tag(__func__, comm, tag);
    }
    if (mgen_is_easy(buffer, type)) {
        return MGEN_Isend(buffer, count, type, dest, tag, comm, request);
    }
    return begun("MPI_Irsend", SEND_STANDARD, buffer, count, type, dest, tag, comm, request);
}

int MPI_Issend(const void *buffer, int count, MPI_Datatype type, int dest, int tag, MPI_Comm comm,
               MPI_Request *request) {
    if (mgen_is_wrong_tag(tag)) {
        return mgen_wrong_tag(__func__, comm, tag);
    }
    if (mgen_is_easy(buffer, type)) {
        return mgen_issend(buffer, count, type, dest, tag, comm, request);
    }
    return begun("MGEN_Issend", SEND_SYNCHRONOUS, buffer, count, type, dest, tag, comm, request);
}

int MPI_Ibsend(const void *buffer, int count, MPI_Datatype type, int dest, int tag, MPI_Comm comm,
               MPI_Request *request) {
    if (mgen_is_wrong_tag(tag)) {
        return mgen_wrong_tag(__func__, comm, tag);
    }
    return begun("MPI_Ibsend", SEND_BUFFERED, buffer, count, type, dest, tag, comm, request);
}

MPI_Request mgen_received_apart(struct dense *dense, MGEN_Request inner) {
    if (dense->copy == NULL) {
        return inner;
    }
    struct request *made = mgen_request_new(REQUEST_RECEIVE);
    made->inner = inner;
    made->dense = *dense;
    return mgen_request_add(made);
}

MPI_Request mgen_begin_receive(void *buffer, int count, MPI_Datatype type, int source, int tag,
                               MPI_Comm comm) {
    MGEN_Request inner = MGEN_REQUEST_NULL;
    struct dense dense = mgen_dense(buffer, count, type, 0);
    struct amount amount = mgen_amount(dense.bytes);
    MGEN_Irecv(dense.data, amount.count, amount.type, source, tag, comm, &inner);
    return mgen_received_apart(&dense, inner);
}

int MPI_Irecv(void *buffer, int count, MPI_Datatype type, int source, int tag, MPI_Comm comm,
              MPI_Request *request) {
    if (mgen_is_wrong_wish(tag)) {
        return mgen_wrong_tag(__func__, comm, tag);
    }
    if (mgen_is_easy(buffer, type)) {
        return MGEN_Irecv(buffer, count, type, source, tag, comm, request);
    }
    mgen_label("MGEN_Irecv");
    *request = mgen_begin_receive(buffer, count, type, source, tag, comm);
    return mgen_left(MPI_SUCCESS);
}

int MPI_Recv(void *buffer, int count, MPI_Datatype type, int source, int tag, MPI_Comm comm,
             MPI_Status *status) {
    if (mgen_is_wrong_wish(tag)) {
        return mgen_wrong_tag(__func__, comm, tag);
    }
    int is_busy = mgen_is_busy();
    if (mgen_is_easy(buffer, type) && !is_busy) {
        return MGEN_Recv(buffer, count, type, source, tag, comm, status);
    }
    mgen_label("MGEN_Recv");
    if (is_busy) {
        mgen_wait_one(mgen_begin_receive(buffer, count, type, source, tag, comm), status);
        return mgen_left(MPI_SUCCESS);
    }
    MGEN_Status found;
    struct dense dense = mgen_dense(buffer, count, type, 0);
    struct amount amount = mgen_amount(dense.bytes);
    MGEN_Recv(dense.data, amount.count, amount.type, source, tag, comm, &found);
    mgen_dense_received(&dense, (size_t)found.bytes);
    if (status != MPI_STATUS_IGNORE) {
        *status = found;
    }
    return mgen_left(MPI_SUCCESS);
}

int MPI_Sendrecv(const void *sent, int sent_count, MPI_Datatype sent_type, int dest, int sent_tag,
                 void *received, int received_count, MPI_Datatype received_type, int source,
                 int received_tag, MPI_Comm comm, MPI_Status *status) {
    if (mgen_is_wrong_tag(sent_tag) || mgen_is_wrong_wish(received_tag)) {
        return mgen_wrong_tag(__func__, comm,
                              mgen_is_wrong_tag(sent_tag) ? sent_tag : received_tag);
    }
    if (mgen_is_easy(sent, sent_type) && mgen_is_easy(received, received_type) && !mgen_is_busy()) {
        return MGEN_Sendrecv(sent, sent_count, sent_type, dest, sent_tag, received, received_count,
                             received_type, source, received_tag, comm, status);
    }
    mgen_label("MGEN_Sendrecv");
    MPI_Request requests[2];
    MGEN_Status found[2];
    requests[0] =
        mgen_begin_receive(received, received_count, received_type, source, received_tag, comm);
    requests[1] = mgen_begin_send(SEND_STANDARD, sent, sent_count, sent_type, dest, sent_tag, comm);
    mgen_wait_all(2, requests, found);
    if (status != MPI_STATUS_IGNORE) {
        *status = found[0];
    }
    return mgen_left(MPI_SUCCESS);
}

/* What is sent leaves before anything is received: the simulator copies it. */
int MPI_Sendrecv_replace(void *buffer, int count, MPI_Datatype type, int dest, int sent_tag,
                         int source, int received_tag, MPI_Comm comm, MPI_Status *status) {
    if (mgen_is_wrong_tag(sent_tag) || mgen_is_wrong_wish(received_tag)) {
        return mgen_wrong_tag(__func__, comm,
                              mgen_is_wrong_tag(sent_tag) ? sent_tag : received_tag);
    }
    mgen_label("MPI_Sendrecv_replace");
    MPI_Request requests[2];
    MGEN_Status found[2];
    requests[1] = mgen_begin_send(SEND_STANDARD, buffer, count, type, dest, sent_tag, comm);
    requests[0] = mgen_begin_receive(buffer, count, type, source, received_tag, comm);
    mgen_wait_all(2, requests, found);
    if (status != MPI_STATUS_IGNORE) {
        *status = found[0];
    }
    return mgen_left(MPI_SUCCESS);
}

int MPI_Buffer_attach(void *buffer, int bytes) {
    mgen_called(__func__);
    struct mpi_state *state = mgen_mpi();
    state->buffer = buffer;
    state->buffer_bytes = bytes;
    return MPI_SUCCESS;
}

int MPI_Buffer_detach(void *buffer, int *bytes) {
    struct mpi_state *state = mgen_mpi();
    mgen_label("MPI_Buffer_detach");
    mgen_finish_kept();
    *(void **)buffer = state->buffer;
    *bytes = state->buffer_bytes;
    state->buffer = NULL;
    state->buffer_bytes = 0;
    return mgen_left(MPI_SUCCESS);
}
