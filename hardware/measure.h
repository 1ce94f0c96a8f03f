/* What the runners share: set-up, measuring, and publishing the output. */
#ifndef WEFT_MEASURE_H
#define WEFT_MEASURE_H

#include "session.h"

/* Runs the program once with this argv and returns its exit code. */
typedef int (*repetition)(struct session *session, int argc, char **argv);

/* Starts MPI and reads the options. Returns EXIT_OK, or the code for weft_session_end. */
int weft_session_begin(struct session *session, int argc, char **argv);

/* Opens the output and writes its header. Returns like weft_session_begin. */
int weft_session_open(struct session *session);

/* Warms up, samples and writes every size. Returns the program's exit code, equal on all ranks. */
int weft_session_measure(struct session *session, const char *name, repetition once);

/* Publishes the output under its name if `code` is EXIT_OK, and ends MPI. Returns the exit code. */
int weft_session_end(struct session *session, int code);

#endif
