/* Runs a program of MGEN in SMPI: every rank calls MGEN_Main once, all at the same time. */
#include "collective.h"
#include "over_mpi.h"
#include "session.h"
#include "words.h"
#include <simgrid/actor.h>
#include <string.h>

/* As over MPI. But computing is time that passes, because no clock goes on while a rank looks, and
 * time begins with the program. */
#define MGEN_Comp mgen_spin
#define MGEN_Wtime mgen_clock
#include "mgen_messages.c"
#undef MGEN_Comp
#undef MGEN_Wtime

static struct words words;

double MGEN_Wtime(void) {
    return MPI_Wtime() - words.start_s;
}

void MGEN_Comp(double seconds) {
    sg_actor_sleep_for(seconds);
}

enum { SAMPLES_MAX = 64 };

static struct {
    char metric[METRIC_SIZE];
    double seconds;
} samples[SAMPLES_MAX];
static int sample_count;

const char *mgen_algorithm(const char *collective) {
    size_t length = strlen(collective);
    for (int i = 0; i < words.algorithm_count; i++) {
        const char *own = words.algorithms[i];
        if (strncmp(own, collective, length) == 0 && own[length] == '=') {
            return own + length + 1;
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

static void write_times(double program_s) {
    int ok = weft_write_time(&words, "program_time_s", program_s);
    for (int i = 0; i < sample_count; i++) {
        ok = ok && weft_write_time(&words, samples[i].metric, samples[i].seconds);
    }
    if (!ok) {
        mgen_fail("cannot write the times");
    }
}

/* SMPI sends messages for the communicator of collectives, which is no part of the program. */
static void begin_together(void) {
    mgen_collective_group(MPI_COMM_WORLD);
    if (MPI_Wtime() > words.start_s) {
        mgen_fail("the ranks were not ready when the program was to start");
    }
    sg_actor_sleep_for(words.start_s - MPI_Wtime());
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    if (!weft_read_words(&words, argc, argv)) {
        mgen_fail("there is no file of words");
    }
    begin_together();
    int code = MGEN_Main(words.argument_count, words.arguments);
    double end_s = MGEN_Wtime();
    if (code == 0) {
        write_times(end_s);
    } else {
        MPI_Abort(MPI_COMM_WORLD, code);
    }
    MPI_Finalize();
    return code;
}
