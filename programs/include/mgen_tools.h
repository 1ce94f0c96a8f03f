/* The tools interface of MPI for programs of C. The simulator has no variables that it could show,
 * and MPI allows that: every number of them is 0. */
#ifndef MGEN_TOOLS_H
#define MGEN_TOOLS_H

typedef struct mgen_tool_object *MPI_T_cvar_handle;
typedef struct mgen_tool_object *MPI_T_pvar_handle;
typedef struct mgen_tool_object *MPI_T_pvar_session;
#define MPI_T_ENUM_NULL 0
#define MPI_T_CVAR_HANDLE_NULL ((MPI_T_cvar_handle)0)
#define MPI_T_PVAR_HANDLE_NULL ((MPI_T_pvar_handle)0)
#define MPI_T_PVAR_ALL_HANDLES ((MPI_T_pvar_handle) - 1)
#define MPI_T_PVAR_SESSION_NULL ((MPI_T_pvar_session)0)

/* Behind the codes that a program may add. */
enum {
    MPI_T_ERR_MEMORY = 0x20000000,
    MPI_T_ERR_NOT_INITIALIZED,
    MPI_T_ERR_CANNOT_INIT,
    MPI_T_ERR_INVALID,
    MPI_T_ERR_INVALID_INDEX,
    MPI_T_ERR_INVALID_ITEM,
    MPI_T_ERR_INVALID_HANDLE,
    MPI_T_ERR_INVALID_SESSION,
    MPI_T_ERR_INVALID_NAME,
    MPI_T_ERR_OUT_OF_HANDLES,
    MPI_T_ERR_OUT_OF_SESSIONS,
    MPI_T_ERR_CVAR_SET_NOT_NOW,
    MPI_T_ERR_CVAR_SET_NEVER,
    MPI_T_ERR_PVAR_NO_STARTSTOP,
    MPI_T_ERR_PVAR_NO_WRITE,
    MPI_T_ERR_PVAR_NO_ATOMIC
};
enum {
    MPI_T_VERBOSITY_USER_BASIC = 1,
    MPI_T_VERBOSITY_USER_DETAIL,
    MPI_T_VERBOSITY_USER_ALL,
    MPI_T_VERBOSITY_TUNER_BASIC,
    MPI_T_VERBOSITY_TUNER_DETAIL,
    MPI_T_VERBOSITY_TUNER_ALL,
    MPI_T_VERBOSITY_MPIDEV_BASIC,
    MPI_T_VERBOSITY_MPIDEV_DETAIL,
    MPI_T_VERBOSITY_MPIDEV_ALL
};
enum {
    MPI_T_BIND_NO_OBJECT,
    MPI_T_BIND_MPI_COMM,
    MPI_T_BIND_MPI_DATATYPE,
    MPI_T_BIND_MPI_ERRHANDLER,
    MPI_T_BIND_MPI_FILE,
    MPI_T_BIND_MPI_GROUP,
    MPI_T_BIND_MPI_OP,
    MPI_T_BIND_MPI_REQUEST,
    MPI_T_BIND_MPI_WIN,
    MPI_T_BIND_MPI_MESSAGE,
    MPI_T_BIND_MPI_INFO
};
enum {
    MPI_T_SCOPE_CONSTANT,
    MPI_T_SCOPE_READONLY,
    MPI_T_SCOPE_LOCAL,
    MPI_T_SCOPE_GROUP,
    MPI_T_SCOPE_GROUP_EQ,
    MPI_T_SCOPE_ALL,
    MPI_T_SCOPE_ALL_EQ
};
enum {
    MPI_T_PVAR_CLASS_STATE,
    MPI_T_PVAR_CLASS_LEVEL,
    MPI_T_PVAR_CLASS_SIZE,
    MPI_T_PVAR_CLASS_PERCENTAGE,
    MPI_T_PVAR_CLASS_HIGHWATERMARK,
    MPI_T_PVAR_CLASS_LOWWATERMARK,
    MPI_T_PVAR_CLASS_COUNTER,
    MPI_T_PVAR_CLASS_AGGREGATE,
    MPI_T_PVAR_CLASS_TIMER,
    MPI_T_PVAR_CLASS_GENERIC
};

int MPI_T_category_changed(int *);
int MPI_T_category_get_categories(int, int, int *);
int MPI_T_category_get_cvars(int, int, int *);
int MPI_T_category_get_index(const char *, int *);
int MPI_T_category_get_info(int, char *, int *, char *, int *, int *, int *, int *);
int MPI_T_category_get_num(int *);
int MPI_T_category_get_pvars(int, int, int *);
int MPI_T_cvar_get_index(const char *, int *);
int MPI_T_cvar_get_info(int, char *, int *, int *, MPI_Datatype *, MPI_T_enum *, char *, int *,
                        int *, int *);
int MPI_T_cvar_get_num(int *);
int MPI_T_cvar_handle_alloc(int, void *, MPI_T_cvar_handle *, int *);
int MPI_T_cvar_handle_free(MPI_T_cvar_handle *);
int MPI_T_cvar_read(MPI_T_cvar_handle, void *);
int MPI_T_cvar_write(MPI_T_cvar_handle, const void *);
int MPI_T_enum_get_info(MPI_T_enum, int *, char *, int *);
int MPI_T_enum_get_item(MPI_T_enum, int, int *, char *, int *);
int MPI_T_finalize(void);
int MPI_T_init_thread(int, int *);
int MPI_T_pvar_get_index(const char *, int, int *);
int MPI_T_pvar_get_info(int, char *, int *, int *, int *, MPI_Datatype *, MPI_T_enum *, char *,
                        int *, int *, int *, int *, int *);
int MPI_T_pvar_get_num(int *);
int MPI_T_pvar_handle_alloc(MPI_T_pvar_session, int, void *, MPI_T_pvar_handle *, int *);
int MPI_T_pvar_handle_free(MPI_T_pvar_session, MPI_T_pvar_handle *);
int MPI_T_pvar_read(MPI_T_pvar_session, MPI_T_pvar_handle, void *);
int MPI_T_pvar_readreset(MPI_T_pvar_session, MPI_T_pvar_handle, void *);
int MPI_T_pvar_reset(MPI_T_pvar_session, MPI_T_pvar_handle);
int MPI_T_pvar_session_create(MPI_T_pvar_session *);
int MPI_T_pvar_session_free(MPI_T_pvar_session *);
int MPI_T_pvar_start(MPI_T_pvar_session, MPI_T_pvar_handle);
int MPI_T_pvar_stop(MPI_T_pvar_session, MPI_T_pvar_handle);
int MPI_T_pvar_write(MPI_T_pvar_session, MPI_T_pvar_handle, const void *);

#endif
