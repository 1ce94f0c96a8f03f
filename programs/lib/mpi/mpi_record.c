/* Writes down what collectives do, in place of doing it. */
#include "mpi_comms.h"
#include "mpi_steps.h"

static struct schedule *recording(void) {
    return mgen_own()[RECORDING];
}

void mgen_record_begin(MPI_Comm comm, int is_waited_for) {
    struct schedule *made = mgen_memory(sizeof *made);
    int tag = is_waited_for ? 0 : FIRST_RECORDED + mgen_comm_sequence(comm) * TAGS_EACH;
    *made = (struct schedule){.tag = tag};
    mgen_own()[RECORDING] = made;
}

static struct step *add(enum step_kind kind) {
    struct schedule *schedule = recording();
    if (schedule == NULL) {
        return NULL;
    }
    if (schedule->count == schedule->room) {
        schedule->room = schedule->room > 0 ? 2 * schedule->room : 16;
        schedule->steps =
            mgen_more_memory(schedule->steps, (size_t)schedule->room * sizeof *schedule->steps);
    }
    struct step *step = &schedule->steps[schedule->count++];
    *step = (struct step){.kind = kind};
    return step;
}

int mgen_record_tag(enum collective which) {
    struct schedule *schedule = recording();
    return (schedule != NULL ? schedule->tag : 0) + (int)which;
}

int mgen_record_message(const struct group *group, void *data, size_t bytes, int other,
                        int is_sent) {
    struct step *step = add(is_sent ? STEP_SEND : STEP_RECEIVE);
    if (step != NULL) {
        step->to = data;
        step->bytes = bytes;
        step->other = other;
        step->tag = group->tag;
        step->comm = group->comm;
    }
    return step != NULL;
}

int mgen_record_wait(void) {
    return add(STEP_WAIT) != NULL;
}

int mgen_record_copy(void *to, const void *from, size_t bytes) {
    struct step *step = add(STEP_COPY);
    if (step != NULL) {
        step->to = to;
        step->from = from;
        step->bytes = bytes;
    }
    return step != NULL;
}

int mgen_record_combine(const void *from, void *into, int count, MGEN_Datatype type, MGEN_Op op) {
    struct step *step = add(STEP_COMBINE);
    if (step != NULL) {
        step->to = into;
        step->from = from;
        step->count = count;
        step->type = type;
        step->op = op;
        mgen_type_hold(type);
    }
    return step != NULL;
}

int mgen_record_free(void *memory) {
    struct step *step = add(STEP_FREE);
    if (step != NULL) {
        step->to = memory;
    }
    return step != NULL;
}

void mgen_later_received(struct dense *dense) {
    struct step *step = add(STEP_UNPACK);
    if (step == NULL) {
        mgen_dense_received(dense, dense->bytes);
    } else {
        step->dense = *dense;
    }
}

void mgen_typed_copy(void *to, const void *from, int count, MPI_Datatype type) {
    struct step *step = add(STEP_TYPED);
    if (step == NULL) {
        mgen_typed_copy_now(to, from, count, type);
    } else {
        step->to = to;
        step->from = from;
        step->count = count;
        step->type = type;
        mgen_type_hold(type);
    }
}
