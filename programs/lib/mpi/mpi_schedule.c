/* Collectives written down as what they do, and done step by step whenever the rank makes a call.
 */
#include "mpi_steps.h"

struct active {
    struct schedule **schedules;
    int count;
    int room;
    int is_advancing; /* in a thread that another one may have interrupted */
};

static struct active *active(void) {
    return mgen_own()[ACTIVE];
}

int mgen_is_busy(void) {
    struct active *all = active();
    return all != NULL && all->count > 0;
}

void mgen_typed_copy_now(void *to, const void *from, int count, MPI_Datatype type) {
    struct dense dense = mgen_dense(from, count, type, 1);
    mgen_unpack(dense.data, to, count, type, dense.bytes);
    mgen_dense_free(&dense);
}

static void post(struct schedule *schedule, const struct step *step) {
    if (schedule->pending_count == schedule->pending_room) {
        schedule->pending_room = schedule->pending_room > 0 ? 2 * schedule->pending_room : 4;
        schedule->pending = mgen_more_memory(schedule->pending, (size_t)schedule->pending_room *
                                                                    sizeof *schedule->pending);
    }
    MGEN_Request *request = &schedule->pending[schedule->pending_count++];
    struct amount amount = mgen_amount(step->bytes);
    if (step->kind == STEP_SEND) {
        MGEN_Isend(step->to, amount.count, amount.type, step->other, step->tag, step->comm,
                   request);
    } else {
        MGEN_Irecv(step->to, amount.count, amount.type, step->other, step->tag, step->comm,
                   request);
    }
}

/* Whether all that is posted is complete now. */
static int is_complete(struct schedule *schedule) {
    int left = 0;
    for (int i = 0; i < schedule->pending_count; i++) {
        MGEN_Request request = schedule->pending[i];
        if (request != MGEN_REQUEST_NULL && mgen_peek(request, 0, MGEN_STATUS_IGNORE)) {
            MGEN_Wait(&request, MGEN_STATUS_IGNORE);
        }
        if (request != MGEN_REQUEST_NULL) {
            schedule->pending[left++] = request;
        }
    }
    schedule->pending_count = left;
    return left == 0;
}

static void advance(struct schedule *schedule) {
    for (; schedule->next < schedule->count; schedule->next++) {
        struct step *step = &schedule->steps[schedule->next];
        switch (step->kind) {
        case STEP_SEND:
        case STEP_RECEIVE:
            post(schedule, step);
            break;
        case STEP_WAIT:
            if (!is_complete(schedule)) {
                return;
            }
            break;
        case STEP_COPY:
            mgen_collective_copy(step->to, step->from, step->bytes);
            break;
        case STEP_COMBINE:
            mgen_combine_now(step->from, step->to, step->count, step->type, step->op);
            mgen_type_release(step->type);
            break;
        case STEP_FREE:
            free(step->to);
            break;
        case STEP_TYPED:
            mgen_typed_copy_now(step->to, step->from, step->count, step->type);
            mgen_type_release(step->type);
            break;
        case STEP_UNPACK:
            mgen_dense_received(&step->dense, step->dense.bytes);
            break;
        }
    }
}

int mgen_schedule_is_done(const struct schedule *schedule) {
    return schedule->next == schedule->count;
}

struct schedule *mgen_record_end(void) {
    mgen_record_wait();
    struct schedule *made = mgen_own()[RECORDING];
    mgen_own()[RECORDING] = NULL;
    struct active *all = active();
    if (all == NULL) {
        all = mgen_memory(sizeof *all);
        *all = (struct active){0};
        mgen_own()[ACTIVE] = all;
    }
    if (all->count == all->room) {
        all->room = all->room > 0 ? 2 * all->room : 4;
        all->schedules = mgen_more_memory(all->schedules, (size_t)all->room * sizeof made);
    }
    all->schedules[all->count++] = made;
    mgen_schedules_advance();
    return made;
}

void mgen_schedules_advance(void) {
    struct active *all = active();
    if (all == NULL || all->is_advancing) {
        return;
    }
    all->is_advancing = 1;
    int left = 0;
    for (int i = 0; i < all->count; i++) {
        struct schedule *schedule = all->schedules[i];
        advance(schedule);
        if (!mgen_schedule_is_done(schedule)) {
            all->schedules[left++] = schedule;
        }
    }
    all->count = left;
    all->is_advancing = 0;
}

void mgen_schedule_test(struct schedule *schedule) {
    if (schedule->pending_count > 0) {
        mgen_peek(schedule->pending[0], 1, MGEN_STATUS_IGNORE);
        mgen_schedules_advance();
    }
}

void mgen_schedule_free(struct schedule *schedule) {
    free(schedule->steps);
    free(schedule->pending);
    free(schedule);
}

/* Ends a request if it is complete. */
static int ends(MGEN_Request *request, MGEN_Status *status) {
    if (*request == MGEN_REQUEST_NULL || !mgen_peek(*request, 0, MGEN_STATUS_IGNORE)) {
        return 0;
    }
    MGEN_Wait(request, status);
    return 1;
}

static int ends_one(struct schedule *schedule) {
    for (int i = 0; i < schedule->pending_count; i++) {
        if (ends(&schedule->pending[i], MGEN_STATUS_IGNORE)) {
            schedule->pending[i] = schedule->pending[--schedule->pending_count];
            return 1;
        }
    }
    return 0;
}

void mgen_wait_for_one(int count, MGEN_Request *requests, MGEN_Status *statuses) {
    struct active *all = active();
    int total = count;
    for (int i = 0; all != NULL && i < all->count; i++) {
        total += all->schedules[i]->pending_count;
    }
    MGEN_Request *united = mgen_memory((size_t)total * sizeof *united);
    memcpy(united, requests, (size_t)count * sizeof *united);
    total = count;
    for (int i = 0; all != NULL && i < all->count; i++) {
        struct schedule *schedule = all->schedules[i];
        memcpy(united + total, schedule->pending, (size_t)schedule->pending_count * sizeof *united);
        total += schedule->pending_count;
    }
    mgen_await(total, united);
    free(united);
    for (int i = 0; i < count; i++) {
        if (ends(&requests[i], &statuses[i])) {
            return;
        }
    }
    for (int i = 0; all != NULL && !all->is_advancing && i < all->count; i++) {
        if (ends_one(all->schedules[i])) {
            return;
        }
    }
}
