/* What the runners share: set-up, the header of the output and the sampling loop. */
#ifndef WEFT_MEASURE_H
#define WEFT_MEASURE_H

#include "options.h"
#include "samples.h"
#include <mpi.h>
#include <stdio.h>

enum exit_code { EXIT_OK = 0, EXIT_BROKEN = 1, EXIT_USAGE = 2 };

/* One measurement in progress; ranks other than 0 hold no `file`. */
struct session {
    struct options options;
    int rank;
    int ranks;
    FILE *file;
    const char *one_sided; /* "available", "unavailable" or "unused" */
    struct samples samples;
};

/* One repetition: runs the program with these words and says its exit code. */
typedef int (*repetition)(struct session *session, int argc, char **argv);

/* Starts MPI and reads the options. Returns EXIT_OK, or what main shall hand to weft_session_end.
 */
int weft_session_begin(struct session *session, int argc, char **argv);

/* Opens the output and writes its header. Returns like weft_session_begin. */
int weft_session_open(struct session *session);

/* Warms up, samples and writes every size. Returns the program's exit code, equal on all ranks. */
int weft_session_measure(struct session *session, const char *name, repetition once);

/* Publishes the output under its name if `code` is EXIT_OK, and ends MPI. Returns the exit code. */
int weft_session_end(struct session *session, int code);

/* Tells on standard error, by rank 0. */
void weft_complain(const struct session *session, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* True on all ranks if `ok` is true on all ranks. */
int weft_all_agree(int ok);

/* The first and the last lines of the output, and one for each size: how long it was measured, and
 * for how much of that the rank that waited most had no processor. */
void weft_write_header(const struct session *session);
void weft_write_waiting(const struct session *session, int bytes, double elapsed_s,
                        double waited_s);
void weft_write_usage(const struct session *session);

#endif
