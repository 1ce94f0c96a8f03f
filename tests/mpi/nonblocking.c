/* Collectives that a request completes: alone, several at once, beside messages and blocking ones.
 */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

static int rank;
static int size;

#define SAY(...) (printf("%d: ", rank), printf(__VA_ARGS__), printf("\n"))

static void say(const char *what, const int *numbers, int count) {
    printf("%d: %s", rank, what);
    for (int i = 0; i < count; i++) {
        printf(" %d", numbers[i]);
    }
    printf("\n");
}

static void first_nonzero(void *in_, void *inout_, int *count, MPI_Datatype *type) {
    int *in = in_, *inout = inout_;
    (void)type;
    for (int i = 0; i < *count; i++) {
        inout[i] = 3 * in[i] + inout[i];
    }
}

static void each(void) {
    int own[64], got[64], counts[16], places[16], lengths[16];
    MPI_Datatype types[16];
    MPI_Request request;
    for (int i = 0; i < 64; i++) {
        own[i] = 100 * rank + i;
        got[i] = -1;
    }
    for (int i = 0; i < size; i++) {
        counts[i] = i % 3;
        places[i] = 3 * i;
        lengths[i] = 12 * i;
        types[i] = MPI_INT;
    }
    int last = size - 1;
    MPI_Ibarrier(MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    SAY("null %d", request == MPI_REQUEST_NULL);
    memcpy(got, own, sizeof got);
    MPI_Ibcast(got, 5, MPI_INT, last, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    say("ibcast", got, 6);
    MPI_Ireduce(own, got, 4, MPI_INT, MPI_SUM, last, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    say("ireduce", got, rank == last ? 4 : 0);
    MPI_Iallreduce(own, got, 4, MPI_INT, MPI_MAX, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    say("iallreduce", got, 4);
    MPI_Iallreduce(MPI_IN_PLACE, got, 4, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    say("iallreduce in place", got, 4);
    MPI_Igather(own, 2, MPI_INT, got, 2, MPI_INT, last, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    say("igather", got, rank == last ? 2 * size : 0);
    MPI_Iscatter(own, 2, MPI_INT, got, 2, MPI_INT, last, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    say("iscatter", got, 2);
    MPI_Iallgather(own, 2, MPI_INT, got, 2, MPI_INT, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    say("iallgather", got, 2 * size);
    MPI_Ialltoall(own, 2, MPI_INT, got, 2, MPI_INT, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    say("ialltoall", got, 2 * size);
    memset(got, -1, sizeof got);
    MPI_Igatherv(own, counts[rank], MPI_INT, got, counts, places, MPI_INT, 0, MPI_COMM_WORLD,
                 &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    say("igatherv", got, rank == 0 ? 3 * size : 0);
    MPI_Iscatterv(own, counts, places, MPI_INT, got, counts[rank], MPI_INT, 0, MPI_COMM_WORLD,
                  &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    say("iscatterv", got, counts[rank]);
    memset(got, -1, sizeof got);
    MPI_Iallgatherv(own, counts[rank], MPI_INT, got, counts, places, MPI_INT, MPI_COMM_WORLD,
                    &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    say("iallgatherv", got, 3 * size);
    int same[16];
    for (int i = 0; i < size; i++) {
        same[i] = 2;
    }
    MPI_Ialltoallv(own, same, places, MPI_INT, got, same, places, MPI_INT, MPI_COMM_WORLD,
                   &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    say("ialltoallv", got, 3 * size);
    MPI_Ialltoallw(own, same, lengths, types, got, same, lengths, types, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    say("ialltoallw", got, 3 * size);
    MPI_Ireduce_scatter_block(own, got, 2, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    say("ireduce_scatter_block", got, 2);
    MPI_Ireduce_scatter(own, got, counts, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    say("ireduce_scatter", got, counts[rank]);
    MPI_Iscan(own, got, 2, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    say("iscan", got, 2);
    MPI_Iexscan(own, got, 2, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    say("iexscan", got, rank == 0 ? 0 : 2);
    MPI_Op op;
    MPI_Op_create(first_nonzero, 0, &op);
    MPI_Iallreduce(own, got, 2, MPI_INT, op, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    say("in order", got, 2);
    MPI_Op_free(&op);
    MPI_Datatype apart;
    MPI_Type_vector(2, 1, 2, MPI_INT, &apart);
    MPI_Type_commit(&apart);
    memset(got, -1, sizeof got);
    MPI_Iallgather(own, 2, MPI_INT, got, 1, apart, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    say("apart", got, 3 * size);
    MPI_Type_free(&apart);
}

/* Many at once, which complete in any order. */
static void at_once(void) {
    enum { N = 5 };
    int own[N], sums[N], maxima[N], got = -1, flag, index;
    MPI_Request requests[2 * N + 2];
    MPI_Comm other;
    MPI_Comm_dup(MPI_COMM_WORLD, &other);
    for (int i = 0; i < N; i++) {
        own[i] = rank * i + 1;
        MPI_Iallreduce(&own[i], &sums[i], 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &requests[2 * i]);
        MPI_Iallreduce(&own[i], &maxima[i], 1, MPI_INT, MPI_MAX, other, &requests[2 * i + 1]);
    }
    MPI_Irecv(&got, 1, MPI_INT, (rank + size - 1) % size, 0, MPI_COMM_WORLD, &requests[2 * N]);
    MPI_Isend(&rank, 1, MPI_INT, (rank + 1) % size, 0, MPI_COMM_WORLD, &requests[2 * N + 1]);
    int sum = 0;
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Waitall(2 * N + 2, requests, MPI_STATUSES_IGNORE);
    say("sums", sums, N);
    say("maxima", maxima, N);
    SAY("got %d, sum %d", got, sum);
    int data = rank == 0 ? 42 : 0;
    MPI_Ibcast(&data, 1, MPI_INT, 0, MPI_COMM_WORLD, &requests[0]);
    int tests = 0;
    do {
        MPI_Test(&requests[0], &flag, MPI_STATUS_IGNORE);
        tests++;
    } while (!flag);
    SAY("tested %d, null %d", data, requests[0] == MPI_REQUEST_NULL && tests > 0);
    /* A message that arrives only when the others have made progress. */
    MPI_Ibarrier(MPI_COMM_WORLD, &requests[0]);
    if (rank == 0 && size > 1) {
        MPI_Recv(&got, 1, MPI_INT, size - 1, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
        SAY("after the barrier %d", got);
    } else {
        MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
        if (rank == size - 1 && size > 1) {
            MPI_Send(&sum, 1, MPI_INT, 0, 9, MPI_COMM_WORLD);
        }
    }
    MPI_Ibarrier(other, &requests[0]);
    MPI_Irecv(&got, 1, MPI_INT, MPI_PROC_NULL, 0, other, &requests[1]);
    int seen[2] = {0, 0};
    for (int i = 0; i < 2; i++) {
        MPI_Waitany(2, requests, &index, MPI_STATUS_IGNORE);
        seen[index]++;
    }
    SAY("any %d %d", seen[0], seen[1]);
    MPI_Ibarrier(other, &requests[0]);
    MPI_Ibarrier(MPI_COMM_WORLD, &requests[1]);
    int count, total = 0, indices[2];
    while (total < 2) {
        MPI_Testsome(2, requests, &count, indices, MPI_STATUSES_IGNORE);
        total += count;
    }
    SAY("some %d", total);
    MPI_Comm_free(&other);
}

/* A barrier that the rank tests beside receives to which no message comes. The next loop repeats
 * the tests of those receives. */
static void beside_idle_receives(void) {
    enum { N = 4 };
    int got[2 * N], index, is_received, turns = 0;
    MPI_Request receives[2 * N], barrier;
    for (int i = 0; i < 2 * N; i++) {
        MPI_Recv_init(&got[i], 1, MPI_INT, MPI_ANY_SOURCE, 7, MPI_COMM_WORLD, &receives[i]);
        MPI_Start(&receives[i]);
    }
    for (int turn = 0; turn < 3; turn++) {
        MPI_Ibarrier(MPI_COMM_WORLD, &barrier);
        for (int done = 0; !done;) {
            MPI_Test(&barrier, &done, MPI_STATUS_IGNORE);
            MPI_Testany(N, receives, &index, &is_received, MPI_STATUS_IGNORE);
            MPI_Testany(N, receives + N, &index, &is_received, MPI_STATUS_IGNORE);
            turns += done;
        }
    }
    SAY("barriers %d, received %d", turns, is_received);
    for (int i = 0; i < 2 * N; i++) {
        MPI_Cancel(&receives[i]);
        MPI_Wait(&receives[i], MPI_STATUS_IGNORE);
        MPI_Request_free(&receives[i]);
    }
}

/* A receive without a message is cancelled, whatever its sender; the next one gets the message. */
static void cancelled(void) {
    int got = -1, flag = -1, next = (rank + 1) % size, before = (rank + size - 1) % size;
    MPI_Datatype spaced;
    MPI_Type_vector(1, 1, 2, MPI_INT, &spaced);
    MPI_Type_commit(&spaced);
    MPI_Request requests[4];
    MPI_Status status;
    MPI_Irecv(&got, 1, MPI_INT, before, 5, MPI_COMM_WORLD, &requests[0]);
    MPI_Irecv(&got, 1, MPI_INT, MPI_ANY_SOURCE, 5, MPI_COMM_WORLD, &requests[1]);
    MPI_Irecv(&got, 1, spaced, before, 5, MPI_COMM_WORLD, &requests[2]);
    MPI_Recv_init(&got, 1, MPI_INT, before, 5, MPI_COMM_WORLD, &requests[3]);
    MPI_Start(&requests[3]);
    for (int i = 0; i < 4; i++) {
        MPI_Cancel(&requests[i]);
        MPI_Wait(&requests[i], &status);
        MPI_Test_cancelled(&status, &flag);
        SAY("cancelled %d %d", flag, got);
    }
    MPI_Request_free(&requests[3]);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Irecv(&got, 1, MPI_INT, before, 5, MPI_COMM_WORLD, &requests[0]);
    MPI_Send(&rank, 1, MPI_INT, next, 5, MPI_COMM_WORLD);
    MPI_Wait(&requests[0], &status);
    MPI_Test_cancelled(&status, &flag);
    SAY("received %d %d", flag, got);
    MPI_Type_free(&spaced);
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    each();
    at_once();
    cancelled();
    beside_idle_receives();
    MPI_Finalize();
    return 0;
}
