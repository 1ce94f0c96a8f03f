/* Sessions: each offers the set of all ranks of the program, and that of the rank alone. */
#include "mpi_comms.h"

enum { FIRST_SESSION = 1 };
static const char *const SETS[] = {"mpi://WORLD", "mpi://SELF"};
enum { SET_COUNT = sizeof SETS / sizeof *SETS };

int MPI_Session_init(MPI_Info info, MPI_Errhandler handler, MPI_Session *session) {
    (void)info;
    (void)handler;
    if (mgen_mpi()->sessions++ == 0) {
        mgen_counts(1);
    }
    *session = FIRST_SESSION;
    return MPI_SUCCESS;
}

static void check(const char *call, MPI_Session session) {
    if (session != FIRST_SESSION || mgen_mpi()->sessions == 0) {
        mgen_fails(call, "there is no such session");
    }
}

int MPI_Session_finalize(MPI_Session *session) {
    check(__func__, *session);
    struct mpi_state *state = mgen_mpi();
    if (--state->sessions == 0 && (!state->initialized || state->finalized)) {
        mgen_counts(0);
    }
    *session = MPI_SESSION_NULL;
    return MPI_SUCCESS;
}

int MPI_Session_get_num_psets(MPI_Session session, MPI_Info info, int *count) {
    (void)info;
    check(__func__, session);
    *count = SET_COUNT;
    return MPI_SUCCESS;
}

/* A length of 0 asks for the length. */
int MPI_Session_get_nth_pset(MPI_Session session, MPI_Info info, int number, int *length,
                             char *name) {
    (void)info;
    check(__func__, session);
    if (number < 0 || number >= SET_COUNT) {
        return mgen_fails(__func__, "the session has fewer sets of processes");
    }
    if (*length > 0) {
        snprintf(name, (size_t)*length, "%s", SETS[number]);
    }
    *length = (int)strlen(SETS[number]) + 1;
    return MPI_SUCCESS;
}

static int is_world(const char *call, const char *name) {
    for (int i = 0; i < SET_COUNT; i++) {
        if (strcmp(name, SETS[i]) == 0) {
            return i == 0;
        }
    }
    return mgen_fails(call, "there is no set of processes with this name");
}

int MPI_Group_from_session_pset(MPI_Session session, const char *name, MPI_Group *group) {
    check(__func__, session);
    return MPI_Comm_group(is_world(__func__, name) ? MPI_COMM_WORLD : MPI_COMM_SELF, group);
}

int MPI_Session_get_pset_info(MPI_Session session, const char *name, MPI_Info *info) {
    char size[16];
    check(__func__, session);
    snprintf(size, sizeof size, "%d",
             is_world(__func__, name) ? mgen_comm_size(MPI_COMM_WORLD) : 1);
    MPI_Info_create(info);
    return MPI_Info_set(*info, "mpi_size", size);
}

int MPI_Session_get_info(MPI_Session session, MPI_Info *info) {
    check(__func__, session);
    MPI_Info_create(info);
    return MPI_Info_set(*info, "thread_level", "MPI_THREAD_MULTIPLE");
}

/* All members give the same text. */
static int tag_of(const char *text) {
    unsigned number = 0;
    for (; *text != 0; text++) {
        number = number * 31 + (unsigned char)*text;
    }
    return (int)(number & 0x3fffffff);
}

int MPI_Comm_create_from_group(MPI_Group group, const char *tag, MPI_Info info,
                               MPI_Errhandler handler, MPI_Comm *made) {
    mgen_called(__func__);
    (void)info;
    MPI_Comm_create_group(MPI_COMM_WORLD, group, tag_of(tag), made);
    return MPI_Comm_set_errhandler(*made, handler);
}
