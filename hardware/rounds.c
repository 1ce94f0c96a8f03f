/* Measures every size in several rounds, so that all of them see the same states of a machine that
 * drifts. */
#include "header.h"
#include "jumps.h"
#include "measure.h"
#include "processor.h"
#include <getopt.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A round begins with so many repetitions that are not kept, or with a share of those that are:
 * they bring the data of the size into the caches again. */
enum { WARM_AGAIN = 3, WARM_SHARE = 10 };
/* The share of the program's time limit for its turns; the rest is for its end. */
static const double SHARE = 0.8;
/* How many sizes may be added to those that are asked for. */
enum { ADDED_MAX = 64 };
/* How long a rank that failed waits for the others before it ends them. */
static const double FAILING_S = 3.0;

/* One size, and what is measured of it. */
struct series {
    int bytes;
    char **words;
    int word_count;
    int count; /* repetitions in all rounds */
    int is_measured;
    double elapsed_s;
    double waited_s;
    struct samples samples;
};

struct plan {
    const char *name;
    repetition once;
    struct series *series;
    int count;
};

/* Up to when rank 0 may measure in a turn. A size takes many times longer on a busy machine: each
 * turn has an equal part of the time limit, and what earlier ones left. Never, without a limit. */
static double end_of_turn(const struct session *session, int turn, int turns) {
    double limit_s = session->options.deadline_s;
    return limit_s > 0 ? session->begun_s + SHARE * limit_s * (turn + 1) / turns : HUGE_VAL;
}

/* In how many turns all sizes so far are measured. */
static int turns(const struct session *session, const struct plan *plan) {
    return session->options.rounds * plan->count;
}

/* The largest code of all ranks, and whether rank 0 finds that the turn is over. A rank that failed
 * does not wait for the others for ever, because they may wait for its messages. */
static int common_code(int code, int *is_over) {
    int own[2] = {code, *is_over};
    int largest[2] = {0, 0};
    int done = 0;
    MPI_Request request;
    MPI_Iallreduce(own, largest, 2, MPI_INT, MPI_MAX, MPI_COMM_WORLD, &request);
    if (code == EXIT_OK) {
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        *is_over = largest[1];
        return largest[0];
    }
    for (double start = MPI_Wtime(); !done && MPI_Wtime() - start < FAILING_S;) {
        MPI_Test(&request, &done, MPI_STATUS_IGNORE);
    }
    if (!done) {
        MPI_Abort(MPI_COMM_WORLD, code);
    }
    return largest[0];
}

/* Runs the program `count` times from repetition `first` on, and at least once, until `end_s`.
 * Repetitions below 0 are not kept. */
