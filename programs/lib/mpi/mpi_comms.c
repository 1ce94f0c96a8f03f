/* Communicators: those of the simulator, with what a program keeps with them. */
#include "mpi_inter.h"
#include "mpi_tags.h"

struct comm *mgen_comm(MPI_Comm comm) {
    struct table *comms = &mgen_mpi()->comms;
    struct comm *known = mgen_table_get(comms, comm);
    if (known != NULL) {
        return known;
    }
    mgen_comm_size(comm);
    while (comms->room <= comm) {
        comms->room = comms->room > 0 ? 2 * comms->room : 8;
        comms->items = mgen_more_memory(comms->items, (size_t)comms->room * sizeof *comms->items);
    }
    while (comms->count <= comm) {
        comms->items[comms->count++] = NULL;
    }
    known = mgen_memory(sizeof *known);
    *known = (struct comm){.handler = MPI_ERRORS_ARE_FATAL};
    comms->items[comm] = known;
    return known;
}

struct comm *mgen_comm_of(const char *call, MPI_Comm comm) {
    mgen_called(call);
    struct comm *known = mgen_table_get(&mgen_mpi()->comms, comm);
    if (known == NULL) {
        mgen_label(call);
        known = mgen_comm(comm);
        mgen_leave();
    }
    return known;
}

static struct comm *known_comm(MPI_Comm comm) {
    return mgen_table_get(&mgen_mpi()->comms, comm);
}

int mgen_comm_sequence(MPI_Comm comm) {
    return mgen_comm(comm)->sequence++;
}

int mgen_comm_rank(MPI_Comm comm) {
    int rank = 0;
    MGEN_Comm_rank(comm, &rank);
    return rank;
}

int mgen_comm_size(MPI_Comm comm) {
    int size = 0;
    MGEN_Comm_size(comm, &size);
    return size;
}

int MPI_Comm_rank(MPI_Comm comm, int *rank) {
    return MGEN_Comm_rank(comm, rank);
}

int MPI_Comm_size(MPI_Comm comm, int *size) {
    return MGEN_Comm_size(comm, size);
}

int MPI_Comm_split(MPI_Comm comm, int color, int key, MPI_Comm *made) {
    if (!mgen_is_inter(comm)) {
        return MGEN_Comm_split(comm, color, key, made);
    }
    mgen_label("MPI_Comm_split");
    *made = mgen_inter_split(comm, color, key);
    return mgen_left(MPI_SUCCESS);
}

/* A communicator that is made anew has nothing of one that had its handle. */
static void inherit(MPI_Comm from, MPI_Comm made) {
    struct comm *known = known_comm(from);
    if (known != NULL) {
        struct comm *copy = mgen_comm(made);
        copy->handler = known->handler;
        mgen_attributes_copy(KEYVAL_COMM, from, known->attributes, &copy->attributes);
        mgen_topology_copy(known, copy);
    }
}

int MPI_Comm_dup(MPI_Comm comm, MPI_Comm *made) {
    if (mgen_is_inter(comm)) {
        mgen_label("MPI_Comm_dup");
        *made = mgen_inter_copy(comm);
        mgen_leave();
    } else {
        MGEN_Comm_dup(comm, made);
    }
    inherit(comm, *made);
    return MPI_SUCCESS;
}

int MPI_Comm_dup_with_info(MPI_Comm comm, MPI_Info info, MPI_Comm *made) {
    mgen_called(__func__);
    (void)info;
    return MPI_Comm_dup(comm, made);
}

/* All ranks get the same handle without waiting for each other. Tags below 0 are no tags of
 * MPI_Comm_create_group. */
MPI_Comm mgen_comm_copy(MPI_Comm comm) {
    int size = mgen_comm_size(comm);
    int *ranks = mgen_memory((size_t)size * sizeof *ranks);
    MPI_Comm made = MPI_COMM_NULL;
    for (int i = 0; i < size; i++) {
        ranks[i] = mgen_comm_member(comm, i);
    }
    mgen_comm_join(comm, ranks, size, -1 - mgen_comm(comm)->copies++, &made);
    free(ranks);
    return made;
}

int MPI_Comm_idup(MPI_Comm comm, MPI_Comm *made, MPI_Request *request) {
    mgen_label("MPI_Comm_idup");
    *made = mgen_is_inter(comm) ? mgen_inter_copy(comm) : mgen_comm_copy(comm);
    inherit(comm, *made);
    *request = mgen_request_add(mgen_request_new(REQUEST_DONE));
    return mgen_left(MPI_SUCCESS);
}

/* Hints change nothing here, so a communicator has none. */
int MPI_Comm_set_info(MPI_Comm comm, MPI_Info info) {
    (void)info;
    mgen_comm_of(__func__, comm);
    return MPI_SUCCESS;
}

int MPI_Comm_get_info(MPI_Comm comm, MPI_Info *info) {
    mgen_comm_of(__func__, comm);
    return MPI_Info_create(info);
}

