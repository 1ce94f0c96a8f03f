/* What the runners share: set-up, and publishing the output. */
#define _GNU_SOURCE
#include "measure.h"
#include "header.h"
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { TEXT_SIZE = 512, FINALIZE_S = 10 };

static void temporary_name(const struct session *session, char *name, size_t size) {
    snprintf(name, size, "%s.tmp", session->options.output);
}

int weft_session_begin(struct session *session, int argc, char **argv) {
    char error[TEXT_SIZE] = {0};
    int provided = 0;
    *session = (struct session){.one_sided = "unused"};
    int is_wrong = weft_options_parse(argc, argv, &session->options, error, sizeof error) != 0;
    int level = is_wrong ? MPI_THREAD_SINGLE : weft_thread_constant(session->options.threads);
    MPI_Init_thread(&argc, &argv, level, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &session->rank);
    MPI_Comm_size(MPI_COMM_WORLD, &session->ranks);
    session->begun_s = MPI_Wtime();
    if (is_wrong) {
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
    free(session->options.sizes);
    MPI_Finalize();
    return code;
}
