/* Runs a program of MGEN in SMPI: every rank calls MGEN_Main once, all at the same time.
 *
 * The only argument names a file of lines, each a word and a text:
 *
 *   start SECONDS      when they do
 *   times FILE         receives a line `METRIC SECONDS` for each time of each rank
 *   algorithm C=NAME   how the collective C works
 *   argument TEXT      of the program, its name first
 */
#include "collective.h"
#include "over_mpi.h"
#include "session.h"
#include <simgrid/actor.h>
#include <stdlib.h>
#include <string.h>

/* As over MPI. But computing is time that passes, because no clock goes on while a rank looks, and
 * time begins with the program. */
#define MGEN_Comp mgen_spin
#define MGEN_Wtime mgen_clock
#include "mgen_messages.c"
#undef MGEN_Comp
#undef MGEN_Wtime

static double start_s;

double MGEN_Wtime(void) {
    return MPI_Wtime() - start_s;
}

void MGEN_Comp(double seconds) {
    sg_actor_sleep_for(seconds);
}

enum { WORDS_MAX = 4096, SAMPLES_MAX = 64 };

static char *algorithms[ALGORITHMS_MAX];
static int algorithm_count;
static struct {
    char metric[METRIC_SIZE];
    double seconds;
} samples[SAMPLES_MAX];
static int sample_count;

const char *mgen_algorithm(const char *collective) {
    size_t length = strlen(collective);
    for (int i = 0; i < algorithm_count; i++) {
        if (strncmp(algorithms[i], collective, length) == 0 && algorithms[i][length] == '=') {
            return algorithms[i] + length + 1;
        }
    }
    return "library";
}

void mgen_chosen(const char *collective, const char *algorithm, size_t bytes, int ranks) {
    (void)collective;
    (void)algorithm;
    (void)bytes;
    (void)ranks;
}

void MGEN_Sample(const char *metric, double seconds) {
    if (sample_count == SAMPLES_MAX || strlen(metric) >= METRIC_SIZE) {
        mgen_fail("MGEN_Sample has too many metrics, or one of too long a name");
    }
    snprintf(samples[sample_count].metric, METRIC_SIZE, "%s", metric);
    samples[sample_count++].seconds = seconds;
}

/* One-sided calls: SMPI has no counters that a rank could poll in no time. */
static void one_sided(void) {
    mgen_fail("smpi has no one-sided calls: use flow, packet or rdma");
}

int MGEN_rdma_available(void) {
    return 0;
}

int MGEN_rdma_expose(void *memory, size_t bytes) {
    (void)memory;
    (void)bytes;
    one_sided();
    return 1;
}

MGEN_acp_handle MGEN_rdma_put(int dest, int size, int tag) {
    (void)dest;
    (void)size;
    (void)tag;
    one_sided();
    return 0;
}

MGEN_acp_handle MGEN_rdma_get(int source, int size, int tag) {
    return MGEN_rdma_put(source, size, tag);
}

MGEN_acp_handle MGEN_rdma_put_data(int dest, const void *data, int size, size_t offset, int tag) {
    (void)data;
    (void)offset;
    return MGEN_rdma_put(dest, size, tag);
}

MGEN_acp_handle MGEN_rdma_get_data(int source, void *data, int size, size_t offset, int tag) {
    (void)data;
    (void)offset;
    return MGEN_rdma_put(source, size, tag);
}

void MGEN_rdma_poll(int tag) {
    (void)tag;
    one_sided();
}

void MGEN_rdma_complete(MGEN_acp_handle handle) {
    (void)handle;
    one_sided();
}

void mgen_notify(void) {
}

/* Appends the times of this rank; ranks are of one process, so that no line mixes with another. */
static void write_times(const char *name, double program_s) {
    FILE *file = fopen(name, "a");
    if (file == NULL) {
        mgen_fail("cannot write the times");
    }
    fprintf(file, "program_time_s %.17g\n", program_s);
    for (int i = 0; i < sample_count; i++) {
        fprintf(file, "%s %.17g\n", samples[i].metric, samples[i].seconds);
    }
    fclose(file);
}

/* SMPI sends messages for the communicator of collectives, which is no part of the program. */
static void begin_together(void) {
    mgen_collective_comm(MPI_COMM_WORLD);
    if (MPI_Wtime() > start_s) {
        mgen_fail("the ranks were not ready when the program was to start");
    }
    sg_actor_sleep_for(start_s - MPI_Wtime());
}

int main(int argc, char **argv) {
    static char *words[WORDS_MAX];
    int word_count = 0;
    char *times = NULL;
    MPI_Init(&argc, &argv);
    FILE *file = argc == 2 ? fopen(argv[1], "r") : NULL;
    if (file == NULL) {
        mgen_fail("there is no file of words");
    }
    size_t room = 0;
    for (char *line = NULL; getline(&line, &room, file) > 0; line = NULL, room = 0) {
        line[strcspn(line, "\n")] = '\0';
        char *text = strchr(line, ' ');
        text = text != NULL ? text + 1 : line + strlen(line);
        if (strncmp(line, "times ", 6) == 0) {
            times = text;
        } else if (strncmp(line, "start ", 6) == 0) {
            start_s = strtod(text, NULL);
        } else if (strncmp(line, "algorithm ", 10) == 0 && algorithm_count < ALGORITHMS_MAX) {
            algorithms[algorithm_count++] = text;
        } else if (strncmp(line, "argument ", 9) == 0 && word_count < WORDS_MAX - 1) {
            words[word_count++] = text;
        }
    }
    fclose(file);
    begin_together();
    int code = MGEN_Main(word_count, words);
    double end_s = MGEN_Wtime();
    if (code == 0) {
        write_times(times, end_s);
    } else {
        MPI_Abort(MPI_COMM_WORLD, code);
    }
    MPI_Finalize();
    return code;
}
