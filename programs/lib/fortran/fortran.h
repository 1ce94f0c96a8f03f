/* Calls from Fortran. All arguments are addresses; a text has its length behind all arguments. The
 * build makes most of these functions from the headers of C (simulators/ranks/bindings/fortran.rs);
 * this folder has those that differ by more than that.
 *
 * Some compilers leave out the last argument, `error`, of mpi_f08; its address is NULL then. */
#ifndef MGEN_FORTRAN_H
#define MGEN_FORTRAN_H

#include "mpi.h"

/* Constants that are addresses. Fortran sees each as a common block; nobody writes them. */
#define STATUS_INTEGERS ((int)(sizeof(MPI_Status) / sizeof(MPI_Fint)))
extern const MPI_Fint mgen_bottom_, mgen_in_place_, mgen_unweighted_, mgen_weights_empty_;
extern const MPI_Fint mgen_status_ignore_[], mgen_statuses_ignore_[];

/* A buffer, which may be MPI_BOTTOM or MPI_IN_PLACE. */
static inline void *mgen_fortran_buffer(void *buffer) {
    if (buffer == &mgen_in_place_) {
        return MPI_IN_PLACE;
    }
    return buffer == &mgen_bottom_ ? MPI_BOTTOM : buffer;
}

/* Weights of edges, which may be MPI_UNWEIGHTED or MPI_WEIGHTS_EMPTY. */
static inline int *mgen_fortran_weights(int *weights) {
    if (weights == &mgen_unweighted_) {
        return MPI_UNWEIGHTED;
    }
    return weights == &mgen_weights_empty_ ? MPI_WEIGHTS_EMPTY : weights;
}

/* A status of C for one of Fortran, which may lie anywhere. */
static inline MPI_Status *mgen_fortran_status(MPI_Status *own, const int *status) {
    if (status == mgen_status_ignore_ || status == mgen_statuses_ignore_) {
        return MPI_STATUS_IGNORE;
    }
    memcpy(own, status, sizeof *own);
    return own;
}

static inline void mgen_fortran_status_end(const MPI_Status *own, int *status) {
    if (own != MPI_STATUS_IGNORE) {
        memcpy(status, own, sizeof *own);
    }
}

/* Several of them; `end` frees them. */
MPI_Status *mgen_fortran_statuses(int count, const int *statuses);
void mgen_fortran_statuses_end(MPI_Status *own, int count, int *statuses);

/* A text of Fortran as one of C, without blanks at its ends, in memory that holds what any call
 * writes. `fill` writes it back with blanks behind it. Both end with `free`. */
char *mgen_fortran_text(const char *text, size_t length);
void mgen_fortran_fill(char *own, char *text, size_t length);

static inline void mgen_fortran_error(int code, int *error) {
    if (error != NULL) {
        *error = code;
    }
}

/* Writes what the runtime library of Fortran still holds. */
void mgen_fortran_flush(void);

#endif
