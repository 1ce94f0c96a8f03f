/* Runs a program of MGEN over MPI: one call of MGEN_Main is one repetition. */
#include "measure.h"
#include "over_mpi.h"
#include "recorder.h"
#include <limits.h>
#include <malloc.h>
#include <string.h>

static struct session session;

const char *mgen_algorithm(const char *collective) {
    size_t length = strlen(collective);
    for (int i = 0; i < session.options.algorithm_count; i++) {
        const char *asked = session.options.algorithms[i];
        if (strncmp(asked, collective, length) == 0 && asked[length] == '=') {
            return asked + length + 1;
        }
    }
    return "library";
}

/* What rules have chosen on this rank; beyond the last place nothing is kept. */
enum { CHOSEN_MAX = 64 };
static struct {
    const char *collective;
    char algorithm[64];
    int ranks;
    size_t least;
    size_t most;
} found[CHOSEN_MAX];
static int found_count;

void mgen_chosen(const char *collective, const char *algorithm, size_t bytes, int ranks) {
    int i = 0;
    while (i < found_count && (found[i].collective != collective || found[i].ranks != ranks ||
                               strcmp(found[i].algorithm, algorithm) != 0)) {
        i++;
    }
    if (i == CHOSEN_MAX) {
        return;
    }
    if (i == found_count) {
        found_count++;
        found[i].collective = collective;
        snprintf(found[i].algorithm, sizeof found[i].algorithm, "%s", algorithm);
        found[i].ranks = ranks;
        found[i].least = found[i].most = bytes;
    }
    found[i].least = bytes < found[i].least ? bytes : found[i].least;
    found[i].most = bytes > found[i].most ? bytes : found[i].most;
}

/* In the words of the simulators' log. */
static void write_chosen(void) {
    if (session.rank != 0 || session.file == NULL || found_count == 0) {
        return;
    }
    fprintf(session.file, "# chosen_algorithms=");
    for (int i = 0; i < found_count; i++) {
        fprintf(session.file, "%s%s of %d ranks, %zu", i > 0 ? "; " : "", found[i].collective,
                found[i].ranks, found[i].least);
        if (found[i].most > found[i].least) {
            fprintf(session.file, " to %zu", found[i].most);
        }
        fprintf(session.file, " B: %s", found[i].algorithm);
    }
    fprintf(session.file, "\n");
}

/* Whether this rank has reported a time that no metric can hold. The repetition ends all the same:
 * an abort would lose the message. */
static int is_refused;

void MGEN_Sample(const char *metric, double seconds) {
    if (is_refused) {
        return;
    }
    if (strcmp(metric, PROGRAM_TIME) == 0) {
        is_refused = 1;
        fprintf(stderr,
                "rank %d: MGEN_Sample: weft measures %s itself; give this time another name\n",
                session.rank, metric);
    } else if (weft_samples_add(session.samples, metric, seconds) != 0) {
        is_refused = 1;
        fprintf(
            stderr,
            "rank %d: MGEN_Sample: '%s' cannot name a metric: a name ends with _s and has at most "
            "%d letters, and there are at most %d\n",
            session.rank, metric, METRIC_SIZE - 1, METRICS_MAX);
    }
}

static int once(struct session *own, int argc, char **argv) {
    int is_kept = own->samples->current >= 0;
    MPI_Barrier(MPI_COMM_WORLD);
    if (is_kept) {
        weft_recorder_begin();
    }
    double start = MPI_Wtime();
    int code = MGEN_Main(argc, argv);
    double end = MPI_Wtime();
    if (is_kept) {
        weft_recorder_end();
    }
    weft_samples_add(own->samples, PROGRAM_TIME, end - start);
    mgen_puts_settle();
    return is_refused ? EXIT_BROKEN : code;
}

/* Memory that one repetition frees is reused by the next one, so that its pages are mapped and the
 * network knows them. */
static void keep_memory(void) {
#ifdef __GLIBC__
    mallopt(M_MMAP_MAX, 0);
    mallopt(M_TRIM_THRESHOLD, INT_MAX);
#endif
}

int main(int argc, char **argv) {
    keep_memory();
    int code = weft_session_begin(&session, argc, argv);
    if (code == EXIT_OK && session.options.one_sided) {
        int is_available = mgen_puts_begin((size_t)session.options.largest);
        session.one_sided = is_available ? "available" : "unavailable";
    }
    if (code == EXIT_OK) {
        code = weft_session_open(&session);
    }
    if (code == EXIT_OK) {
        code = weft_session_measure(&session, argv[0], once);
        write_chosen();
    }
    mgen_puts_end();
    return weft_session_end(&session, code);
}
