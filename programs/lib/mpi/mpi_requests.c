/* Requests of this library, beside those of the simulator: receives into copies, collectives,
 * persistent ones. Waits hand all that the simulator can do to it, in one call. */
#include "mpi_windows.h"

const MGEN_Status mgen_empty_status = {
    .MGEN_SOURCE = MGEN_ANY_SOURCE, .MGEN_TAG = MGEN_ANY_TAG, .MGEN_ERROR = MGEN_SUCCESS};

struct request *mgen_request_new(enum request_kind kind) {
    struct request *made = mgen_memory(sizeof *made);
    *made = (struct request){.kind = kind, .is_active = 1, .status = mgen_empty_status};
    return made;
}

MPI_Request mgen_request_add(struct request *made) {
    return -1 - mgen_table_add(&mgen_mpi()->requests, made);
}

struct request *mgen_request(MPI_Request request) {
    if (request >= 0) {
        return NULL;
    }
    struct request *found = mgen_table_get(&mgen_mpi()->requests, -1 - request);
    if (found == NULL) {
        char text[64];
        snprintf(text, sizeof text, "%d is not a request", request);
        mgen_fail(text);
    }
    return found;
}

void mgen_request_remove(MPI_Request request) {
    struct request *own = mgen_request(request);
    if (own->kind == REQUEST_PERSISTENT) {
        mgen_type_release(own->again.type);
        free(own->again.call);
    }
    free(own);
    mgen_table_remove(&mgen_mpi()->requests, -1 - request);
}

/* The simulator's request that must complete first. */
MGEN_Request mgen_inner_of(MPI_Request request) {
    struct request *own = mgen_request(request);
    return own == NULL ? request : own->is_active ? own->inner : MGEN_REQUEST_NULL;
}

int mgen_is_inactive(MPI_Request request) {
    struct request *own = mgen_request(request);
    return request == MPI_REQUEST_NULL ||
           (own != NULL && own->kind == REQUEST_PERSISTENT && !own->is_active);
}

/* Whether it is complete apart from its inner request. */
int mgen_is_done_apart(MPI_Request request) {
    struct request *own = mgen_request(request);
    if (own == NULL || own->schedule == NULL) {
        return own == NULL || own->kind != REQUEST_GENERAL || !own->is_active;
    }
    return mgen_schedule_is_done(own->schedule);
}

static void receive_dense(struct request *own, const MGEN_Status *found) {
    size_t bytes = found->bytes == MGEN_CANCELLED ? 0 : (size_t)found->bytes;
    mgen_dense_received(&own->dense, bytes);
}

/* Ends a complete request; `found` is the status of its inner one. */
void mgen_request_finish(MPI_Request *request, MGEN_Status *found) {
    struct request *own = mgen_request(*request);
    if (own == NULL) {
        *request = MPI_REQUEST_NULL;
        return;
    }
    if (own->kind == REQUEST_PERSISTENT) {
        if (own->schedule != NULL) {
            mgen_schedule_free(own->schedule);
            own->schedule = NULL;
        } else if (own->is_active && own->again.mode == SEND_NOTHING) {
            receive_dense(own, found);
        }
        own->is_active = 0;
        own->inner = MGEN_REQUEST_NULL;
        if (own->is_freed) {
            mgen_request_remove(*request);
            *request = MPI_REQUEST_NULL;
        }
        return;
    }
    if (own->kind == REQUEST_RECEIVE) {
        receive_dense(own, found);
    } else if (own->kind == REQUEST_SCHEDULE) {
        mgen_schedule_free(own->schedule);
    } else if (own->kind == REQUEST_GENERAL) {
        own->query(own->extra, found);
        own->free(own->extra);
    } else if (own->kind == REQUEST_PUTS) {
        mgen_operation_end(own->operation);
    } else if (own->kind == REQUEST_FILE) {
        mgen_dense_received(&own->dense, own->moved);
        *found = own->status;
    }
    mgen_request_remove(*request);
    *request = MPI_REQUEST_NULL;
}

void mgen_inner_begin(struct inner *inner, int count, const MPI_Request *requests) {
    int is_long = count > 4;
    size_t room = (size_t)(count > 0 ? count : 0);
    inner->requests = is_long ? mgen_memory(room * sizeof *inner->requests) : inner->few;
    inner->statuses = is_long ? mgen_memory(room * sizeof *inner->statuses) : inner->few_statuses;
    for (int i = 0; i < count; i++) {
        inner->requests[i] = mgen_inner_of(requests[i]);
        struct request *own = mgen_request(requests[i]);
        inner->statuses[i] = own != NULL ? own->status : mgen_empty_status;
    }
}

void mgen_inner_end(struct inner *inner) {
    if (inner->requests != inner->few) {
        free(inner->requests);
        free(inner->statuses);
    }
}

static void finish_all(struct inner *inner, int count, MPI_Request *requests,
                       MGEN_Status *statuses) {
    for (int i = 0; i < count; i++) {
        mgen_request_finish(&requests[i], &inner->statuses[i]);
        if (statuses != MGEN_STATUSES_IGNORE) {
            statuses[i] = inner->statuses[i];
        }
    }
    mgen_inner_end(inner);
}

