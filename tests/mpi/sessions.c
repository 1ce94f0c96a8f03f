/* Sessions of MPI 4: communicators without MPI_Init. */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

static int rank;

#define SAY(...) (printf("%d: ", rank), printf(__VA_ARGS__), printf("\n"))

static MPI_Comm of_set(MPI_Session session, const char *name, const char *tag) {
    MPI_Group group;
    MPI_Comm made;
    MPI_Group_from_session_pset(session, name, &group);
    MPI_Comm_create_from_group(group, tag, MPI_INFO_NULL, MPI_ERRORS_RETURN, &made);
    MPI_Group_free(&group);
    return made;
}

int main(void) {
    MPI_Session session;
    int size, sum, count, length, flag, initialized;
    char name[MPI_MAX_PSET_NAME_LEN], value[16];
    MPI_Info info;
    MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session);
    MPI_Comm world = of_set(session, "mpi://WORLD", "all of them");
    MPI_Comm_rank(world, &rank);
    MPI_Comm_size(world, &size);
    MPI_Initialized(&initialized);
    SAY("rank %d of %d, initialized %d", rank, size, initialized);
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, world);
    SAY("sum %d", sum);
    MPI_Comm self = of_set(session, "mpi://SELF", "me");
    MPI_Comm_size(self, &size);
    SAY("alone %d", size);
    MPI_Session_get_num_psets(session, MPI_INFO_NULL, &count);
    SAY("some sets %d", count >= 2);
    length = 0;
    MPI_Session_get_nth_pset(session, MPI_INFO_NULL, 0, &length, NULL);
    MPI_Session_get_nth_pset(session, MPI_INFO_NULL, 0, &length, name);
    SAY("first %s, %d", name, length);
    MPI_Session_get_pset_info(session, "mpi://WORLD", &info);
    MPI_Info_get(info, "mpi_size", 15, value, &flag);
    SAY("size %s, %d", value, flag);
    MPI_Info_free(&info);
    MPI_Comm_free(&self);
    MPI_Comm_free(&world);
    MPI_Session_finalize(&session);
    SAY("null %d", session == MPI_SESSION_NULL);
    return 0;
}
