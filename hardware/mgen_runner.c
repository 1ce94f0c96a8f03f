/* Runs a program of MGEN over MPI: one call of MGEN_Main is one repetition. */
#include "measure.h"
#include "over_mpi.h"
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

void MGEN_Sample(const char *metric, double seconds) {
    if (weft_samples_add(&session.samples, metric, seconds) != 0) {
        fprintf(stderr,
                "MGEN_Sample: '%s' cannot name a metric: a name ends with _s and has at most %d "
                "letters, and there are at most %d\n",
                metric, METRIC_SIZE - 1, METRICS_MAX);
        MPI_Abort(MPI_COMM_WORLD, EXIT_BROKEN);
    }
}

static int once(struct session *own, int argc, char **argv) {
    MPI_Barrier(MPI_COMM_WORLD);
    double start = MPI_Wtime();
    int code = MGEN_Main(argc, argv);
    weft_samples_add(&own->samples, "program_time_s", MPI_Wtime() - start);
    mgen_puts_settle();
    return code;
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
    }
    mgen_puts_end();
    return weft_session_end(&session, code);
}
