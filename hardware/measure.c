/* What the runners share: set-up, the sampling loop, and publishing the output. */
#define _GNU_SOURCE
#include "measure.h"
#include "header.h"
#include "processor.h"
#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { TEXT_SIZE = 512, FINALIZE_S = 10 };
/* How long a rank that failed waits for the others before it ends them. */
static const double FAILING_S = 3.0;

static void temporary_name(const struct session *session, char *name, size_t size) {
    snprintf(name, size, "%s.tmp", session->options.output);
}

int weft_session_begin(struct session *session, int argc, char **argv) {
    char error[TEXT_SIZE] = {0};
    int provided = 0;
    *session = (struct session){.one_sided = "unused", .samples.current = -1};
    /* The level that programs need whose first thread alone calls MPI. */
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &session->rank);
    MPI_Comm_size(MPI_COMM_WORLD, &session->ranks);
    if (weft_options_parse(argc, argv, &session->options, error, sizeof error) != 0) {
        weft_complain(session, "%s", error);
        return EXIT_USAGE;
    }
    alarm(session->options.deadline_s);
    return EXIT_OK;
}

int weft_session_open(struct session *session) {
    char name[PATH_MAX];
    temporary_name(session, name, sizeof name);
    if (session->rank == 0) {
        session->file = fopen(name, "w");
        if (session->file == NULL) {
            weft_complain(session, "%s: %s", name, strerror(errno));
        }
    }
    if (!weft_all_agree(session->rank != 0 || session->file != NULL)) {
        return EXIT_BROKEN;
    }
    weft_write_header(session);
    return EXIT_OK;
}

/* The largest code of all ranks. A rank that failed does not wait for the others for ever, because
 * they may wait for its messages. */
static int common_code(int code) {
    int largest = 0;
    int done = 0;
    MPI_Request request;
    MPI_Iallreduce(&code, &largest, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD, &request);
    if (code == EXIT_OK) {
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        return largest;
    }
    for (double start = MPI_Wtime(); !done && MPI_Wtime() - start < FAILING_S;) {
        MPI_Test(&request, &done, MPI_STATUS_IGNORE);
    }
    if (!done) {
        MPI_Abort(MPI_COMM_WORLD, code);
    }
    return largest;
}

/* Runs the program `count` times from repetition `first` on. Repetitions below 0 are not kept. */
static int repeat(struct session *session, char **words, int word_count, int first, int count,
                  repetition once) {
    int code = EXIT_OK;
    for (int i = 0; i < count && code == EXIT_OK; i++) {
        session->samples.current = first < 0 ? -1 : first + i;
        /* getopt begins again, as in a new process. */
        optind = 0;
        opterr = 1;
        long losses = weft_processor_losses();
        int own = once(session, word_count, words);
        if (weft_processor_losses() != losses) {
            weft_samples_disturbed(&session->samples);
        }
        /* The code that a shell would see, but no failure may look like success. */
        code = common_code(own == 0 || own & 0xff ? own & 0xff : EXIT_BROKEN);
    }
    return code;
}

/* The number of repetitions that fits the budget, judged by the warm-up; equal on all ranks. */
static int affordable(const struct options *options, double each) {
    int count = options->repetitions;
    if (each * count > options->budget_s) {
        count = (int)(options->budget_s / each);
    }
    if (count < options->min_repetitions) {
        count = options->min_repetitions;
    }
    MPI_Bcast(&count, 1, MPI_INT, 0, MPI_COMM_WORLD);
    return count;
}

/* Makes at least one unrecorded repetition, until the budget is spent. Returns the time of one, by
 * rank 0. */
static int warm_up(struct session *session, char **words, int word_count, repetition once,
                   double *each) {
    const struct options *options = &session->options;
    int code = EXIT_OK;
    int is_enough = 0;
    MPI_Barrier(MPI_COMM_WORLD);
    double start = MPI_Wtime();
    for (int done = 0; code == EXIT_OK && !is_enough;) {
        code = repeat(session, words, word_count, -1, 1, once);
        done++;
        *each = (MPI_Wtime() - start) / done;
        is_enough = done >= options->warmup || *each * done > options->budget_s;
        MPI_Bcast(&is_enough, 1, MPI_INT, 0, MPI_COMM_WORLD);
    }
    return code;
}

static int measure_size(struct session *session, char **words, int word_count, int bytes,
                        repetition once) {
    double each = 0.0;
    int code = warm_up(session, words, word_count, once, &each);
    if (code != EXIT_OK) {
        return code;
    }
    int count = affordable(&session->options, each);
    weft_samples_begin(&session->samples, count);
    double start = MPI_Wtime();
    double waited = weft_processor_waited_s();
    code = repeat(session, words, word_count, 0, count, once);
    session->samples.current = -1;
    if (code == EXIT_OK) {
        weft_write_waiting(session, bytes, MPI_Wtime() - start, weft_processor_waited_s() - waited);
    }
    if (code == EXIT_OK && weft_samples_write(&session->samples, bytes, session->file) != 0) {
        weft_complain(session, "no memory for the samples, or more than %d metrics", METRICS_MAX);
        code = EXIT_BROKEN;
    }
    return code;
}

int weft_session_measure(struct session *session, const char *name, repetition once) {
    int sizes = session->options.size_count;
    int code = EXIT_OK;
    for (int i = 0; i < (sizes > 0 ? sizes : 1) && code == EXIT_OK; i++) {
        int word_count = 0;
        int bytes = sizes > 0 ? session->options.sizes[i] : -1;
        char **words = weft_options_words(&session->options, name, bytes, &word_count);
        if (!weft_all_agree(words != NULL)) {
            weft_complain(session, "no memory for the arguments");
            return EXIT_BROKEN;
        }
        code = measure_size(session, words, word_count, bytes, once);
        weft_options_free_words(words);
    }
    return code;
}

/* Writes the output to the disk and gives it its name. */
static int publish(struct session *session) {
    char name[PATH_MAX];
    temporary_name(session, name, sizeof name);
    int broken = fflush(session->file) != 0 || fsync(fileno(session->file)) != 0;
    broken |= fclose(session->file) != 0;
    session->file = NULL;
    if (broken || rename(name, session->options.output) != 0) {
        weft_complain(session, "%s: %s", name, strerror(errno));
        return EXIT_BROKEN;
    }
    return EXIT_OK;
}

/* All ranks come here together and end in order, because an abort would lose what was printed last.
 * MPI_Finalize of MPICH over UCX and TCP sometimes does not return: then the alarm ends the
 * program, whose output is already published. */
int weft_session_end(struct session *session, int code) {
    if (code == EXIT_OK) {
        weft_write_usage(session);
        code = session->rank == 0 ? publish(session) : EXIT_OK;
        MPI_Bcast(&code, 1, MPI_INT, 0, MPI_COMM_WORLD);
    }
    if (code != EXIT_OK && session->file != NULL) {
        char name[PATH_MAX];
        temporary_name(session, name, sizeof name);
        remove(name);
    }
    alarm(FINALIZE_S);
    weft_samples_free(&session->samples);
    free(session->options.sizes);
    MPI_Finalize();
    return code;
}
