/* Times the personalised all-to-all exchange; a size is what one rank sends to one other.
 *
 *   collective_time_s  MPI_Alltoall as the library implements it
 *   pairwise_time_s    ranks - 1 steps of Sendrecv: by exclusive or where ranks are a power of
 *                      two, else to the i-th rank upwards and from the i-th downwards
 *
 * Each repetition starts after a barrier and counts as long as its slowest rank took.
 */
#include "measure.h"
#include <stdlib.h>
#include <string.h>

static double collective(const struct session *session, int bytes) {
    MPI_Barrier(MPI_COMM_WORLD);
    double start = MPI_Wtime();
    MPI_Alltoall(session->send, bytes, MPI_CHAR, session->receive, bytes, MPI_CHAR, MPI_COMM_WORLD);
    return MPI_Wtime() - start;
}

static void pairwise_exchange(const struct session *session, int bytes) {
    int ranks = session->ranks;
    int rank = session->rank;
    int is_power_of_two = (ranks & (ranks - 1)) == 0;
    size_t own = (size_t)rank * (size_t)bytes;
    memcpy(session->receive + own, session->send + own, (size_t)bytes);
    for (int step = 1; step < ranks; step++) {
        int to = is_power_of_two ? rank ^ step : (rank + step) % ranks;
        int from = is_power_of_two ? to : (rank - step + ranks) % ranks;
        MPI_Sendrecv(session->send + (size_t)to * (size_t)bytes, bytes, MPI_CHAR, to, step,
                     session->receive + (size_t)from * (size_t)bytes, bytes, MPI_CHAR, from, step,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
}

static double pairwise(const struct session *session, int bytes) {
    MPI_Barrier(MPI_COMM_WORLD);
    double start = MPI_Wtime();
    pairwise_exchange(session, bytes);
    return MPI_Wtime() - start;
}

static char expected_byte(int from, int to) {
    return (char)((from * 31 + to * 7 + 1) & 0x7f);
}

/* Fills the blocks to send, and spoils the received ones so that stale data cannot pass. */
static void fill(const struct session *session, int bytes) {
    for (int to = 0; to < session->ranks; to++) {
        memset(session->send + (size_t)to * (size_t)bytes, expected_byte(session->rank, to),
               (size_t)bytes);
    }
    memset(session->receive, 0, (size_t)session->ranks * (size_t)bytes);
}

/* Stops the program unless every block came from the rank it should come from. */
static void check(const struct session *session, const char *metric, int bytes) {
    for (int from = 0; bytes > 0 && from < session->ranks; from++) {
        const char *block = session->receive + (size_t)from * (size_t)bytes;
        char expected = expected_byte(from, session->rank);
        if (block[0] != expected || block[bytes - 1] != expected) {
            fprintf(stderr, "%s: rank %d got a wrong block from rank %d at %d bytes\n", metric,
                    session->rank, from, bytes);
            MPI_Abort(MPI_COMM_WORLD, EXIT_BROKEN);
        }
    }
}

static void measure_checked(struct session *session, const char *metric, int bytes,
                            repetition once) {
    fill(session, bytes);
    session_measure(session, metric, bytes, once);
    check(session, metric, bytes);
}

int main(int argc, char **argv) {
    struct session session;
    int code = session_begin(&session, argc, argv, 0);
    if (code != EXIT_OK) {
        return session_abandon(&session, code);
    }
    for (int i = 0; i < session.options.size_count; i++) {
        int bytes = session.options.sizes[i];
        measure_checked(&session, "collective_time_s", bytes, collective);
        measure_checked(&session, "pairwise_time_s", bytes, pairwise);
    }
    return session_end(&session);
}
