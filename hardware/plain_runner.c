/* Runs an MPI program unchanged: one call of its main, from a shared object, is one repetition.
 *
 * Each repetition loads the object again, so that its variables have their initial values. The
 * object is compiled so that MPI_Init, MPI_Finalize and exit are the functions below. A
 * repetition's time is that between the end of MPI_Init and the beginning of MPI_Finalize. */
#define _GNU_SOURCE
#include "plain_runner.h"
#include "header.h"
#include "measure.h"
#include "recorder.h"
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Where the linker of a program of several files leads its calls of exit. */
_Noreturn void __wrap_exit(int code);

static struct {
    jmp_buf end;
    double start_s;
    double end_s;
    int code;
    int is_begun;
    int is_over;
    int is_called;
    int is_kept;
    pid_t process;
    enum thread_level begun; /* that of MPI */
    enum thread_level asked; /* by the program, on any rank */
} run;

/* Of fortran_units.f90, which only runners of Fortran have. */
void weft_close_units(void) __attribute__((weak));

/* Whether the program asks for another level than MPI has. */
static int asks_for_more(void) {
    return run.asked > run.begun;
}

/* Begins the time of the program, or ends the program if it asks for more: the level of a process
 * cannot change. */
static int begin(int required) {
    int largest = required;
    MPI_Allreduce(&required, &largest, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    while (run.asked < MULTIPLE && weft_thread_constant(run.asked) < largest) {
        run.asked++;
    }
    if (asks_for_more()) {
        weft_exit(EXIT_OK);
    }
    run.is_begun = 1;
    MPI_Barrier(MPI_COMM_WORLD);
    if (run.is_kept) {
        weft_recorder_begin();
    }
    run.start_s = MPI_Wtime();
    return MPI_SUCCESS;
}

int weft_init(int *argc, char ***argv) {
    (void)argc;
    (void)argv;
    return begin(MPI_THREAD_SINGLE);
}

int weft_init_thread(int *argc, char ***argv, int required, int *provided) {
    (void)argc;
    (void)argv;
    MPI_Query_thread(provided);
    return begin(required);
}

int weft_finalize(void) {
    run.is_over = 1;
    run.end_s = MPI_Wtime();
    if (run.is_kept) {
        weft_recorder_end();
    }
    return MPI_SUCCESS;
}

int weft_initialized(int *flag) {
    *flag = run.is_begun;
    return MPI_SUCCESS;
}

int weft_finalized(int *flag) {
    *flag = run.is_over;
    return MPI_SUCCESS;
}

/* A process that the program forked is none of the runner's. */
static void end_forked(int code) {
    if (getpid() != run.process) {
        exit(code);
    }
}

_Noreturn void weft_exit(int code) {
    end_forked(code);
    run.code = code;
    longjmp(run.end, 1);
}

_Noreturn void __wrap_exit(int code) {
    weft_exit(code);
}

int weft_is_called(void) {
    return run.is_called;
}

/* Only what a program prints in its first repetition is shown. */
static void be_silent(void) {
    static int is_silent;
    int nowhere = is_silent ? -1 : open("/dev/null", O_WRONLY);
    fflush(stdout);
    if (nowhere >= 0) {
        dup2(nowhere, STDOUT_FILENO);
        close(nowhere);
        is_silent = 1;
    }
}

/* MPI libraries let a program end without MPI_Finalize. */
static void end_unfinished(const struct session *session) {
    static int is_known;
    if (!is_known) {
        weft_complain(session,
                      "the program ended without MPI_Finalize: its time is that until its end");
    }
    is_known = 1;
    weft_finalize();
}

static int once(struct session *session, int argc, char **argv) {
    /* Directives of OpenMP run on one thread, as in the prediction, unless the machine says more.
     */
    setenv("OMP_NUM_THREADS", "1", 0);
    const char *folder = session->options.folder;
    if (folder != NULL && chdir(folder) != 0) {
        fprintf(stderr, "%s: %s\n", folder, strerror(errno));
        return EXIT_BROKEN;
    }
    void *object = dlopen(session->options.program, RTLD_NOW | RTLD_LOCAL);
    int (*program)(int, char **, char **) = NULL;
    if (object != NULL) {
        *(void **)&program = dlsym(object, "main");
    }
    if (program == NULL) {
        fprintf(stderr, "%s\n", dlerror());
        return EXIT_BROKEN;
    }
    run.code = EXIT_OK;
    run.is_begun = run.is_over = 0;
    run.is_kept = session->samples->current >= 0;
    run.is_called = 1;
    run.process = getpid();
    run.begun = session->options.threads;
    if (setjmp(run.end) == 0) {
        run.code = program(argc, argv, environ);
        end_forked(run.code);
    }
    run.is_called = 0;
    if (asks_for_more()) {
        return EXIT_BROKEN;
    }
    if (weft_close_units != NULL && run.code == EXIT_OK) {
        weft_close_units();
    }
    if (run.code == EXIT_OK && !run.is_begun) {
        fprintf(stderr, "the program ended without MPI_Init\n");
        run.code = EXIT_BROKEN;
    } else if (run.code == EXIT_OK && !run.is_over) {
        end_unfinished(session);
    }
    be_silent();
    weft_samples_add(session->samples, PROGRAM_TIME, run.end_s - run.start_s);
    dlclose(object);
    /* A library that a program needs, or a destructor of a thread, may hold it. */
    object = dlopen(session->options.program, RTLD_NOW | RTLD_NOLOAD);
    if (object != NULL && run.code == EXIT_OK) {
        weft_complain(session,
                      "the program stays in memory, so that its variables keep their values");
        run.code = EXIT_BROKEN;
    }
    return run.code;
}

int main(int argc, char **argv) {
    static struct session session;
    int code = weft_session_begin(&session, argc, argv);
    if (code == EXIT_OK && session.options.program == NULL) {
        weft_complain(&session, "%s needs --program", argv[0]);
        code = EXIT_USAGE;
    }
    if (code == EXIT_OK) {
        code = weft_session_open(&session);
    }
    if (code == EXIT_OK) {
        code = weft_session_measure(&session, argv[0], once);
    }
    if (asks_for_more()) {
        weft_write_threads(&session, run.asked);
        code = EXIT_OK;
    }
    return weft_session_end(&session, code);
}
