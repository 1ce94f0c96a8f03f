/* Intercommunicators. Each side has a communicator whose messages go to the other side, and beside
 * it a copy, in which the ranks of the side reach each other. */
#include "mpi_inter.h"
#include "mpi_tags.h"
#include <limits.h>

/* Hidden tags of messages between both sides, beside those of collectives. What two leaders say to
 * each other is told apart by the tag of the program, behind FROM_PROGRAM: the largest become
 * negative, but none a wildcard. */
enum { ACROSS = COLLECTIVES, FROM_PROGRAM = 0x40000000 };
/* No tag of a program, and none of mgen_comm_copy. */
enum { MERGED = INT_MIN };

int mgen_is_inter(MPI_Comm comm) {
    struct comm *known = comm > MPI_COMM_SELF ? mgen_table_get(&mgen_mpi()->comms, comm) : NULL;
    return known != NULL && known->local != MPI_COMM_NULL;
}

/* What the leaders know, each of its own side, reaches every rank of the other. */
static void swap(int *own, int *other, int own_count, int other_count, MPI_Comm local, int leader,
                 MPI_Comm peer, int remote_leader, int tag) {
    if (mgen_comm_rank(local) == leader) {
        MGEN_Sendrecv(own, own_count, MGEN_INT, remote_leader, tag, other, other_count, MGEN_INT,
                      remote_leader, tag, peer | MGEN_HIDDEN, MGEN_STATUS_IGNORE);
    }
    size_t bytes = (size_t)other_count * sizeof *other;
    mgen_collective_bcast("binomial", other, bytes, leader, local);
}

static int *ranks_of(MPI_Comm comm, int size) {
    int *ranks = mgen_memory((size_t)size * sizeof *ranks);
    for (int i = 0; i < size; i++) {
        ranks[i] = mgen_comm_member(comm, i);
    }
    return ranks;
}

/* The ranks of `from` on this side; the leaders meet in `peer`. */
static MPI_Comm connect(MPI_Comm from, int leader, MPI_Comm peer, int remote_leader, int tag) {
    MPI_Comm local = mgen_comm_copy(from);
    MPI_Comm made = mgen_comm_copy(from);
    int own[2] = {made, mgen_comm_size(local)};
    int other[2] = {0, 0};
    swap(own, other, 2, 2, local, leader, peer, remote_leader, tag);
    if (other[0] == 0) {
        mgen_fail(
            "intercommunicators need payload: delivered, because both sides exchange handles");
    }
    int *ranks = ranks_of(local, own[1]);
    int *remote = mgen_memory((size_t)other[1] * sizeof *remote);
    swap(ranks, remote, own[1], other[1], local, leader, peer, remote_leader, tag);
    free(ranks);
    mgen_comm_link(made, other[0]);
    struct comm *known = mgen_comm(made);
    known->local = local;
    known->remote = (struct members_of){other[1], remote};
    return made;
}

int MPI_Intercomm_create(MPI_Comm local, int leader, MPI_Comm peer, int remote_leader, int tag,
                         MPI_Comm *made) {
    if (mgen_is_wrong_tag(tag)) {
        return mgen_wrong_tag(__func__, mgen_comm_rank(local) == leader ? peer : local, tag);
    }
    mgen_label(__func__);
    if (leader < 0 || leader >= mgen_comm_size(local)) {
        mgen_fail("local_leader is no rank of local_comm");
    }
    *made = connect(local, leader, peer, remote_leader, (int)(FROM_PROGRAM + (unsigned)tag));
    return mgen_left(MPI_SUCCESS);
}

MPI_Comm mgen_inter_copy(MPI_Comm comm) {
    return connect(mgen_comm(comm)->local, 0, comm, 0, ACROSS);
}

/* The first of the remote ranks with this color by key; -1 if there is none. */
static int leader_of(const int *parts, int size, int color) {
    int found = -1;
    for (int i = 0; i < size; i++) {
        int is_earlier = found < 0 || parts[2 * i + 1] < parts[2 * found + 1];
        if (parts[2 * i] == color && is_earlier) {
            found = i;
        }
    }
    return found;
}

MPI_Comm mgen_inter_split(MPI_Comm comm, int color, int key) {
    struct comm *known = mgen_comm(comm);
    int size = mgen_comm_size(known->local);
    int part[2] = {color, key};
    int *parts = mgen_memory(2 * (size_t)size * sizeof *parts);
    int *others = mgen_memory(2 * (size_t)known->remote.size * sizeof *others);
    mgen_collective_allgather("ring", part, parts, sizeof part, known->local);
    swap(parts, others, 2 * size, 2 * known->remote.size, known->local, 0, comm, 0, ACROSS);
    MPI_Comm side = MPI_COMM_NULL;
    MPI_Comm made = MPI_COMM_NULL;
    MGEN_Comm_split(known->local, color, key, &side);
    int other = leader_of(others, known->remote.size, color);
    if (side != MPI_COMM_NULL && other >= 0) {
        made = connect(side, 0, comm, other, ACROSS);
    }
    if (side != MPI_COMM_NULL) {
        MGEN_Comm_free(&side);
    }
    free(parts);
    free(others);
    return made;
}

static struct comm *inter(const char *call, MPI_Comm comm) {
    struct comm *known = mgen_comm_of(call, comm);
    if (known->local == MPI_COMM_NULL) {
        mgen_fails(call, "the communicator is no intercommunicator");
    }
    return known;
}

int MPI_Intercomm_merge(MPI_Comm comm, int high, MPI_Comm *made) {
    struct comm *known = inter(__func__, comm);
    mgen_label(__func__);
    int own_high = high != 0;
    int other_high = 0;
    swap(&own_high, &other_high, 1, 1, known->local, 0, comm, 0, ACROSS);
    int size = mgen_comm_size(known->local);
    int *own = ranks_of(known->local, size);
    int total = size + known->remote.size;
    int *all = mgen_memory((size_t)total * sizeof *all);
    /* Where both sides say the same, the side of the lower rank comes first. */
    int is_last = own_high != other_high ? own_high : own[0] > known->remote.ranks[0];
    memcpy(all + (is_last ? known->remote.size : 0), own, (size_t)size * sizeof *all);
    memcpy(all + (is_last ? 0 : size), known->remote.ranks,
           (size_t)known->remote.size * sizeof *all);
    mgen_comm_join(MPI_COMM_WORLD, all, total, MERGED, made);
    mgen_collective_barrier("dissemination", *made);
    free(own);
    free(all);
    return mgen_left(MPI_SUCCESS);
}

int MPI_Comm_test_inter(MPI_Comm comm, int *flag) {
    *flag = mgen_comm_of(__func__, comm)->local != MPI_COMM_NULL;
    return MPI_SUCCESS;
}

int MPI_Comm_remote_size(MPI_Comm comm, int *size) {
    *size = inter(__func__, comm)->remote.size;
    return MPI_SUCCESS;
}

int MPI_Comm_remote_group(MPI_Comm comm, MPI_Group *group) {
    const struct members_of *remote = &inter(__func__, comm)->remote;
    int *ranks = mgen_memory((size_t)remote->size * sizeof *ranks);
    memcpy(ranks, remote->ranks, (size_t)remote->size * sizeof *ranks);
    *group = mgen_group_new(ranks, remote->size);
    return MPI_SUCCESS;
}

/* Every rank began with the program, and none by MPI_Comm_spawn. */
int MPI_Comm_get_parent(MPI_Comm *parent) {
    mgen_called(__func__);
    *parent = MPI_COMM_NULL;
    return MPI_SUCCESS;
}