static int all_done_apart(int count, const MPI_Request *requests) {
    for (int i = 0; i < count; i++) {
        if (!mgen_is_done_apart(requests[i])) {
            return 0;
        }
    }
    return 1;
}

int mgen_has_inner(int count, const MGEN_Request *requests) {
    for (int i = 0; i < count; i++) {
        if (requests[i] != MGEN_REQUEST_NULL) {
            return 1;
        }
    }
    return 0;
}

void mgen_wait_all(int count, MPI_Request *requests, MGEN_Status *statuses) {
    struct inner inner;
    mgen_inner_begin(&inner, count, requests);
    mgen_schedules_advance();
    while (mgen_is_busy() &&
           !(all_done_apart(count, requests) && !mgen_has_inner(count, inner.requests))) {
        mgen_wait_for_one(count, inner.requests, inner.statuses);
        mgen_schedules_advance();
    }
    if (!all_done_apart(count, requests)) {
        mgen_fail("it waits for a general request that nothing completes");
    }
    if (count == 1 && inner.requests[0] != MGEN_REQUEST_NULL) {
        MGEN_Wait(inner.requests, inner.statuses);
    } else if (mgen_has_inner(count, inner.requests)) {
        MGEN_Waitall(count, inner.requests, inner.statuses);
    }
    finish_all(&inner, count, requests, statuses);
}

/* Whether the simulator can do it alone. */
int mgen_is_simple(int count, const MPI_Request *requests) {
    if (count > 0 && mgen_is_busy()) {
        return 0;
    }
    for (int i = 0; i < count; i++) {
        if (requests[i] < 0) {
            return 0;
        }
    }
    return 1;
}

int MPI_Wait(MPI_Request *request, MPI_Status *status) {
    if (mgen_is_simple(1, request)) {
        return MGEN_Wait(request, status);
    }
    mgen_label("MGEN_Wait");
    mgen_wait_all(1, request, status);
    return mgen_left(MPI_SUCCESS);
}

int MPI_Waitall(int count, MPI_Request *requests, MPI_Status *statuses) {
    if (mgen_is_simple(count, requests)) {
        return MGEN_Waitall(count, requests, statuses);
    }
    mgen_label("MGEN_Waitall");
    mgen_wait_all(count, requests, statuses);
    return mgen_left(MPI_SUCCESS);
}

int mgen_test_schedule(int count, const MPI_Request *requests) {
    for (int i = 0; i < count; i++) {
        struct request *own = mgen_request(requests[i]);
        if (own != NULL && own->schedule != NULL && !mgen_is_done_apart(requests[i])) {
            mgen_schedule_test(own->schedule);
            return 1;
        }
    }
    /* The others are tested elsewhere, but for general requests, which show nothing. */
    mgen_look();
    return 0;
}

static int test_all(int count, MPI_Request *requests, MGEN_Status *statuses) {
    struct inner inner;
    mgen_inner_begin(&inner, count, requests);
    mgen_schedules_advance();
    int done = all_done_apart(count, requests);
    if (!done && mgen_test_schedule(count, requests)) {
        done = all_done_apart(count, requests);
    }
    if (done && count == 1 && inner.requests[0] != MGEN_REQUEST_NULL) {
        MGEN_Test(inner.requests, &done, inner.statuses);
    } else if (done && mgen_has_inner(count, inner.requests)) {
        MGEN_Testall(count, inner.requests, &done, inner.statuses);
    }
    if (!done) {
        mgen_inner_end(&inner);
        return 0;
    }
    int was_active = 0;
    for (int i = 0; i < count; i++) {
        was_active |= !mgen_is_inactive(requests[i]);
    }
    finish_all(&inner, count, requests, statuses);
    if (was_active) {
        mgen_test_had_success();
    } else {
        mgen_look();
    }
    return 1;
}

void mgen_test_had_success(void) {
    /* Whatever a rank does, also nothing, ends the row of its tests. */
    MGEN_Waitall(0, NULL, MGEN_STATUSES_IGNORE);
}

int MPI_Test(MPI_Request *request, int *done, MPI_Status *status) {
    if (mgen_is_simple(1, request)) {
        return MGEN_Test(request, done, status);
    }
    mgen_label("MGEN_Test");
    *done = test_all(1, request, status);
    return mgen_left(MPI_SUCCESS);
}

int MPI_Testall(int count, MPI_Request *requests, int *done, MPI_Status *statuses) {
    if (mgen_is_simple(count, requests)) {
        return MGEN_Testall(count, requests, done, statuses);
    }
    mgen_label("MGEN_Testall");
    *done = test_all(count, requests, statuses);
    return mgen_left(MPI_SUCCESS);
}

/* A status of Fortran holds the same bytes. */
int MPI_Status_c2f(const MPI_Status *status, MPI_Fint *made) {
    memcpy(made, status, sizeof *status);
    return MPI_SUCCESS;
}

int MPI_Status_f2c(const MPI_Fint *status, MPI_Status *made) {
    memcpy(made, status, sizeof *made);
    return MPI_SUCCESS;
}
