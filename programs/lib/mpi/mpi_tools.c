/* The tools interface: a tool that asks finds no variable and no category. */
#include "mpi_state.h"

/* How often the interface is open: each part of a program opens it for itself. */
static int *opened(void) {
    return &mgen_mpi()->tools_opened;
}

int MPI_T_init_thread(int required, int *provided) {
    ++*opened();
    *provided = required;
    return MPI_SUCCESS;
}

int MPI_T_finalize(void) {
    if (*opened() == 0) {
        return MPI_T_ERR_NOT_INITIALIZED;
    }
    --*opened();
    return MPI_SUCCESS;
}

static int answer(int code) {
    return *opened() > 0 ? code : MPI_T_ERR_NOT_INITIALIZED;
}

static int none(int *number) {
    *number = 0;
    return answer(MPI_SUCCESS);
}

int MPI_T_cvar_get_num(int *number) {
    return none(number);
}

int MPI_T_pvar_get_num(int *number) {
    return none(number);
}

int MPI_T_category_get_num(int *number) {
    return none(number);
}

/* Categories never change. */
int MPI_T_category_changed(int *stamp) {
    return none(stamp);
}

struct mgen_tool_object {
    int number;
};

/* A session without variables; all are alike. */
int MPI_T_pvar_session_create(MPI_T_pvar_session *session) {
    static const struct mgen_tool_object made;
    *session = (MPI_T_pvar_session)&made;
    return answer(MPI_SUCCESS);
}

int MPI_T_pvar_session_free(MPI_T_pvar_session *session) {
    int is_known = *session != MPI_T_PVAR_SESSION_NULL;
    *session = MPI_T_PVAR_SESSION_NULL;
    return answer(is_known ? MPI_SUCCESS : MPI_T_ERR_INVALID_SESSION);
}

/* Calls with an index, a name or a handle that nobody has. Names of arguments say nothing here. */
#define NO(call, code, ...)                                                                        \
    int call(__VA_ARGS__) {                                                                        \
        return answer(code);                                                                       \
    }

NO(MPI_T_category_get_categories, MPI_T_ERR_INVALID_INDEX, int a, int b, int *c)
NO(MPI_T_category_get_cvars, MPI_T_ERR_INVALID_INDEX, int a, int b, int *c)
NO(MPI_T_category_get_pvars, MPI_T_ERR_INVALID_INDEX, int a, int b, int *c)
NO(MPI_T_category_get_index, MPI_T_ERR_INVALID_NAME, const char *a, int *b)
NO(MPI_T_category_get_info, MPI_T_ERR_INVALID_INDEX, int a, char *b, int *c, char *d, int *e,
   int *f, int *g, int *h)
NO(MPI_T_cvar_get_index, MPI_T_ERR_INVALID_NAME, const char *a, int *b)
NO(MPI_T_cvar_get_info, MPI_T_ERR_INVALID_INDEX, int a, char *b, int *c, int *d, MPI_Datatype *e,
   MPI_T_enum *f, char *g, int *h, int *i, int *j)
NO(MPI_T_cvar_handle_alloc, MPI_T_ERR_INVALID_INDEX, int a, void *b, MPI_T_cvar_handle *c, int *d)
NO(MPI_T_cvar_handle_free, MPI_T_ERR_INVALID_HANDLE, MPI_T_cvar_handle *a)
NO(MPI_T_cvar_read, MPI_T_ERR_INVALID_HANDLE, MPI_T_cvar_handle a, void *b)
NO(MPI_T_cvar_write, MPI_T_ERR_INVALID_HANDLE, MPI_T_cvar_handle a, const void *b)
NO(MPI_T_enum_get_info, MPI_T_ERR_INVALID_HANDLE, MPI_T_enum a, int *b, char *c, int *d)
NO(MPI_T_enum_get_item, MPI_T_ERR_INVALID_HANDLE, MPI_T_enum a, int b, int *c, char *d, int *e)
NO(MPI_T_pvar_get_index, MPI_T_ERR_INVALID_NAME, const char *a, int b, int *c)
NO(MPI_T_pvar_get_info, MPI_T_ERR_INVALID_INDEX, int a, char *b, int *c, int *d, int *e,
   MPI_Datatype *f, MPI_T_enum *g, char *h, int *i, int *j, int *k, int *l, int *m)
NO(MPI_T_pvar_handle_alloc, MPI_T_ERR_INVALID_INDEX, MPI_T_pvar_session a, int b, void *c,
   MPI_T_pvar_handle *d, int *e)
NO(MPI_T_pvar_handle_free, MPI_T_ERR_INVALID_HANDLE, MPI_T_pvar_session a, MPI_T_pvar_handle *b)
NO(MPI_T_pvar_read, MPI_T_ERR_INVALID_HANDLE, MPI_T_pvar_session a, MPI_T_pvar_handle b, void *c)
NO(MPI_T_pvar_readreset, MPI_T_ERR_INVALID_HANDLE, MPI_T_pvar_session a, MPI_T_pvar_handle b,
   void *c)
NO(MPI_T_pvar_write, MPI_T_ERR_INVALID_HANDLE, MPI_T_pvar_session a, MPI_T_pvar_handle b,
   const void *c)

/* Of all handles there are none, which is well. */
static int all_or_none(MPI_T_pvar_handle handle) {
    return answer(handle == MPI_T_PVAR_ALL_HANDLES ? MPI_SUCCESS : MPI_T_ERR_INVALID_HANDLE);
}

int MPI_T_pvar_start(MPI_T_pvar_session session, MPI_T_pvar_handle handle) {
    (void)session;
    return all_or_none(handle);
}

int MPI_T_pvar_stop(MPI_T_pvar_session session, MPI_T_pvar_handle handle) {
    (void)session;
    return all_or_none(handle);
}

int MPI_T_pvar_reset(MPI_T_pvar_session session, MPI_T_pvar_handle handle) {
    (void)session;
    return all_or_none(handle);
}
