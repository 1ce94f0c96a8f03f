/* The begin and the end of a program, time, memory, error handlers, error texts. */
#include "mpi_comms.h"
#include "mpi_requests.h"

/* A rank exists from the start until its main returns: these calls take no time. What it computes
 * counts between them, as on machines. */
int MPI_Init(int *argc, char ***argv) {
    (void)argc;
    (void)argv;
    if (mgen_mpi()->initialized) {
        return mgen_fails("MPI_Init", "it has been called before");
    }
    mgen_mpi()->initialized = 1;
    mgen_counts(1);
    return MPI_SUCCESS;
}

/* Threads of a rank run one after the other, so every level holds. */
int MPI_Init_thread(int *argc, char ***argv, int required, int *provided) {
    *provided = required;
    mgen_mpi()->thread_level = *provided;
    return MPI_Init(argc, argv);
}

int MPI_Query_thread(int *provided) {
    mgen_called(__func__);
    *provided = mgen_mpi()->thread_level;
    return MPI_SUCCESS;
}

int MPI_Is_thread_main(int *flag) {
    mgen_called(__func__);
    *flag = mgen_functions()->thread_number() == 0;
    return MPI_SUCCESS;
}

int MPI_Finalize(void) {
    struct mpi_state *state = mgen_mpi();
    if (!state->initialized || state->finalized) {
        return mgen_fails("MPI_Finalize", "it is called before MPI_Init");
    }
    struct comm *self = mgen_table_get(&state->comms, MPI_COMM_SELF);
    if (self != NULL) {
        mgen_attributes_free(KEYVAL_COMM, MPI_COMM_SELF, &self->attributes);
    }
    if (state->buffered_count > 0) {
        mgen_label("MPI_Finalize");
        mgen_finish_kept();
        mgen_leave();
    }
    state->finalized = 1;
    if (state->sessions == 0) {
        mgen_counts(0);
    }
    return MPI_SUCCESS;
}

int MPI_Initialized(int *flag) {
    *flag = mgen_mpi()->initialized;
    return MPI_SUCCESS;
}

int MPI_Finalized(int *flag) {
    *flag = mgen_mpi()->finalized;
    return MPI_SUCCESS;
}

int MPI_Abort(MPI_Comm comm, int code) {
    return MGEN_Abort(comm, code);
}

double MPI_Wtime(void) {
    mgen_called(__func__);
    return MGEN_Wtime();
}

/* The simulator counts in picoseconds. */
double MPI_Wtick(void) {
    mgen_called(__func__);
    return 1e-12;
}

int MPI_Get_processor_name(char *name, int *length) {
    mgen_called(__func__);
    *length = mgen_node_name(name, MPI_MAX_PROCESSOR_NAME);
    return MPI_SUCCESS;
}

int MPI_Get_version(int *version, int *subversion) {
    *version = MPI_VERSION;
    *subversion = MPI_SUBVERSION;
    return MPI_SUCCESS;
}

int MPI_Get_library_version(char *text, int *length) {
    *length = snprintf(text, MPI_MAX_LIBRARY_VERSION_STRING, "weft");
    return MPI_SUCCESS;
}

int MPI_Pcontrol(const int level, ...) {
    mgen_called(__func__);
    (void)level;
    return MPI_SUCCESS;
}

int MPI_Alloc_mem(MPI_Aint bytes, MPI_Info info, void *memory) {
    mgen_called(__func__);
    (void)info;
    *(void **)memory = mgen_memory((size_t)bytes);
    return MPI_SUCCESS;
}

int MPI_Free_mem(void *memory) {
    mgen_called(__func__);
    free(memory);
    return MPI_SUCCESS;
}

/* Wrong calls end the simulation with a message, whatever handler a program sets. A handler is
 * called where the program asks for that. */
enum { FIRST_HANDLER = 16 };

struct handler {
    MPI_Comm_errhandler_function *function;
};

int MPI_Comm_create_errhandler(MPI_Comm_errhandler_function *function, MPI_Errhandler *handler) {
    mgen_called(__func__);
    struct handler *made = mgen_memory(sizeof *made);
    made->function = function;
    *handler = FIRST_HANDLER + mgen_table_add(&mgen_mpi()->handlers, made);
    return MPI_SUCCESS;
}

