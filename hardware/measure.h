/* What the measuring programs share: options, the header of the output and the sampling loop. */
#ifndef WEFT_MEASURE_H
#define WEFT_MEASURE_H

#include <mpi.h>
#include <stdio.h>

enum exit_code { EXIT_OK = 0, EXIT_BROKEN = 1, EXIT_USAGE = 2 };

struct options {
    const char *output;  /* file that receives the samples */
    int repetitions;     /* samples per size, unless the budget is spent before */
    int min_repetitions; /* samples per size, even if that overspends the budget */
    int warmup;          /* unrecorded repetitions per size */
    double budget_s;     /* time to spend per metric and size */
    unsigned deadline_s; /* the program ends itself after so long; 0 is never */
    int *sizes;          /* message sizes in bytes, in the order to measure */
    int size_count;
    int largest;
};

/* One measuring program in progress; ranks other than 0 hold no `file`. */
struct session {
    struct options options;
    int rank;
    int ranks;
    char *send; /* rank-private buffers of the size that `session_begin` was asked for */
    char *receive;
    double *samples; /* `options.repetitions` values */
    FILE *file;
    MPI_Win window; /* over `receive`; MPI_WIN_NULL where MPI offers none */
};

/* Time one repetition; ranks that do not time it return 0. A sample is the largest of all ranks. */
typedef double (*repetition)(const struct session *session, int bytes);

/* Starts MPI, reads the options, allocates one block of the largest size per rank and
 * writes the header; `ranks_wanted` 0 takes any number from 2. Returns EXIT_OK, or what main shall
 * hand to session_abandon. */
int session_begin(struct session *session, int argc, char **argv, int ranks_wanted);

/* Warms up, samples and writes one metric at one size. */
void session_measure(struct session *session, const char *metric, int bytes, repetition once);

/* Publishes the output under its name and ends MPI. Returns the exit code. */
int session_end(struct session *session);

/* Ends every rank with `code`; what was written so far is not published. */
int session_abandon(struct session *session, int code);

#endif
