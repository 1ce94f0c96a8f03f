/* Modes of sending, probes that take a message, persistent and general requests, tests of several.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int rank;
static int size;
static int next;
static int before;

#define SAY(...) (printf("%d: ", rank), printf(__VA_ARGS__), printf("\n"))

static void modes(void) {
    int got[4] = {-1, -1, -1, -1}, sent[4] = {rank, rank + 1, rank + 2, rank + 3};
    MPI_Request requests[8];
    int bytes = 4 * (MPI_BSEND_OVERHEAD + 64);
    char *buffer = malloc(bytes), *back;
    MPI_Buffer_attach(buffer, bytes);
    MPI_Bsend(&sent[0], 1, MPI_INT, next, 1, MPI_COMM_WORLD);
    MPI_Ibsend(&sent[1], 1, MPI_INT, next, 2, MPI_COMM_WORLD, &requests[0]);
    MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
    for (int i = 0; i < 2; i++) {
        MPI_Recv(&got[i], 1, MPI_INT, before, 1 + i, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Buffer_detach(&back, &bytes);
    SAY("buffered %d %d, the same %d, of its size %d", got[0], got[1], back == buffer,
        bytes == 4 * (MPI_BSEND_OVERHEAD + 64));
    free(buffer);
    for (int i = 0; i < 4; i++) {
        MPI_Irecv(&got[i], 1, MPI_INT, before, 10 + i, MPI_COMM_WORLD, &requests[i]);
    }
    MPI_Issend(&sent[0], 1, MPI_INT, next, 10, MPI_COMM_WORLD, &requests[4]);
    MPI_Irsend(&sent[1], 1, MPI_INT, next, 11, MPI_COMM_WORLD, &requests[5]);
    MPI_Isend(&sent[2], 1, MPI_INT, next, 12, MPI_COMM_WORLD, &requests[6]);
    MPI_Isend(&sent[3], 0, MPI_INT, next, 13, MPI_COMM_WORLD, &requests[7]);
    MPI_Status statuses[8];
    MPI_Waitall(8, requests, statuses);
    int count;
    MPI_Get_count(&statuses[3], MPI_INT, &count);
    SAY("all %d %d %d, tag %d, count %d, null %d", got[0], got[1], got[2], statuses[2].MPI_TAG,
        count, requests[7] == MPI_REQUEST_NULL);
    MPI_Sendrecv_replace(got, 3, MPI_INT, next, 5, before, 5, MPI_COMM_WORLD, &statuses[0]);
    SAY("replaced %d %d %d from %d", got[0], got[1], got[2], statuses[0].MPI_SOURCE);
    MPI_Sendrecv(sent, 4, MPI_INT, MPI_PROC_NULL, 5, got, 4, MPI_INT, MPI_PROC_NULL, 5,
                 MPI_COMM_WORLD, &statuses[0]);
    MPI_Get_count(&statuses[0], MPI_INT, &count);
    SAY("nobody %d, count %d, still %d", statuses[0].MPI_SOURCE == MPI_PROC_NULL, count, got[0]);
}

static void probes(void) {
    int numbers[3] = {rank, 10 * rank, 100 * rank}, got[3] = {0, 0, 0}, count, found;
    MPI_Message message;
    MPI_Status status;
    MPI_Request request, sent[3];
    for (int i = 0; i < 3; i++) {
        MPI_Isend(numbers, i + 1, MPI_INT, next, 20 + i, MPI_COMM_WORLD, &sent[i]);
    }
    MPI_Probe(before, 20, MPI_COMM_WORLD, &status);
    MPI_Get_count(&status, MPI_INT, &count);
    SAY("probe %d %d %d", status.MPI_SOURCE, status.MPI_TAG, count);
    MPI_Mprobe(before, 21, MPI_COMM_WORLD, &message, &status);
    MPI_Get_count(&status, MPI_INT, &count);
    SAY("mprobe %d %d %d", status.MPI_SOURCE, status.MPI_TAG, count);
    MPI_Mrecv(got, 3, MPI_INT, &message, &status);
    SAY("mrecv %d %d null %d", got[0], got[1], message == MPI_MESSAGE_NULL);
    do {
        MPI_Improbe(before, 22, MPI_COMM_WORLD, &found, &message, &status);
    } while (!found);
    MPI_Imrecv(got, 3, MPI_INT, &message, &request);
    MPI_Wait(&request, &status);
    MPI_Get_count(&status, MPI_INT, &count);
    SAY("imrecv %d %d %d, %d from %d", got[0], got[1], got[2], count, status.MPI_SOURCE);
    MPI_Recv(got, 3, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
    MPI_Get_count(&status, MPI_INT, &count);
    SAY("the last %d, tag %d, count %d", got[0], status.MPI_TAG, count);
    MPI_Improbe(before, 99, MPI_COMM_WORLD, &found, &message, &status);
    SAY("found %d", found);
    MPI_Mprobe(MPI_PROC_NULL, 0, MPI_COMM_WORLD, &message, &status);
    SAY("of nobody %d", message == MPI_MESSAGE_NO_PROC);
    MPI_Mrecv(got, 3, MPI_INT, &message, &status);
    SAY("from nobody %d", status.MPI_SOURCE == MPI_PROC_NULL);
    MPI_Waitall(3, sent, MPI_STATUSES_IGNORE);
}

static void persistent(void) {
    int got[6], sent[3] = {0, 0, 0};
    MPI_Datatype apart;
    MPI_Type_vector(3, 1, 2, MPI_INT, &apart);
    MPI_Type_commit(&apart);
    MPI_Request requests[2];
    MPI_Recv_init(got, 1, apart, before, 3, MPI_COMM_WORLD, &requests[0]);
    MPI_Send_init(sent, 3, MPI_INT, next, 3, MPI_COMM_WORLD, &requests[1]);
    for (int i = 0; i < 3; i++) {
        memset(got, -1, sizeof got);
        sent[0] = rank + i;
        sent[1] = 10 * i;
        sent[2] = -i;
        MPI_Startall(2, requests);
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
        SAY("again %d: %d %d %d %d %d, active %d", i, got[0], got[1], got[2], got[3], got[4],
            requests[0] == MPI_REQUEST_NULL);
    }
    int flag = 0, index;
    MPI_Status status;
    MPI_Test(&requests[0], &flag, &status);
    SAY("not begun %d", flag);
    MPI_Waitany(2, requests, &index, &status);
    SAY("none %d", index == MPI_UNDEFINED);
    MPI_Start(&requests[1]);
    MPI_Start(&requests[0]);
    int seen[2] = {0, 0};
    for (int i = 0; i < 2; i++) {
        MPI_Waitany(2, requests, &index, &status);
        seen[index]++;
    }
    SAY("each %d %d", seen[0], seen[1]);
    MPI_Request_free(&requests[0]);
    MPI_Request_free(&requests[1]);
    MPI_Type_free(&apart);
    MPI_Ssend_init(sent, 1, MPI_INT, next, 4, MPI_COMM_WORLD, &requests[0]);
    MPI_Start(&requests[0]);
    MPI_Recv(got, 1, MPI_INT, before, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
    MPI_Request_free(&requests[0]);
    SAY("synchronous %d", got[0]);
}

static int queried(void *extra, MPI_Status *status) {
    MPI_Status_set_elements(status, MPI_INT, *(int *)extra);
    MPI_Status_set_cancelled(status, 0);
    status->MPI_SOURCE = MPI_UNDEFINED;
    status->MPI_TAG = 77;
    return MPI_SUCCESS;
}

static int freed(void *extra) {
    *(int *)extra = -1;
    return MPI_SUCCESS;
}

static int cancelled(void *extra, int complete) {
    (void)extra;
    (void)complete;
    return MPI_SUCCESS;
}

static void several(void) {
    enum { N = 6 };
    int got[N], sent[N], indices[N], count, flag, total = 0, sum = 0, index;
    MPI_Request requests[N], others[N];
    MPI_Status statuses[N];
    for (int i = 0; i < N; i++) {
        sent[i] = 7 * rank + i;
        MPI_Irecv(&got[i], 1, MPI_INT, before, i, MPI_COMM_WORLD, &requests[i]);
        MPI_Isend(&sent[i], 1, MPI_INT, next, i, MPI_COMM_WORLD, &others[i]);
    }
    while (total < N) {
        MPI_Waitsome(N, requests, &count, indices, statuses);
        for (int i = 0; i < count; i++) {
            sum += got[indices[i]] + statuses[i].MPI_TAG;
        }
        total += count;
    }
    SAY("some %d %d", total, sum);
    MPI_Waitsome(N, requests, &count, indices, statuses);
    SAY("no more %d", count == MPI_UNDEFINED);
    MPI_Waitsome(0, NULL, &count, NULL, MPI_STATUSES_IGNORE);
    SAY("none at all %d", count == MPI_UNDEFINED);
    MPI_Testsome(N, requests, &count, indices, statuses);
    SAY("no more %d", count == MPI_UNDEFINED);
    MPI_Testany(N, requests, &index, &flag, statuses);
    SAY("no more %d %d", flag, index == MPI_UNDEFINED);
    MPI_Testall(N, requests, &flag, statuses);
    SAY("all %d", flag);
    MPI_Waitall(N, others, MPI_STATUSES_IGNORE);
    MPI_Irecv(got, 1, MPI_INT, before, 50, MPI_COMM_WORLD, &requests[0]);
    MPI_Testany(1, requests, &index, &flag, statuses);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Send(sent, 1, MPI_INT, next, 50, MPI_COMM_WORLD);
    do {
        MPI_Request_get_status(requests[0], &flag, statuses);
    } while (!flag);
    SAY("status of tag %d, still there %d", statuses[0].MPI_TAG, requests[0] != MPI_REQUEST_NULL);
    do {
        MPI_Testsome(1, requests, &count, indices, statuses);
    } while (count == 0);
    SAY("tested %d %d", count, got[0]);
    int elements = 3;
    MPI_Grequest_start(queried, freed, cancelled, &elements, &requests[0]);
    MPI_Test(&requests[0], &flag, statuses);
    SAY("general %d", flag);
    MPI_Grequest_complete(requests[0]);
    MPI_Wait(&requests[0], statuses);
    MPI_Get_count(statuses, MPI_INT, &count);
    SAY("general %d tag %d, freed %d", count, statuses[0].MPI_TAG, elements);
    MPI_Request none = MPI_REQUEST_NULL;
    MPI_Test(&none, &flag, statuses);
    MPI_Get_count(statuses, MPI_INT, &count);
    SAY("null %d %d %d %d", flag, statuses[0].MPI_SOURCE == MPI_ANY_SOURCE,
        statuses[0].MPI_TAG == MPI_ANY_TAG, count);
    MPI_Test_cancelled(statuses, &flag);
    SAY("cancelled %d", flag);
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    next = (rank + 1) % size;
    before = (rank + size - 1) % size;
    modes();
    probes();
    persistent();
    several();
    MPI_Finalize();
    return 0;
}