static int repeat(struct session *session, const struct series *series, int first, int count,
                  double end_s, repetition once) {
    int code = EXIT_OK;
    int is_over = 0;
    for (int i = 0; i < count && code == EXIT_OK && !is_over; i++) {
        session->samples->current = first < 0 ? -1 : first + i;
        /* getopt begins again, as in a new process. */
        optind = 0;
        opterr = 1;
        long losses = weft_processor_losses();
        int own = once(session, series->word_count, series->words);
        if (weft_processor_losses() != losses) {
            weft_samples_disturbed(session->samples);
        }
        /* The code that a shell would see, but no failure may look like success. */
        is_over = session->rank == 0 && MPI_Wtime() > end_s;
        code = common_code(own == 0 || own & 0xff ? own & 0xff : EXIT_BROKEN, &is_over);
    }
    session->samples->current = -1;
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

/* Makes at least one unrecorded repetition, until the budget is spent or the turn is over. Rank 0
 * judges by these how many repetitions there will be. */
static int warm_up(struct session *session, struct series *series, double end_s, repetition once) {
    const struct options *options = &session->options;
    int code = EXIT_OK;
    int is_enough = 0;
    double each = 0.0;
    MPI_Barrier(MPI_COMM_WORLD);
    double start = MPI_Wtime();
    for (int done = 0; code == EXIT_OK && !is_enough;) {
        code = repeat(session, series, -1, 1, end_s, once);
        done++;
        double now = MPI_Wtime();
        each = (now - start) / done;
        is_enough = done >= options->warmup || each * done > options->budget_s || now > end_s;
        MPI_Bcast(&is_enough, 1, MPI_INT, 0, MPI_COMM_WORLD);
    }
    if (code == EXIT_OK) {
        series->count = affordable(options, each);
        weft_samples_begin(&series->samples, series->count);
    }
    return code;
}

/* The repetitions of one size in one round: an equal part of all. However late it is, each size has
 * one repetition. */
static int measure(struct session *session, struct series *series, int round, double end_s,
                   repetition once) {
    int rounds = session->options.rounds;
    int code = EXIT_OK;
    int is_late = series->is_measured && MPI_Wtime() > end_s;
    MPI_Bcast(&is_late, 1, MPI_INT, 0, MPI_COMM_WORLD);
    if (is_late) {
        return EXIT_OK;
    }
    session->samples = &series->samples;
    if (round == 0) {
        code = warm_up(session, series, end_s, once);
    }
    int first = (int)((long long)series->count * round / rounds);
    int many = (int)((long long)series->count * (round + 1) / rounds) - first;
    int again = many / WARM_SHARE < WARM_AGAIN ? many / WARM_SHARE : WARM_AGAIN;
    if (round > 0 && code == EXIT_OK) {
        code = repeat(session, series, -1, again, end_s, once);
    }
    double start = MPI_Wtime();
    double waited = weft_processor_waited_s();
    if (code == EXIT_OK) {
        code = repeat(session, series, first, many, end_s, once);
    }
    series->is_measured = series->is_measured || many > 0;
    series->elapsed_s += MPI_Wtime() - start;
    series->waited_s += weft_processor_waited_s() - waited;
    return code;
}

/* Adds a size to the plan; below 0 for a program without sizes. */
static int add(struct session *session, struct plan *plan, int bytes) {
    size_t room = ((size_t)plan->count + 1) * sizeof *plan->series;
    struct series *series = realloc(plan->series, room);
    struct series added = {.bytes = bytes, .samples.current = -1};
    if (series != NULL) {
        plan->series = series;
        added.words = weft_options_words(&session->options, plan->name, bytes, &added.word_count);
        plan->series[plan->count] = added;
    }
    if (!weft_all_agree(added.words != NULL)) {
        weft_complain(session, "no memory for the arguments");
        weft_options_free_words(added.words);
        return EXIT_BROKEN;
    }
    plan->count++;
    return EXIT_OK;
}

/* The sizes to measure between those whose time jumps, as rank 0 finds; equal on all ranks. */
static int choose_between(const struct session *session, const struct plan *plan, int *between,
                          int most) {
    int found = 0;
    struct timed *sizes = calloc((size_t)plan->count, sizeof *sizes);
    const struct samples *first = &plan->series[0].samples;
    int metrics = session->rank == 0 && sizes != NULL ? first->count : 0;
    for (int metric = 0; metric < metrics; metric++) {
        /* The time of the whole program jumps where it repeats less. */
        if (metrics > 1 && strcmp(first->names[metric], PROGRAM_TIME) == 0) {
            continue;
        }
        for (int i = 0; i < plan->count; i++) {
            sizes[i].bytes = plan->series[i].bytes;
            sizes[i].time_s = weft_samples_median(&plan->series[i].samples, first->names[metric]);
        }
        found = weft_jumps_between(sizes, plan->count, between, found, most);
    }
    free(sizes);
    MPI_Bcast(&found, 1, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Bcast(between, found, MPI_INT, 0, MPI_COMM_WORLD);
    return found;
}

/* Adds sizes between two whose time jumps, and measures their first round, until each jump lies
 * between two sizes that are near to each other. */
static int locate_jumps(struct session *session, struct plan *plan) {
    int between[ADDED_MAX];
    int asked = plan->count;
    int code = EXIT_OK;
    for (int found = 1; found > 0 && code == EXIT_OK;) {
        found = choose_between(session, plan, between, ADDED_MAX - (plan->count - asked));
        for (int i = 0; i < found && code == EXIT_OK; i++) {
            code = add(session, plan, between[i]);
            if (code == EXIT_OK) {
                double end_s = end_of_turn(session, plan->count - 1, turns(session, plan));
                code = measure(session, &plan->series[plan->count - 1], 0, end_s, plan->once);
            }
        }
    }
    return code;
}

static int measure_all(struct session *session, struct plan *plan) {
    int sizes = session->options.size_count;
    int code = EXIT_OK;
    for (int i = 0; i < (sizes > 0 ? sizes : 1) && code == EXIT_OK; i++) {
        code = add(session, plan, sizes > 0 ? session->options.sizes[i] : -1);
    }
    for (int round = 0; round < session->options.rounds && code == EXIT_OK; round++) {
        for (int i = 0; i < plan->count && code == EXIT_OK; i++) {
            int turn = round * plan->count + i;
            double end_s = end_of_turn(session, turn, turns(session, plan));
            code = measure(session, &plan->series[i], round, end_s, plan->once);
        }
        if (round == 0 && session->options.locate_jumps && code == EXIT_OK) {
            code = locate_jumps(session, plan);
        }
    }
    return code;
}

static int write_all(struct session *session, struct plan *plan) {
    for (int i = 0; i < plan->count; i++) {
        struct series *series = &plan->series[i];
        weft_write_waiting(session, series->bytes, series->elapsed_s, series->waited_s);
        if (weft_samples_write(&series->samples, series->bytes, session->file) != 0) {
            weft_complain(session, "no memory for the samples, or more than %d metrics",
                          METRICS_MAX);
            return EXIT_BROKEN;
        }
    }
    return EXIT_OK;
}

int weft_session_measure(struct session *session, const char *name, repetition once) {
    struct plan plan = {.name = name, .once = once};
    int code = measure_all(session, &plan);
    if (code == EXIT_OK) {
        code = write_all(session, &plan);
    }
    session->samples = NULL;
    for (int i = 0; i < plan.count; i++) {
        weft_options_free_words(plan.series[i].words);
        weft_samples_free(&plan.series[i].samples);
    }
    free(plan.series);
    return code;
}
