/* The tools interface, as far as it does not depend on the variables that a library has. */
#include <mpi.h>
#include <stdio.h>

#define SAY(...) (printf("%d: ", rank), printf(__VA_ARGS__), printf("\n"))

static int rank;

int main(int argc, char **argv) {
    int provided, cvars = -1, pvars = -1, categories = -1, index;
    int before = MPI_T_init_thread(MPI_THREAD_SINGLE, &provided);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    SAY("opened: %d", before == MPI_SUCCESS);
    int code = MPI_T_cvar_get_num(&cvars);
    SAY("variables that control: %d, %d", code == MPI_SUCCESS, cvars >= 0);
    code = MPI_T_pvar_get_num(&pvars);
    SAY("variables that measure: %d, %d", code == MPI_SUCCESS, pvars >= 0);
    code = MPI_T_category_get_num(&categories);
    SAY("categories: %d, %d", code == MPI_SUCCESS, categories >= 0);
    code = MPI_T_cvar_get_index("no such variable", &index);
    SAY("a name that nobody has: %d", code == MPI_T_ERR_INVALID_NAME);
    code = MPI_T_pvar_get_index("no such variable", MPI_T_PVAR_CLASS_COUNTER, &index);
    SAY("a name that nobody has: %d", code == MPI_T_ERR_INVALID_NAME);
    int length = 0;
    code = MPI_T_cvar_get_info(cvars, NULL, &length, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
    SAY("an index that nobody has: %d", code == MPI_T_ERR_INVALID_INDEX);
    MPI_T_pvar_session session;
    code = MPI_T_pvar_session_create(&session);
    SAY("a session: %d", code == MPI_SUCCESS);
    code = MPI_T_pvar_session_free(&session);
    SAY("freed: %d, %d", code == MPI_SUCCESS, session == MPI_T_PVAR_SESSION_NULL);
    SAY("closed: %d", MPI_T_finalize() == MPI_SUCCESS);
    MPI_Finalize();
    return 0;
}
