/* The exchange of particles of an N-body simulation whose domains changed: count, barrier, pack, a
 * put to every new owner and the wait for all of them, barrier, unpack. Local times grow with the
 * particles that a rank owns, sends and receives.
 *
 * Source: NSIM-ACE, the application. The order of the puts is not published; here a rank puts to
 * the next rank first. Arguments: CSV file with a line of names and then a line for every rank: its
 * number, and how many particles it sends to each rank (and keeps for itself); seconds per particle
 * to count, to pack and to unpack; bytes of a particle; "barriers" or "no_barriers". Metrics:
 * program_time_s. */
#define _GNU_SOURCE
#include "arguments.h"
#include "mgen.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The task of one rank: how many particles it sends to each new owner. */
struct work {
    long *sent;
    long owned;
    long leaving;
    long arriving;
};

/* What the arguments after the table say. */
struct costs {
    double count_s;
    double pack_s;
    double unpack_s;
    int particle_bytes;
    int has_barriers;
};

/* Adds one line of the table. Returns 0, or -1 if it does not have `size` columns after the first.
 */
static int read_line(char *line, int row, int rank, int size, struct work *work) {
    char *rest = line;
    strsep(&rest, ",");
    for (int to = 0; to < size; to++) {
        const char *text = strsep(&rest, ",");
        char *end = NULL;
        long count = text == NULL ? -1 : strtol(text, &end, 10);
        if (count < 0 || end == text || end[strspn(end, " \r\n")] != '\0') {
            return -1;
        }
        if (row == rank) {
            work->sent[to] = count;
            work->owned += count;
            work->leaving += to == rank ? 0 : count;
        } else if (to == rank) {
            work->arriving += count;
        }
    }
    return rest == NULL ? 0 : -1;
}

/* Reads the table of all ranks. Returns 0, or -1 if it is not a table of `size` ranks. */
static int read_work(FILE *file, int rank, int size, struct work *work) {
    char *line = NULL;
    size_t room = 0;
    int row = -1;
    int code = 0;
    while (code == 0 && getline(&line, &room, file) > 1) {
        if (row >= 0) {
            code = row < size ? read_line(line, row, rank, size, work) : -1;
        }
        row++;
    }
    free(line);
    return code == 0 && row == size ? 0 : -1;
}

static void put_all(const struct work *work, int rank, int size, int particle_bytes,
                    MGEN_acp_handle *handles) {
    int count = 0;
    for (int step = 1; step < size; step++) {
        int to = (rank + step) % size;
        if (work->sent[to] > 0) {
            /* No rank polls: after the barrier, all data have arrived. */
            handles[count++] = MGEN_rdma_put(to, (int)work->sent[to] * particle_bytes, -1);
        }
    }
    for (int i = 0; i < count; i++) {
        MGEN_acp_complete(handles[i]);
    }
}

static int run(const struct work *work, const struct costs *costs, int rank, int size) {
    MGEN_acp_handle *handles = malloc((size_t)size * sizeof *handles);
    if (handles == NULL) {
        return 1;
    }
    MGEN_Comp((double)work->owned * costs->count_s);
    if (costs->has_barriers) {
        MGEN_Barrier(MGEN_COMM_WORLD);
    }
    MGEN_Comp((double)work->leaving * costs->pack_s);
    put_all(work, rank, size, costs->particle_bytes, handles);
    if (costs->has_barriers) {
        MGEN_Barrier(MGEN_COMM_WORLD);
    }
    MGEN_Comp((double)work->arriving * costs->unpack_s);
    free(handles);
    return 0;
}

int MGEN_Main(int argc, char **argv) {
    int rank;
    int size;
    MGEN_Comm_rank(MGEN_COMM_WORLD, &rank);
    MGEN_Comm_size(MGEN_COMM_WORLD, &size);
    if (argc != 7 || (strcmp(argv[6], "barriers") != 0 && strcmp(argv[6], "no_barriers") != 0)) {
        fprintf(stderr, "nbody_exchange needs a table, seconds per particle to count, pack and "
                        "unpack, bytes of a particle, and barriers or no_barriers\n");
        return 2;
    }
    MGEN_Arguments given = {argc, argv, 0};
    struct costs costs = {
        .count_s = MGEN_Argument_seconds(&given, 2, "seconds per particle to count", -1),
        .pack_s = MGEN_Argument_seconds(&given, 3, "seconds per particle to pack", -1),
        .unpack_s = MGEN_Argument_seconds(&given, 4, "seconds per particle to unpack", -1),
        .particle_bytes = MGEN_Argument_int(&given, 5, "bytes of a particle", 0, -1),
        .has_barriers = strcmp(argv[6], "barriers") == 0};
    if (given.wrong > 0) {
        return 2;
    }
    struct work work = {.sent = calloc((size_t)size, sizeof *work.sent)};
    FILE *file = fopen(argv[1], "r");
    int code = file != NULL && work.sent != NULL ? read_work(file, rank, size, &work) : -1;
    if (file != NULL) {
        fclose(file);
    }
    if (code == 0) {
        code = run(&work, &costs, rank, size);
    } else if (rank == 0) {
        fprintf(stderr, "nbody_exchange: %s is not a table of %d ranks\n", argv[1], size);
        code = 2;
    } else {
        code = 2;
    }
    free(work.sent);
    return code;
}
