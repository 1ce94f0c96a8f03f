/* Persistent requests, general requests, and requests that a program gives up. */
#include "mpi_calls.h"
#include "mpi_tags.h"

static int initialized(const char *call, enum send_mode mode, const void *buffer, int count,
                       MPI_Datatype type, int other, int tag, MPI_Comm comm, MPI_Request *request) {
    if (mode == SEND_NOTHING ? mgen_is_wrong_wish(tag) : mgen_is_wrong_tag(tag)) {
        return mgen_wrong_tag(call, comm, tag);
    }
    struct persistent again = {NULL, NULL, mode, (void *)buffer, count, type, other, tag, comm};
    mgen_check_kept_message(call, &again);
    struct request *made = mgen_request_new(REQUEST_PERSISTENT);
    made->is_active = 0;
    mgen_type_hold(type);
    made->again = again;
    *request = mgen_request_add(made);
    return MPI_SUCCESS;
}

int MPI_Send_init(const void *buffer, int count, MPI_Datatype type, int dest, int tag,
                  MPI_Comm comm, MPI_Request *request) {
    return initialized(__func__, SEND_STANDARD, buffer, count, type, dest, tag, comm, request);
}

int MPI_Rsend_init(const void *buffer, int count, MPI_Datatype type, int dest, int tag,
                   MPI_Comm comm, MPI_Request *request) {
    return initialized(__func__, SEND_STANDARD, buffer, count, type, dest, tag, comm, request);
}

int MPI_Ssend_init(const void *buffer, int count, MPI_Datatype type, int dest, int tag,
                   MPI_Comm comm, MPI_Request *request) {
    return initialized(__func__, SEND_SYNCHRONOUS, buffer, count, type, dest, tag, comm, request);
}

int MPI_Bsend_init(const void *buffer, int count, MPI_Datatype type, int dest, int tag,
                   MPI_Comm comm, MPI_Request *request) {
    return initialized(__func__, SEND_BUFFERED, buffer, count, type, dest, tag, comm, request);
}

int MPI_Recv_init(void *buffer, int count, MPI_Datatype type, int source, int tag, MPI_Comm comm,
                  MPI_Request *request) {
    return initialized(__func__, SEND_NOTHING, buffer, count, type, source, tag, comm, request);
}

static void start(MPI_Request request) {
    struct request *own = mgen_request(request);
    if (own == NULL || own->kind != REQUEST_PERSISTENT) {
        mgen_fail("the request is not persistent");
    }
    if (own->is_active) {
        mgen_fail("the request goes on already");
    }
    const struct persistent *again = &own->again;
    own->is_active = 1;
    own->status = mgen_empty_status;
    if (again->mode == SEND_NOTHING) {
        own->dense = mgen_dense(again->buffer, again->count, again->type, 0);
        struct amount amount = mgen_amount(own->dense.bytes);
        MGEN_Irecv(own->dense.data, amount.count, amount.type, again->other, again->tag,
                   again->comm, &own->inner);
        return;
    }
    MPI_Request sent = mgen_begin_send(again->mode, again->buffer, again->count, again->type,
                                       again->other, again->tag, again->comm);
    if (sent < 0) {
        mgen_request_remove(sent);
        sent = MGEN_REQUEST_NULL;
    }
    own->inner = sent;
}

static void start_labelled(const char *call, MPI_Request request) {
    mgen_label(call);
    struct request *own = mgen_request(request);
    if (own != NULL && own->again.body != NULL && !own->is_active) {
        mgen_leave();
        mgen_start_kept(own);
        return;
    }
    start(request);
    mgen_leave();
}

int MPI_Start(MPI_Request *request) {
    start_labelled(__func__, *request);
    return MPI_SUCCESS;
}

int MPI_Startall(int count, MPI_Request *requests) {
    mgen_called(__func__);
    for (int i = 0; i < count; i++) {
        start_labelled(__func__, requests[i]);
    }
    return MPI_SUCCESS;
}

int MPI_Request_free(MPI_Request *request) {
    mgen_label("MPI_Request_free");
    struct request *own = mgen_request(*request);
    if (*request == MPI_REQUEST_NULL) {
        mgen_fail("MPI_REQUEST_NULL cannot be freed");
    }
    if (own != NULL && !own->is_active && own->kind == REQUEST_PERSISTENT) {
        mgen_request_remove(*request);
    } else if (own != NULL && own->kind == REQUEST_GENERAL && !own->is_active) {
        own->free(own->extra);
        mgen_request_remove(*request);
    } else {
        if (own != NULL) {
            own->is_freed = 1;
        }
        mgen_keep_request(*request);
    }
    *request = MPI_REQUEST_NULL;
    return mgen_left(MPI_SUCCESS);
}

int MPI_Request_get_status(MPI_Request request, int *done, MPI_Status *status) {
    mgen_label("MPI_Request_get_status");
    MGEN_Status found = mgen_empty_status;
    mgen_schedules_advance();
    MGEN_Request inner = mgen_inner_of(request);
    *done = mgen_is_done_apart(request);
    struct request *own = mgen_request(request);
    if (!*done && own->schedule != NULL) {
        mgen_schedule_test(own->schedule);
        *done = mgen_is_done_apart(request);
    } else if (*done && inner != MGEN_REQUEST_NULL) {
        *done = mgen_peek(inner, 1, &found);
    } else {
        found = own != NULL ? own->status : found;
        mgen_look();
    }
    if (*done && status != MPI_STATUS_IGNORE) {
        *status = found;
    }
    return mgen_left(MPI_SUCCESS);
}

int MPI_Grequest_start(MPI_Grequest_query_function *query, MPI_Grequest_free_function *free,
                       MPI_Grequest_cancel_function *cancel, void *extra, MPI_Request *request) {
    mgen_called(__func__);
    struct request *made = mgen_request_new(REQUEST_GENERAL);
    made->query = query;
    made->free = free;
    made->cancel = cancel;
    made->extra = extra;
    *request = mgen_request_add(made);
    return MPI_SUCCESS;
}

int MPI_Grequest_complete(MPI_Request request) {
    mgen_label("MPI_Grequest_complete");
    struct request *own = mgen_request(request);
    if (own == NULL || own->kind != REQUEST_GENERAL) {
        mgen_fail("the request is not one of MPI_Grequest_start");
    }
    own->is_active = 0;
    return mgen_left(MPI_SUCCESS);
}

/* A receive without a message is cancelled. A send is on its way, so it completes as it is. */
int MPI_Cancel(MPI_Request *request) {
    mgen_label("MPI_Cancel");
    struct request *own = mgen_request(*request);
    if (own != NULL && own->kind == REQUEST_GENERAL) {
        own->cancel(own->extra, !own->is_active);
    } else if (own != NULL && own->kind == REQUEST_SCHEDULE) {
        mgen_fail("a collective cannot be cancelled");
    } else if (mgen_inner_of(*request) != MGEN_REQUEST_NULL) {
        mgen_cancel(mgen_inner_of(*request));
    }
    return mgen_left(MPI_SUCCESS);
}

int MPI_Status_set_cancelled(MPI_Status *status, int flag) {
    mgen_called(__func__);
    if (flag || status->bytes == MGEN_CANCELLED) {
        status->bytes = flag ? MGEN_CANCELLED : 0;
    }
    return MPI_SUCCESS;
}

int MPI_Test_cancelled(const MPI_Status *status, int *flag) {
    mgen_called(__func__);
    *flag = status->bytes == MGEN_CANCELLED;
    return MPI_SUCCESS;
}
