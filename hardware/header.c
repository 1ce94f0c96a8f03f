/* The first and the last lines of the output: where and with what was measured. */
#include "header.h"
#include "places.h"
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

enum { NAME_SIZE = 256, TEXT_SIZE = 1024, CLOCK_PROBES = 1000 };

/* The smallest step by which MPI_Wtime advances, as measured. */
static double clock_step(void) {
    double smallest = 1.0;
    for (int i = 0; i < CLOCK_PROBES; i++) {
        double start = MPI_Wtime();
        double now = start;
        while (now <= start) {
            now = MPI_Wtime();
        }
        smallest = now - start < smallest ? now - start : smallest;
    }
    return smallest;
}

/* Writes "# key.rank=text" for every rank; all ranks take part. */
static void write_of_ranks(const struct session *session, const char *key, const char *text) {
    char own[TEXT_SIZE] = {0};
    snprintf(own, sizeof own, "%s", text);
    char *all = session->rank == 0 ? calloc((size_t)session->ranks, sizeof own) : NULL;
    if (!weft_all_agree(session->rank != 0 || all != NULL)) {
        MPI_Abort(MPI_COMM_WORLD, EXIT_BROKEN);
    }
    MPI_Gather(own, sizeof own, MPI_CHAR, all, sizeof own, MPI_CHAR, 0, MPI_COMM_WORLD);
    for (int rank = 0; session->rank == 0 && rank < session->ranks; rank++) {
        fprintf(session->file, "# %s.%d=%s\n", key, rank, all + (size_t)rank * sizeof own);
    }
    free(all);
}

/* Writes where every rank may run, and which networks its node has. */
static void write_places(const struct session *session) {
    static const char *const KEYS[] = {"cpus", "cores", "sockets", "numas"};
    char text[TEXT_SIZE] = {0};
    for (enum place place = PLACE_CPU; place <= PLACE_NUMA; place++) {
        weft_describe_places(place, text, sizeof text);
        write_of_ranks(session, KEYS[place], text);
    }
    weft_describe_fabric("/sys/class/infiniband", text, sizeof text);
    write_of_ranks(session, "fabric", text);
}

/* A launcher on another node does not know what ranks have used. */
void weft_write_usage(const struct session *session) {
    char text[NAME_SIZE] = {0};
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    struct timeval user = usage.ru_utime;
    struct timeval system = usage.ru_stime;
    double seconds = (double)(user.tv_sec + system.tv_sec);
    snprintf(text, sizeof text, "%.6f", seconds + 1e-6 * (double)(user.tv_usec + system.tv_usec));
    write_of_ranks(session, "cpu_s", text);
    snprintf(text, sizeof text, "%lld", (long long)usage.ru_maxrss * 1024);
    write_of_ranks(session, "peak_rss_bytes", text);
}

void weft_write_waiting(const struct session *session, int bytes, double elapsed_s,
                        double waited_s) {
    double longest_s = 0.0;
    MPI_Reduce(&waited_s, &longest_s, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    if (session->rank == 0) {
        fprintf(session->file, "# waiting=%d,%.6f,%.6f\n", bytes, elapsed_s, longest_s);
    }
}

void weft_write_threads(const struct session *session, enum thread_level asked) {
    if (session->rank == 0) {
        fprintf(session->file, "# threads_asked=%s\n", weft_thread_levels[asked]);
    }
}

void weft_write_header(const struct session *session) {
    char host[MPI_MAX_PROCESSOR_NAME + 1] = {0};
    char library[MPI_MAX_LIBRARY_VERSION_STRING + 1] = {0};
    int length = 0;
    int version = 0;
    int subversion = 0;
    MPI_Get_processor_name(host, &length);
    MPI_Get_library_version(library, &length);
    MPI_Get_version(&version, &subversion);
    library[strcspn(library, "\n")] = '\0';
    if (session->rank == 0) {
        fprintf(session->file, "# mpi_library=%s\n# mpi_version=%d.%d\n# ranks=%d\n", library,
                version, subversion, session->ranks);
        fprintf(session->file, "# clock_tick_s=%.9g\n# clock_step_s=%.9g\n", MPI_Wtick(),
                clock_step());
        fprintf(session->file, "# warmup=%d\n# rounds=%d\n# one_sided=%s\n",
                session->options.warmup, session->options.rounds, session->one_sided);
    }
    write_of_ranks(session, "host", host);
    write_places(session);
    if (session->rank == 0) {
        fputs("metric,bytes,repetition,seconds,lost\n", session->file);
        /* A process that the program forks would write what is not written yet once more. */
        fflush(session->file);
    }
}
