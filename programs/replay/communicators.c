/* Communicators that are made and freed. */
#include "replay.h"

/* Communicators: `more` names the one that is made, -1 where this rank is no member. */
static void made(struct replay *own, int64_t number, MPI_Comm comm) {
    if (number >= 0) {
        *replay_object(own, &own->comms, number, MPI_COMM_NULL) = comm;
    }
}

enum { OF_SPLIT = 3 };

static MPI_Comm split(struct replay *own, const struct event *event, const int64_t *more) {
    replay_needs(own, event, OF_SPLIT);
    MPI_Comm comm = MPI_COMM_NULL;
    int color = more[1] < 0 ? MPI_UNDEFINED : (int)more[1];
    MPI_Comm_split(replay_comm_of(own, event), color, (int)more[2], &comm);
    return comm;
}

CALL(Comm_split) {
    made(own, more[0], split(own, event, more));
}

/* Behind the numbers of a split are those of the topology. All ranks leave the split at the same
 * time, so the call that makes the topology takes none. */
CALL(Cart_create) {
    MPI_Comm part = split(own, event, more);
    MPI_Comm comm = MPI_COMM_NULL;
    if (part == MPI_COMM_NULL) {
        return;
    }
    int size = 0;
    int64_t cells = 1;
    int dimensions = (event->more - OF_SPLIT) / 2;
    int *sizes = replay_memory(own, NULL, (size_t)dimensions * 2 * sizeof *sizes);
    int *periods = sizes + dimensions;
    MPI_Comm_size(part, &size);
    for (int i = 0; i < dimensions; i++) {
        int64_t of_dimension = more[OF_SPLIT + 2 * i];
        cells = of_dimension <= size ? cells * of_dimension : 0;
        if (cells < 1 || cells > size) {
            break;
        }
        sizes[i] = (int)of_dimension;
        periods[i] = more[OF_SPLIT + 2 * i + 1] != 0;
    }
    if (cells != size || event->more != OF_SPLIT + 2 * dimensions) {
        replay_stop(own, "its grid has not one cell for each rank of the new communicator");
    }
    MPI_Cart_create(part, dimensions, sizes, periods, 0, &comm);
    MPI_Comm_free(&part);
    free(sizes);
    made(own, more[0], comm);
}

CALL(Dist_graph_create_adjacent) {
    MPI_Comm part = split(own, event, more);
    MPI_Comm comm = MPI_COMM_NULL;
    if (part == MPI_COMM_NULL) {
        return;
    }
    int size = 0;
    int64_t count = event->more - OF_SPLIT - 1;
    MPI_Comm_size(part, &size);
    replay_needs(own, event, OF_SPLIT + 1);
    if (more[OF_SPLIT] < 0 || more[OF_SPLIT] > count) {
        replay_stop(own, "it has fewer sources than it says");
    }
    int *neighbours = replay_memory(own, NULL, (size_t)count * sizeof *neighbours);
    for (int64_t i = 0; i < count; i++) {
        int64_t place = more[OF_SPLIT + 1 + i];
        if (place < 0 || place >= size) {
            replay_stop(own, "a neighbour in its column more is no rank of the new communicator");
        }
        neighbours[i] = (int)place;
    }
    int sources = (int)more[OF_SPLIT];
    MPI_Dist_graph_create_adjacent(part, sources, neighbours, MPI_UNWEIGHTED, (int)count - sources,
                                   neighbours + sources, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &comm);
    MPI_Comm_free(&part);
    free(neighbours);
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
