/* Tests and probes in loops: until a message comes, so many times, for so long, and of nothing. */
#include <mpi.h>
#include <stdio.h>

static int rank;
static int next;
static int before;

#define SAY(...) (printf("%d: ", rank), printf(__VA_ARGS__), printf("\n"))
#define WORLD MPI_COMM_WORLD

enum { OFTEN = 100, NONE = 3 };

static void send_to(int other, int tag) {
    int number = 10 * rank + tag;
    MPI_Send(&number, 1, MPI_INT, other, tag, WORLD);
}

static int receive_from(int other, int tag) {
    int number = -1;
    MPI_Recv(&number, 1, MPI_INT, other, tag, WORLD, MPI_STATUS_IGNORE);
    return number;
}

/* Nothing is under way: every rank sends only when it has seen so often enough. */
static void so_many_times(void) {
    int got[4] = {-1, -1, -1, -1}, flag = 0, index, done = 0, indices[NONE];
    MPI_Request requests[4][NONE];
    for (int i = 0; i < 4; i++) {
        requests[i][0] = requests[i][2] = MPI_REQUEST_NULL;
        MPI_Irecv(&got[i], 1, MPI_INT, before, i, WORLD, &requests[i][1]);
    }
    MPI_Barrier(WORLD);
    for (int i = 0; i < OFTEN; i++) {
        MPI_Testany(NONE, requests[0], &index, &flag, MPI_STATUS_IGNORE);
        done += flag;
    }
    MPI_Barrier(WORLD);
    for (int i = 0; i < OFTEN; i++) {
        MPI_Testall(NONE, requests[1], &flag, MPI_STATUSES_IGNORE);
        done += flag;
    }
    MPI_Barrier(WORLD);
    for (int i = 0; i < OFTEN; i++) {
        MPI_Testsome(NONE, requests[2], &flag, indices, MPI_STATUSES_IGNORE);
        done += flag;
    }
    MPI_Barrier(WORLD);
    for (int i = 0; i < OFTEN; i++) {
        MPI_Test(&requests[3][1], &flag, MPI_STATUS_IGNORE);
        done += flag;
        MPI_Request_get_status(requests[3][1], &flag, MPI_STATUS_IGNORE);
        done += flag;
        MPI_Iprobe(before, 9, WORLD, &flag, MPI_STATUS_IGNORE);
        done += flag;
    }
    MPI_Barrier(WORLD);
    for (int i = 0; i < 4; i++) {
        send_to(next, i);
        for (flag = 0; !flag;) {
            MPI_Testany(NONE, requests[i], &index, &flag, MPI_STATUS_IGNORE);
        }
        SAY("%d in vain, then %d as %d", done, got[i], index);
    }
}

static void for_so_long(void) {
    int flag = 0, got = -1;
    MPI_Request request;
    MPI_Status status;
    double end = MPI_Wtime() + 1e-3;
    while (!flag && MPI_Wtime() < end) {
        MPI_Iprobe(before, 4, WORLD, &flag, &status);
    }
    SAY("no message %d", flag);
    MPI_Irecv(&got, 1, MPI_INT, before, 4, WORLD, &request);
    end = MPI_Wtime() + 1e-3;
    while (!flag && MPI_Wtime() < end) {
        MPI_Test(&request, &flag, &status);
    }
    MPI_Cancel(&request);
    MPI_Wait(&request, &status);
    SAY("nothing received %d %d", flag, got);
    MPI_Barrier(WORLD);
    /* A message comes much later than the end of the first wait, and before that of the second. */
    if (rank == 0) {
        end = MPI_Wtime() + 1e-3;
        while (!flag && MPI_Wtime() < end) {
            MPI_Iprobe(before, 5, WORLD, &flag, &status);
        }
        SAY("too early %d", flag);
        end = MPI_Wtime() + 60;
        while (!flag && MPI_Wtime() < end) {
            MPI_Iprobe(before, 5, WORLD, &flag, &status);
        }
        SAY("%d of %d", flag, receive_from(before, 5));
    } else if (next == 0) {
        end = MPI_Wtime() + 0.3;
        while (MPI_Wtime() < end) {
        }
        send_to(next, 5);
    }
}

/* A rank that waits for so long gets what another one sends after so many tests. */
static void both(void) {
    int flag = 0;
    MPI_Status status;
    if (rank == 0) {
        for (int i = 0; i < OFTEN; i++) {
            MPI_Iprobe(before, 6, WORLD, &flag, &status);
        }
        send_to(next, 6);
    } else if (before == 0) {
        double end = MPI_Wtime() + 60;
        while (!flag && MPI_Wtime() < end) {
            MPI_Iprobe(before, 6, WORLD, &flag, &status);
        }
        SAY("%d of %d", flag, receive_from(before, 6));
    }
}

/* Tests of what no one has started have success, and take no time beside a probe that has none. */
static void of_nothing(void) {
    int flag = 0, found = 0, index, got, indices[NONE], ends = 0;
    MPI_Status status;
    MPI_Request requests[NONE] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL, MPI_REQUEST_NULL};
    MPI_Recv_init(&got, 1, MPI_INT, before, 8, WORLD, &requests[1]);
    if (next == 0) {
        send_to(next, 7);
    }
    while (rank == 0 && !found) {
        MPI_Test(&requests[1], &flag, &status);
        ends += !flag;
        MPI_Testany(NONE, requests, &index, &flag, &status);
        ends += !flag || index != MPI_UNDEFINED;
        MPI_Testall(NONE, requests, &flag, MPI_STATUSES_IGNORE);
        ends += !flag;
        MPI_Testsome(NONE, requests, &index, indices, MPI_STATUSES_IGNORE);
        ends += index != MPI_UNDEFINED;
        MPI_Testany(0, requests, &index, &flag, &status);
        ends += !flag || index != MPI_UNDEFINED;
        MPI_Iprobe(before, 7, WORLD, &found, &status);
    }
    if (rank == 0) {
        SAY("%d after %d wrong answers", receive_from(before, 7), ends);
    }
    MPI_Start(&requests[1]);
    send_to(next, 8);
    for (flag = 0; !flag;) {
        MPI_Testany(NONE, requests, &index, &flag, &status);
    }
    SAY("started %d as %d, still there %d", got, index, requests[1] != MPI_REQUEST_NULL);
    MPI_Request_free(&requests[1]);
}

int main(int argc, char **argv) {
    int size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(WORLD, &rank);
    MPI_Comm_size(WORLD, &size);
    next = (rank + 1) % size;
    before = (rank + size - 1) % size;
    so_many_times();
    for_so_long();
    both();
    of_nothing();
    MPI_Finalize();
    return 0;
}
