/* General requests, whose functions have an argument `error` in Fortran. */
#include "fortran.h"
#include "mpi_state.h"

struct general {
    void (*query)(MPI_Aint *extra, MPI_Status *status, int *error);
    void (*end)(MPI_Aint *extra, int *error);
    void (*cancel)(MPI_Aint *extra, int *is_complete, int *error);
    MPI_Aint extra;
};

static int queried(void *extra, MPI_Status *status) {
    struct general *own = extra;
    int error = MPI_SUCCESS;
    own->query(&own->extra, status, &error);
    return error;
}

static int ended(void *extra) {
    struct general *own = extra;
    int error = MPI_SUCCESS;
    own->end(&own->extra, &error);
    free(own);
    return error;
}

static int cancelled(void *extra, int is_complete) {
    struct general *own = extra;
    int error = MPI_SUCCESS;
    own->cancel(&own->extra, &is_complete, &error);
    return error;
}

void mpi_grequest_start_(void *query, void *end, void *cancel, const MPI_Aint *extra, int *request,
                         int *error) {
    struct general *own = mgen_memory(sizeof *own);
    *(void **)&own->query = query;
    *(void **)&own->end = end;
    *(void **)&own->cancel = cancel;
    own->extra = *extra;
    mgen_fortran_error(MPI_Grequest_start(queried, ended, cancelled, own, request), error);
}
