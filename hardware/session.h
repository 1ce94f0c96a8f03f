/* One measurement in progress, and how its ranks agree. */
#ifndef WEFT_SESSION_H
#define WEFT_SESSION_H

#include "options.h"
#include "samples.h"
#include <mpi.h>
#include <stdio.h>

enum exit_code { EXIT_OK = 0, EXIT_BROKEN = 1, EXIT_USAGE = 2 };

/* Ranks other than 0 hold no `file`. */
struct session {
    struct options options;
    int rank;
    int ranks;
    double begun_s; /* by the clock of this rank */
    FILE *file;
    const char *one_sided;   /* "available", "unavailable" or "unused" */
    struct samples *samples; /* of the size that is measured now */
};

/* Prints to standard error, by rank 0. */
void weft_complain(const struct session *session, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* MPI's constant of a level. */
int weft_thread_constant(enum thread_level level);

/* True on all ranks if `ok` is true on all ranks. */
int weft_all_agree(int ok);

#endif
