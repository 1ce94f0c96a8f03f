/* Waits for one request or for some, and tests like that. */
#include "mpi_requests.h"

/* The first request that is complete; -1 if none is, `count` if there is nothing to wait for. */
static int first_done(int count, const MPI_Request *requests, const struct inner *inner) {
    int is_empty = 1;
    for (int i = 0; i < count; i++) {
        if (mgen_is_inactive(requests[i])) {
            continue;
        }
        is_empty = 0;
        if (inner->requests[i] == MGEN_REQUEST_NULL && mgen_is_done_apart(requests[i])) {
            return i;
        }
    }
    return is_empty ? count : -1;
}

/* What became complete beside the first one is so until the program asks. */
static void keep_others(int count, MPI_Request *requests, struct inner *inner, int first) {
    for (int i = 0; i < count; i++) {
        if (i == first || inner->requests[i] == mgen_inner_of(requests[i])) {
            continue;
        }
        struct request *own = mgen_request(requests[i]);
        if (own == NULL) {
            own = mgen_request_new(REQUEST_DONE);
            requests[i] = mgen_request_add(own);
        }
        own->inner = MGEN_REQUEST_NULL;
        own->status = inner->statuses[i];
    }
}

static void end_one(int count, MPI_Request *requests, struct inner *inner, int first, int *index,
                    MGEN_Status *status) {
    MGEN_Status found = mgen_empty_status;
    *index = MPI_UNDEFINED;
    if (first >= 0 && first < count) {
        found = inner->statuses[first];
        mgen_request_finish(&requests[first], &found);
        *index = first;
    }
    keep_others(count, requests, inner, first);
    if (status != MGEN_STATUS_IGNORE) {
        *status = found;
    }
    mgen_inner_end(inner);
}

static void wait_any(int count, MPI_Request *requests, int *index, MGEN_Status *status) {
    struct inner inner;
    mgen_inner_begin(&inner, count, requests);
    int first = -1;
    for (;;) {
        mgen_schedules_advance();
        first = first_done(count, requests, &inner);
        if (first >= 0) {
            break;
        }
        if (!mgen_has_inner(count, inner.requests) && !mgen_is_busy()) {
            mgen_fail("it waits for a general request that nothing completes");
        }
        mgen_wait_for_one(count, inner.requests, inner.statuses);
    }
    end_one(count, requests, &inner, first, index, status);
}

int MPI_Waitany(int count, MPI_Request *requests, int *index, MPI_Status *status) {
    if (mgen_is_simple(count, requests)) {
        return MGEN_Waitany(count, requests, index, status);
    }
    mgen_label("MGEN_Waitany");
    wait_any(count, requests, index, status);
    return mgen_left(MPI_SUCCESS);
}

/* Tests the inner requests one by one. */
static void test_inner(int count, struct inner *inner) {
    for (int i = 0; i < count; i++) {
        int done = 0;
        if (inner->requests[i] != MGEN_REQUEST_NULL) {
            MGEN_Test(&inner->requests[i], &done, &inner->statuses[i]);
        }
    }
}

static void test_any(int count, MPI_Request *requests, int *done, int *index, MGEN_Status *status) {
    struct inner inner;
    mgen_inner_begin(&inner, count, requests);
    mgen_schedules_advance();
    int first = first_done(count, requests, &inner);
    int can_be_tested = 0;
    for (int i = 0; i < count && first < 0; i++) {
        struct request *own = mgen_request(requests[i]);
        int is_complete = 0;
        if (own != NULL && own->schedule != NULL) {
            mgen_schedule_test(own->schedule);
            is_complete = mgen_is_done_apart(requests[i]);
            can_be_tested = 1;
        }
        if (inner.requests[i] != MGEN_REQUEST_NULL) {
            MGEN_Test(&inner.requests[i], &is_complete, &inner.statuses[i]);
            can_be_tested = 1;
        }
        first = is_complete ? i : -1;
    }
    *done = first >= 0;
    if (!can_be_tested && (first < 0 || first == count)) {
        mgen_look();
    }
    end_one(count, requests, &inner, first, index, status);
}

int MPI_Testany(int count, MPI_Request *requests, int *index, int *done, MPI_Status *status) {
    mgen_label("MPI_Testany");
    test_any(count, requests, done, index, status);
    if (*index != MPI_UNDEFINED) {
        mgen_test_had_success();
    }
    return mgen_left(MPI_SUCCESS);
}

/* All others that are complete behind the first one. */
static int also_done(int count, MPI_Request *requests, int found, int *indices,
                     MGEN_Status *statuses) {
    struct inner inner;
    mgen_inner_begin(&inner, count, requests);
    test_inner(count, &inner);
    for (int i = 0; i < count; i++) {
        if (mgen_is_inactive(requests[i]) || inner.requests[i] != MGEN_REQUEST_NULL ||
            !mgen_is_done_apart(requests[i])) {
            continue;
        }
        MGEN_Status status = inner.statuses[i];
        mgen_request_finish(&requests[i], &status);
        if (statuses != MGEN_STATUSES_IGNORE) {
            statuses[found] = status;
        }
        indices[found++] = i;
    }
    mgen_inner_end(&inner);
    return found;
}

int MPI_Waitsome(int count, MPI_Request *requests, int *done, int *indices, MPI_Status *statuses) {
    int first = MPI_UNDEFINED;
    MPI_Status status;
    mgen_label("MPI_Waitsome");
    wait_any(count, requests, &first, &status);
    *done = MPI_UNDEFINED;
    if (first != MPI_UNDEFINED) {
        indices[0] = first;
        if (statuses != MPI_STATUSES_IGNORE) {
            statuses[0] = status;
        }
        *done = also_done(count, requests, 1, indices, statuses);
    }
    return mgen_left(MPI_SUCCESS);
}

int MPI_Testsome(int count, MPI_Request *requests, int *done, int *indices, MPI_Status *statuses) {
    mgen_label("MPI_Testsome");
    struct inner inner;
    mgen_inner_begin(&inner, count, requests);
    mgen_schedules_advance();
    int is_empty = first_done(count, requests, &inner) == count;
    mgen_inner_end(&inner);
    mgen_test_schedule(count, requests);
    *done = is_empty ? MPI_UNDEFINED : also_done(count, requests, 0, indices, statuses);
    if (*done > 0) {
        mgen_test_had_success();
    }
    return mgen_left(MPI_SUCCESS);
}
