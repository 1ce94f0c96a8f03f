/* Communicators that are made and freed. */
#include "replay.h"

/* Communicators: `more` names the one that is made, -1 where this rank is no member. */
static void made(struct replay *own, int64_t number, MPI_Comm comm) {
    if (number >= 0) {
        *replay_object(own, &own->comms, number, MPI_COMM_NULL) = comm;
    }
}

CALL(Comm_split) {
    replay_needs(own, event, 3);
    MPI_Comm comm = MPI_COMM_NULL;
    int color = more[1] < 0 ? MPI_UNDEFINED : (int)more[1];
    MPI_Comm_split(replay_comm_of(own, event), color, (int)more[2], &comm);
    made(own, more[0], comm);
}

CALL(Comm_dup) {
    replay_needs(own, event, 1);
    MPI_Comm comm = MPI_COMM_NULL;
    MPI_Comm_dup(replay_comm_of(own, event), &comm);
    made(own, more[0], comm);
}

CALL(Comm_free) {
    (void)more;
    MPI_Comm comm = replay_comm_of(own, event);
    MPI_Comm_free(&comm);
    *replay_object(own, &own->comms, event->comm, MPI_COMM_NULL) = MPI_COMM_NULL;
}
