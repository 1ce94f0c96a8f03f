/* Probes beside nonblocking collectives see the messages of the program, and nothing else. */
#include <mpi.h>
#include <stdio.h>

#define SAY(...) (printf("%d: ", rank), printf(__VA_ARGS__), printf("\n"))
#define WORLD MPI_COMM_WORLD

enum { CALLS = 12, NUMBERS = 1000, LONG = 40000 };

static int rank, size, next, before, seen;
static double from[NUMBERS], into[CALLS][NUMBERS];
static int places[16], ones[16], letters[LONG], got[LONG];
static MPI_Win win;

static int begin(MPI_Comm comm, MPI_Request *r) {
    int at = 0, *memory;
    static int one = 1;
    MPI_Ibarrier(comm, &r[at++]);
    MPI_Ibcast(into[1], NUMBERS, MPI_DOUBLE, 0, comm, &r[at++]);
    MPI_Iallreduce(from, into[2], NUMBERS, MPI_DOUBLE, MPI_SUM, comm, &r[at++]);
    MPI_Ireduce(from, into[3], 1, MPI_DOUBLE, MPI_MAX, size - 1, comm, &r[at++]);
    MPI_Iallgather(from, 1, MPI_DOUBLE, into[4], 1, MPI_DOUBLE, comm, &r[at++]);
    MPI_Ialltoall(from, 1, MPI_DOUBLE, into[5], 1, MPI_DOUBLE, comm, &r[at++]);
    MPI_Iscan(from, into[6], 3, MPI_DOUBLE, MPI_SUM, comm, &r[at++]);
    MPI_Igather(from, 1, MPI_DOUBLE, into[7], 1, MPI_DOUBLE, 0, comm, &r[at++]);
    MPI_Iscatter(from, 1, MPI_DOUBLE, into[8], 1, MPI_DOUBLE, 0, comm, &r[at++]);
    MPI_Ialltoallv(from, ones, places, MPI_DOUBLE, into[9], ones, places, MPI_DOUBLE, comm,
                   &r[at++]);
    MPI_Ireduce_scatter_block(from, into[10], 1, MPI_DOUBLE, MPI_SUM, comm, &r[at++]);
    MPI_Win_get_attr(win, MPI_WIN_BASE, &memory, &at);
    MPI_Rput(&one, 1, MPI_INT, next, 0, 1, MPI_INT, win, &r[11]);
    return CALLS;
}

/* Nothing of the program is under way. */
static void nothing(MPI_Comm comm) {
    int found = 0;
    MPI_Message message;
    MPI_Status status;
    MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &found, &status);
    seen += found;
    MPI_Improbe(MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &found, &message, &status);
    seen += found;
}

static void is(const char *how, const MPI_Status *status, int tag) {
    int count;
    MPI_Get_count(status, MPI_INT, &count);
    SAY("%s: from %d with %d: %d of %d", how, status->MPI_SOURCE == before, status->MPI_TAG, count,
        tag);
}

/* All ways to find a message, which is short or long. */
static void find(MPI_Comm comm, int way, int tag) {
    int found = 0;
    MPI_Message message;
    MPI_Status status;
    if (way == 0) {
        MPI_Probe(MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &status);
    } else if (way == 1) {
        while (!found) {
            MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &found, &status);
        }
    } else if (way == 2) {
        MPI_Mprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &message, &status);
    } else {
        while (!found) {
            MPI_Improbe(MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &found, &message, &status);
        }
    }
    is(way < 2 ? "probed" : "taken", &status, tag);
    if (way < 2) {
        MPI_Recv(got, LONG, MPI_INT, status.MPI_SOURCE, status.MPI_TAG, comm, &status);
    } else {
        MPI_Mrecv(got, LONG, MPI_INT, &message, &status);
    }
    is("received", &status, tag);
    SAY("%d %d", got[0] - before, got[9] - before);
}

static void round_of(MPI_Comm comm, int way, int count) {
    MPI_Request r[CALLS], sent;
    int done = 0;
    int calls = begin(comm, r);
    for (int i = 0; i < 40; i++) {
        nothing(comm);
    }
    /* Every rank has looked before one sends. */
    MPI_Barrier(comm);
    MPI_Isend(letters, count, MPI_INT, next, 7 + way, comm, &sent);
    find(comm, way, 7 + way);
    while (!done) {
        MPI_Testall(calls, r, &done, MPI_STATUSES_IGNORE);
        nothing(comm);
    }
    MPI_Wait(&sent, MPI_STATUS_IGNORE);
    SAY("way %d: %g %g, seen %d", way, into[2][1], into[6][2], seen);
}

int main(int argc, char **argv) {
    int *memory;
    MPI_Comm copy;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(WORLD, &rank);
    MPI_Comm_size(WORLD, &size);
    next = (rank + 1) % size;
    before = (rank + size - 1) % size;
    for (int i = 0; i < NUMBERS; i++) {
        from[i] = rank + i;
    }
    for (int i = 0; i < LONG; i++) {
        letters[i] = rank + (i == 9);
    }
    for (int i = 0; i < 16; i++) {
        places[i] = i, ones[i] = 1;
    }
    MPI_Comm_dup(WORLD, &copy);
    MPI_Win_allocate(64, sizeof(int), MPI_INFO_NULL, WORLD, &memory, &win);
    MPI_Win_lock_all(0, win);
    for (int way = 0; way < 4; way++) {
        round_of(WORLD, way, 10);
        round_of(copy, way, LONG);
    }
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
