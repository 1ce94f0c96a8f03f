/* Calls about several requests: Fortran counts them from 1, and has an array of statuses. */
#include "fortran.h"

static void count_from_one(int *indices, int count) {
    for (int i = 0; i < count; i++) {
        if (indices[i] != MPI_UNDEFINED) {
            indices[i]++;
        }
    }
}

void mpi_waitall_(const int *count, int *requests, int *statuses, int *error) {
    MPI_Status *own = mgen_fortran_statuses(*count, statuses);
    int code = MPI_Waitall(*count, requests, own);
    mgen_fortran_statuses_end(own, *count, statuses);
    mgen_fortran_error(code, error);
}

void mpi_testall_(const int *count, int *requests, int *flag, int *statuses, int *error) {
    MPI_Status *own = mgen_fortran_statuses(*count, statuses);
    int code = MPI_Testall(*count, requests, flag, own);
    mgen_fortran_statuses_end(own, *count, statuses);
    mgen_fortran_error(code, error);
}

void mpi_waitany_(const int *count, int *requests, int *index, int *status, int *error) {
    MPI_Status own, *used = mgen_fortran_status(&own, status);
    int code = MPI_Waitany(*count, requests, index, used);
    count_from_one(index, 1);
    mgen_fortran_status_end(used, status);
    mgen_fortran_error(code, error);
}

void mpi_testany_(const int *count, int *requests, int *index, int *flag, int *status, int *error) {
    MPI_Status own, *used = mgen_fortran_status(&own, status);
    int code = MPI_Testany(*count, requests, index, flag, used);
    count_from_one(index, 1);
    mgen_fortran_status_end(used, status);
    mgen_fortran_error(code, error);
}

void mpi_waitsome_(const int *count, int *requests, int *done, int *indices, int *statuses,
                   int *error) {
    MPI_Status *own = mgen_fortran_statuses(*count, statuses);
    int code = MPI_Waitsome(*count, requests, done, indices, own);
    count_from_one(indices, *done == MPI_UNDEFINED ? 0 : *done);
    mgen_fortran_statuses_end(own, *count, statuses);
    mgen_fortran_error(code, error);
}

void mpi_testsome_(const int *count, int *requests, int *done, int *indices, int *statuses,
                   int *error) {
    MPI_Status *own = mgen_fortran_statuses(*count, statuses);
    int code = MPI_Testsome(*count, requests, done, indices, own);
    count_from_one(indices, *done == MPI_UNDEFINED ? 0 : *done);
    mgen_fortran_statuses_end(own, *count, statuses);
    mgen_fortran_error(code, error);
}
