/* What the measuring programs share: set-up, the header of the output and the sampling loop. */
#define _GNU_SOURCE
#include "measure.h"
#include "options.h"
#include "places.h"
#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

enum { NAME_SIZE = 256, TEXT_SIZE = 1024, CLOCK_PROBES = 1000, FINALIZE_S = 10 };

static void complain(const struct session *session, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static void complain(const struct session *session, const char *format, ...) {
    if (session->rank == 0) {
        va_list arguments;
        va_start(arguments, format);
        vfprintf(stderr, format, arguments);
        va_end(arguments);
        fputc('\n', stderr);
    }
}

/* True on all ranks if `ok` is true on all ranks. */
static int all_agree(int ok) {
    int everywhere = 0;
    MPI_Allreduce(&ok, &everywhere, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    return everywhere;
}

/* The smallest step by which MPI_Wtime was seen to advance. */
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
    if (!all_agree(session->rank != 0 || all != NULL)) {
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
        describe_places(place, text, sizeof text);
        write_of_ranks(session, KEYS[place], text);
    }
    describe_fabric("/sys/class/infiniband", text, sizeof text);
    write_of_ranks(session, "fabric", text);
}

/* Writes what every rank has used; a launcher on another node knows nothing of that. */
static void write_usage(const struct session *session) {
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

static void write_header(const struct session *session) {
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
        fprintf(session->file, "# warmup=%d\n# one_sided=%s\n", session->options.warmup,
                session->window == MPI_WIN_NULL ? "unavailable" : "available");
    }
    write_of_ranks(session, "host", host);
    write_places(session);
    if (session->rank == 0) {
        fputs("metric,bytes,repetition,seconds\n", session->file);
    }
}

static void temporary_name(const struct session *session, char *name, size_t size) {
    snprintf(name, size, "%s.tmp", session->options.output);
}

static int open_output(struct session *session) {
    char name[PATH_MAX];
    temporary_name(session, name, sizeof name);
    if (session->rank == 0) {
        session->file = fopen(name, "w");
        if (session->file == NULL) {
            complain(session, "%s: %s", name, strerror(errno));
        }
    }
    return all_agree(session->rank != 0 || session->file != NULL) ? EXIT_OK : EXIT_BROKEN;
}

/* False where the MPI cannot do one-sided communication between these ranks. */
static int allocate_window(struct session *session, size_t bytes) {
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    int code = MPI_Win_allocate((MPI_Aint)bytes, 1, MPI_INFO_NULL, MPI_COMM_WORLD,
                                &session->receive, &session->window);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
    if (!all_agree(code == MPI_SUCCESS)) {
        session->window = MPI_WIN_NULL;
        return 0;
    }
    MPI_Win_lock_all(0, session->window);
    return 1;
}

static int allocate(struct session *session) {
    size_t bytes = (size_t)session->options.largest * (size_t)session->ranks + 1;
    session->send = malloc(bytes);
    session->samples = calloc((size_t)session->options.repetitions, sizeof *session->samples);
    int usable = session->send != NULL && session->samples != NULL;
    if (!all_agree(usable)) {
        complain(session, "no memory for messages of %d bytes", session->options.largest);
        return EXIT_BROKEN;
    }
    if (!allocate_window(session, bytes)) {
        session->receive = malloc(bytes);
        if (!all_agree(session->receive != NULL)) {
            complain(session, "no memory for messages of %d bytes", session->options.largest);
            return EXIT_BROKEN;
        }
    }
    memset(session->send, session->rank, bytes);
    memset(session->receive, UCHAR_MAX, bytes);
    return EXIT_OK;
}

int session_begin(struct session *session, int argc, char **argv, int ranks_wanted) {
    char error[NAME_SIZE] = {0};
    *session = (struct session){.window = MPI_WIN_NULL};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &session->rank);
    MPI_Comm_size(MPI_COMM_WORLD, &session->ranks);
    if (options_parse(argc, argv, &session->options, error, sizeof error) != 0) {
        complain(session, "%s", error);
        return EXIT_USAGE;
    }
    if (session->ranks < 2 || (ranks_wanted != 0 && session->ranks != ranks_wanted)) {
        complain(session, "%s runs with %s2 ranks, not with %d", argv[0],
                 ranks_wanted != 0 ? "" : "at least ", session->ranks);
        return EXIT_USAGE;
    }
    alarm(session->options.deadline_s);
    int code = allocate(session);
    if (code == EXIT_OK) {
        code = open_output(session);
    }
    if (code == EXIT_OK) {
        write_header(session);
    }
    return code;
}

/* The number of repetitions that fits the budget, judged by the warm-up; equal on all ranks. */
static int warm_up(const struct session *session, int bytes, repetition once) {
    const struct options *options = &session->options;
    int count = options->repetitions;
    int runs = options->warmup > 0 ? options->warmup : 1;
    double start = MPI_Wtime();
    for (int i = 0; i < runs; i++) {
        once(session, bytes);
    }
    double each = (MPI_Wtime() - start) / runs;
    if (each * count > options->budget_s) {
        count = (int)(options->budget_s / each);
    }
    if (count < options->min_repetitions) {
        count = options->min_repetitions;
    }
    MPI_Bcast(&count, 1, MPI_INT, 0, MPI_COMM_WORLD);
    return count;
}

void session_measure(struct session *session, const char *metric, int bytes, repetition once) {
    MPI_Barrier(MPI_COMM_WORLD);
    int count = warm_up(session, bytes, once);
    for (int i = 0; i < count; i++) {
        session->samples[i] = once(session, bytes);
    }
    MPI_Reduce(session->rank == 0 ? MPI_IN_PLACE : session->samples, session->samples, count,
               MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    for (int i = 0; session->rank == 0 && i < count; i++) {
        fprintf(session->file, "%s,%d,%d,%.9e\n", metric, bytes, i, session->samples[i]);
    }
}

/* Flushes the output to disk and gives it its name. */
static int publish(const struct session *session) {
    char name[PATH_MAX];
    temporary_name(session, name, sizeof name);
    int broken = fflush(session->file) != 0 || fsync(fileno(session->file)) != 0;
    broken |= fclose(session->file) != 0;
    if (broken || rename(name, session->options.output) != 0) {
        complain(session, "%s: %s", name, strerror(errno));
        return EXIT_BROKEN;
    }
    return EXIT_OK;
}

/* MPICH over UCX and TCP sometimes never ends MPI_Finalize: then the alarm ends the program, whose
 * output is already published. */
static void release(struct session *session) {
    alarm(FINALIZE_S);
    if (session->window != MPI_WIN_NULL) {
        MPI_Win_unlock_all(session->window);
        MPI_Win_free(&session->window);
    } else {
        free(session->receive);
    }
    free(session->send);
    free(session->samples);
    free(session->options.sizes);
    MPI_Finalize();
}

int session_end(struct session *session) {
    write_usage(session);
    int code = session->rank == 0 ? publish(session) : EXIT_OK;
    MPI_Bcast(&code, 1, MPI_INT, 0, MPI_COMM_WORLD);
    release(session);
    return code;
}

/* All ranks come here together, and end in order: an abort would lose what was printed last. */
int session_abandon(struct session *session, int code) {
    release(session);
    return code;
}
