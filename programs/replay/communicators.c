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

MPI_Group replay_group(const struct replay *own, MPI_Group all, const int64_t *places,
                       int64_t count) {
    int size = 0;
    int *members = replay_memory(own, NULL, (size_t)count * sizeof *members);
    MPI_Group_size(all, &size);
    for (int64_t i = 0; i < count; i++) {
        if (places[i] < 0 || places[i] >= size) {
            replay_stop(own, "a rank in its column more is none of the communicator");
        }
        members[i] = (int)places[i];
    }
    MPI_Group found = MPI_GROUP_NULL;
    MPI_Group_incl(all, (int)count, members, &found);
    free(members);
    return found;
}

CALL(Comm_create_group) {
    replay_needs(own, event, 1);
    MPI_Comm comm = MPI_COMM_NULL;
    MPI_Group all = MPI_GROUP_NULL;
    MPI_Comm_group(replay_comm_of(own, event), &all);
    MPI_Group group = replay_group(own, all, more + 1, event->more - 1);
    MPI_Comm_create_group(replay_comm_of(own, event), group, event->tag, &comm);
    MPI_Group_free(&group);
    MPI_Group_free(&all);
    made(own, more[0], comm);
}

CALL(Comm_idup) {
    replay_needs(own, event, 1);
    MPI_Comm comm = MPI_COMM_NULL;
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Comm_idup(replay_comm_of(own, event), &comm, &request);
    made(own, more[0], comm);
    replay_keep(own, event, request);
}

CALL(Comm_free) {
    (void)more;
    MPI_Comm comm = replay_comm_of(own, event);
    MPI_Comm_free(&comm);
    *replay_object(own, &own->comms, event->comm, MPI_COMM_NULL) = MPI_COMM_NULL;
}