int MPI_Errhandler_create(MPI_Comm_errhandler_function *function, MPI_Errhandler *handler) {
    mgen_called(__func__);
    return MPI_Comm_create_errhandler(function, handler);
}

/* A communicator may still have it, so it stays known. */
int MPI_Errhandler_free(MPI_Errhandler *handler) {
    *handler = MPI_ERRHANDLER_NULL;
    return MPI_SUCCESS;
}

int MPI_Comm_set_errhandler(MPI_Comm comm, MPI_Errhandler handler) {
    mgen_comm_of(__func__, comm)->handler = handler;
    return MPI_SUCCESS;
}

int MPI_Comm_get_errhandler(MPI_Comm comm, MPI_Errhandler *handler) {
    *handler = mgen_comm_of(__func__, comm)->handler;
    return MPI_SUCCESS;
}

int MPI_Errhandler_set(MPI_Comm comm, MPI_Errhandler handler) {
    mgen_called(__func__);
    return MPI_Comm_set_errhandler(comm, handler);
}

int MPI_Errhandler_get(MPI_Comm comm, MPI_Errhandler *handler) {
    mgen_called(__func__);
    return MPI_Comm_get_errhandler(comm, handler);
}

int mgen_call_handler(const char *call, MPI_Errhandler handler, int object, int code) {
    struct handler *known = mgen_table_get(&mgen_mpi()->handlers, handler - FIRST_HANDLER);
    if (known != NULL) {
        known->function(&object, &code);
    } else if (handler != MPI_ERRORS_RETURN) {
        char text[MPI_MAX_ERROR_STRING];
        int length = 0;
        MPI_Error_string(code, text, &length);
        mgen_fails(call, text);
    }
    return MPI_SUCCESS;
}

int mgen_failed(const char *call, MPI_Errhandler handler, int object, int code) {
    mgen_call_handler(call, handler, object, code);
    return handler < FIRST_HANDLER ? code : MPI_SUCCESS;
}

int MPI_Comm_call_errhandler(MPI_Comm comm, int code) {
    return mgen_call_handler(__func__, mgen_comm_of(__func__, comm)->handler, comm, code);
}

/* Classes and codes of a program come behind those of MPI. */
enum { FIRST_CODE = MPI_ERR_RMA_FLAVOR + 1 };

struct error {
    int class;
    char *text;
};

static struct error *added(int code) {
    return mgen_table_get(&mgen_mpi()->error_texts, code - FIRST_CODE);
}

int MPI_Add_error_code(int class, int *code) {
    struct error *made = mgen_memory(sizeof *made);
    *made = (struct error){class, NULL};
    *code = FIRST_CODE + mgen_table_add(&mgen_mpi()->error_texts, made);
    return MPI_SUCCESS;
}

int MPI_Add_error_class(int *class) {
    MPI_Add_error_code(0, class);
    added(*class)->class = *class;
    return MPI_SUCCESS;
}

int MPI_Add_error_string(int code, const char *text) {
    struct error *known = added(code);
    if (known == NULL) {
        return mgen_fails(__func__, "the program has added no such code");
    }
    free(known->text);
    known->text = mgen_memory(strlen(text) + 1);
    strcpy(known->text, text);
    return MPI_SUCCESS;
}

int MPI_Error_class(int code, int *class) {
    struct error *known = added(code);
    *class = known != NULL ? known->class : code;
    return MPI_SUCCESS;
}

int MPI_Error_string(int code, char *text, int *length) {
    struct error *known = added(code);
    if (known != NULL) {
        *length =
            snprintf(text, MPI_MAX_ERROR_STRING, "%s", known->text != NULL ? known->text : "");
    } else if (mgen_error_text(code) != NULL) {
        *length = snprintf(text, MPI_MAX_ERROR_STRING, "%s", mgen_error_text(code));
    } else {
        *length = snprintf(text, MPI_MAX_ERROR_STRING, "error %d", code);
    }
    return MPI_SUCCESS;
}