int MPI_Comm_free(MPI_Comm *comm) {
    mgen_called(__func__);
    struct comm *known = known_comm(*comm);
    if (known != NULL) {
        mgen_attributes_free(KEYVAL_COMM, *comm, &known->attributes);
    }
    MPI_Comm freed = *comm;
    int code = MGEN_Comm_free(comm);
    if (known != NULL) {
        if (known->local != MPI_COMM_NULL) {
            MGEN_Comm_free(&known->local);
        }
        mgen_topology_free(known);
        free(known->remote.ranks);
        free(known->name);
        free(known);
        mgen_mpi()->comms.items[freed] = NULL;
    }
    return code;
}

int MPI_Comm_disconnect(MPI_Comm *comm) {
    mgen_called(__func__);
    return MPI_Comm_free(comm);
}

/* Members of disjoint groups differ in the first member. */
int MPI_Comm_create(MPI_Comm comm, MPI_Group group, MPI_Comm *made) {
    mgen_called(__func__);
    const struct members_of *members = mgen_group(__func__, group);
    int own = mgen_comm_rank(MPI_COMM_WORLD);
    int key = 0;
    while (key < members->size && members->ranks[key] != own) {
        key++;
    }
    mgen_label("MPI_Comm_create");
    int is_member = key < members->size;
    if (mgen_is_inter(comm)) {
        *made = mgen_inter_split(comm, is_member ? 0 : MGEN_UNDEFINED, key);
    } else {
        MGEN_Comm_split(comm, is_member ? members->ranks[0] : MGEN_UNDEFINED, key, made);
    }
    return mgen_left(MPI_SUCCESS);
}

/* The members agree by a barrier. */
int MPI_Comm_create_group(MPI_Comm comm, MPI_Group group, int tag, MPI_Comm *made) {
    mgen_called(__func__);
    if (mgen_is_wrong_tag(tag)) {
        return mgen_wrong_tag(__func__, comm, tag);
    }
    const struct members_of *members = mgen_group(__func__, group);
    int own = mgen_comm_rank(MPI_COMM_WORLD);
    int is_member = 0;
    *made = MPI_COMM_NULL;
    for (int i = 0; i < members->size; i++) {
        is_member = is_member || members->ranks[i] == own;
    }
    if (!is_member) {
        return MPI_SUCCESS;
    }
    mgen_label("MPI_Comm_create_group");
    mgen_comm_join(comm, members->ranks, members->size, tag, made);
    mgen_collective_barrier("dissemination", *made);
    return mgen_left(MPI_SUCCESS);
}

int MPI_Comm_split_type(MPI_Comm comm, int kind, int key, MPI_Info info, MPI_Comm *made) {
    mgen_called(__func__);
    (void)info;
    int color = kind == MPI_UNDEFINED ? MGEN_UNDEFINED : mgen_node(mgen_comm_rank(MPI_COMM_WORLD));
    mgen_label("MPI_Comm_split_type");
    MGEN_Comm_split(comm, color, key, made);
    return mgen_left(MPI_SUCCESS);
}

/* The worse of both results of a comparison. */
static int compared(MPI_Group one, MPI_Group other, int before) {
    int result = MPI_IDENT;
    MPI_Group_compare(one, other, &result);
    MPI_Group_free(&one);
    MPI_Group_free(&other);
    return result > before ? result : before;
}

int MPI_Comm_compare(MPI_Comm one, MPI_Comm other, int *result) {
    MPI_Group groups[2];
    mgen_comm_of(__func__, one);
    mgen_comm_of(__func__, other);
    *result = MPI_UNEQUAL;
    if (mgen_is_inter(one) != mgen_is_inter(other)) {
        return MPI_SUCCESS;
    }
    MPI_Comm_group(one, &groups[0]);
    MPI_Comm_group(other, &groups[1]);
    *result = compared(groups[0], groups[1], one == other ? MPI_IDENT : MPI_CONGRUENT);
    if (mgen_is_inter(one)) {
        MPI_Comm_remote_group(one, &groups[0]);
        MPI_Comm_remote_group(other, &groups[1]);
        *result = compared(groups[0], groups[1], *result);
    }
    return MPI_SUCCESS;
}

int MPI_Comm_set_name(MPI_Comm comm, const char *name) {
    struct comm *known = mgen_comm_of(__func__, comm);
    free(known->name);
    known->name = mgen_memory(strlen(name) + 1);
    strcpy(known->name, name);
    return MPI_SUCCESS;
}

int MPI_Comm_get_name(MPI_Comm comm, char *name, int *length) {
    mgen_called(__func__);
    const char *found = comm == MPI_COMM_WORLD  ? "MPI_COMM_WORLD"
                        : comm == MPI_COMM_SELF ? "MPI_COMM_SELF"
                                                : "";
    struct comm *known = known_comm(comm);
    if (known != NULL && known->name != NULL) {
        found = known->name;
    }
    *length = snprintf(name, MPI_MAX_OBJECT_NAME, "%s", found);
    return MPI_SUCCESS;
}
