/* Collectives that several threads of a rank begin and wait for, each in a communicator of its own.
 */
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>

#define SAY(...) (printf("%d: ", rank), printf(__VA_ARGS__), printf("\n"))
#define WORLD MPI_COMM_WORLD

enum { THREADS = 5, TURNS = 20, WORDS = 9 };

static int rank, ranks, wrong[THREADS];
static MPI_Comm comms[THREADS];

static int sum_of(int first) {
    return ranks * first + ranks * (ranks - 1) / 2;
}

/* Begun and waited for, begun and tested, or waited for in one call. */
static void *sum(void *argument) {
    int me = (int)(long)argument, next = (rank + 1) % ranks, before = (rank + ranks - 1) % ranks;
    for (int turn = 0; turn < TURNS; turn++) {
        int own[WORDS], all[WORDS] = {0}, said = 100 * me + turn, heard = -1, index = 0;
        MPI_Request requests[2];
        for (int i = 0; i < WORDS; i++) {
            own[i] = rank + 7 * me + turn + i;
        }
        if ((me + turn) % 4 == 3) {
            MPI_Allreduce(own, all, WORDS, MPI_INT, MPI_SUM, comms[me]);
            MPI_Sendrecv(&said, 1, MPI_INT, next, me, &heard, 1, MPI_INT, before, me, comms[me],
                         MPI_STATUS_IGNORE);
        } else {
            MPI_Iallreduce(own, all, WORDS, MPI_INT, MPI_SUM, comms[me], &requests[0]);
            MPI_Irecv(&heard, 1, MPI_INT, before, me, comms[me], &requests[1]);
            MPI_Send(&said, 1, MPI_INT, next, me, comms[me]);
            if ((me + turn) % 4 == 2) {
                for (int done = 0; !done;) {
                    MPI_Testall(2, requests, &done, MPI_STATUSES_IGNORE);
                }
            } else if ((me + turn) % 4 == 1) {
                MPI_Waitany(2, requests, &index, MPI_STATUS_IGNORE);
                MPI_Waitany(2, requests, &index, MPI_STATUS_IGNORE);
            } else {
                MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
            }
        }
        wrong[me] += heard != said;
        for (int i = 0; i < WORDS; i++) {
            wrong[me] += all[i] != sum_of(7 * me + turn + i);
        }
    }
    return NULL;
}

/* One rank still has a collective beside the next one, which others have not. */
static void beside(void) {
    for (int turn = 0; turn < 4; turn++) {
        int word = 10 * rank + turn, total = -1;
        MPI_Request request;
        if (rank == turn % ranks) {
            double end = MPI_Wtime() + 1e-4;
            while (MPI_Wtime() < end) {
            }
        }
        MPI_Ibarrier(comms[0], &request);
        if (rank != turn % ranks) {
            MPI_Wait(&request, MPI_STATUS_IGNORE);
        }
        MPI_Bcast(&word, 1, MPI_INT, turn % ranks, comms[1]);
        if (rank == turn % ranks) {
            MPI_Wait(&request, MPI_STATUS_IGNORE);
        }
        MPI_Iallreduce(&word, &total, 1, MPI_INT, MPI_SUM, comms[1], &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        SAY("turn %d: %d %d", turn, word, total);
    }
}

int main(int argc, char **argv) {
    int level;
    pthread_t threads[THREADS];
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    MPI_Comm_rank(WORLD, &rank);
    MPI_Comm_size(WORLD, &ranks);
    for (int i = 0; i < THREADS; i++) {
        MPI_Comm_dup(WORLD, &comms[i]);
    }
    beside();
    for (long i = 0; i < THREADS; i++) {
        pthread_create(&threads[i], NULL, sum, (void *)i);
    }
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
        SAY("thread %d: %d wrong", i, wrong[i]);
        MPI_Comm_free(&comms[i]);
    }
    MPI_Finalize();
    return 0;
}
