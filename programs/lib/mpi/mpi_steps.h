/* What a schedule consists of. */
#ifndef MPI_STEPS_H
#define MPI_STEPS_H

#include "mpi_schedule.h"

enum { RECORDING = 1, ACTIVE = 2 };
/* Tags of one collective, and of the first that is written down. */
enum { TAGS_EACH = 16, FIRST_RECORDED = 256 };

enum step_kind {
    STEP_SEND,
    STEP_RECEIVE,
    STEP_WAIT,
    STEP_COPY,
    STEP_COMBINE,
    STEP_FREE,
    STEP_UNPACK,
    STEP_TYPED
};

struct step {
    enum step_kind kind;
    void *to;
    const void *from;
    size_t bytes;
    int other;
    int tag;
    MPI_Comm comm;
    int count;
    MPI_Datatype type;
    MPI_Op op;
    struct dense dense;
};

struct schedule {
    struct step *steps;
    int count;
    int room;
    int next;
    int tag;
    MGEN_Request *pending;
    int pending_count;
    int pending_room;
};

void mgen_typed_copy_now(void *to, const void *from, int count, MPI_Datatype type);

#endif
