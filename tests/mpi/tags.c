/* Tags that no message may have are refused, and what a library sends itself meets no call. */
#include <limits.h>
#include <mpi.h>
#include <stdio.h>

#define SAY(...) (printf("%d: ", rank), printf(__VA_ARGS__), printf("\n"))
#define WORLD MPI_COMM_WORLD
#define IS(call) is(#call, call)

static int rank, size, next, before;

static void is(const char *call, int code) {
    int class = -1;
    MPI_Error_class(code, &class);
    SAY("%s %s", call, class == MPI_SUCCESS ? "is right" : class == MPI_ERR_TAG ? "TAG" : "other");
}

static void sent(int tag, MPI_Comm comm) {
    int x = 0, y = 0;
    MPI_Request r;
    MPI_Status *none = MPI_STATUS_IGNORE;
    IS(MPI_Send(&x, 1, MPI_INT, next, tag, comm));
    IS(MPI_Ssend(&x, 1, MPI_INT, next, tag, comm));
    IS(MPI_Rsend(&x, 1, MPI_INT, next, tag, comm));
    IS(MPI_Bsend(&x, 0, MPI_INT, next, tag, comm));
    IS(MPI_Isend(&x, 1, MPI_INT, next, tag, comm, &r));
    IS(MPI_Issend(&x, 1, MPI_INT, next, tag, comm, &r));
    IS(MPI_Irsend(&x, 1, MPI_INT, next, tag, comm, &r));
    IS(MPI_Ibsend(&x, 0, MPI_INT, next, tag, comm, &r));
    IS(MPI_Send_init(&x, 1, MPI_INT, next, tag, comm, &r));
    IS(MPI_Ssend_init(&x, 1, MPI_INT, next, tag, comm, &r));
    IS(MPI_Rsend_init(&x, 1, MPI_INT, next, tag, comm, &r));
    IS(MPI_Bsend_init(&x, 1, MPI_INT, next, tag, comm, &r));
    IS(MPI_Send(&x, 1, MPI_DOUBLE_INT, next, tag, comm));
    IS(MPI_Send(&x, 1, MPI_INT, MPI_PROC_NULL, tag, comm));
    IS(MPI_Sendrecv(&x, 1, MPI_INT, next, tag, &y, 1, MPI_INT, before, 0, comm, none));
    IS(MPI_Sendrecv_replace(&x, 1, MPI_INT, next, tag, before, 0, comm, none));
}

static void received(int tag, MPI_Comm comm) {
    int x = 0, y = 0, flag;
    MPI_Request r;
    MPI_Message message;
    MPI_Status *none = MPI_STATUS_IGNORE;
    IS(MPI_Recv(&x, 1, MPI_INT, before, tag, comm, none));
    IS(MPI_Irecv(&x, 1, MPI_INT, before, tag, comm, &r));
    IS(MPI_Recv_init(&x, 1, MPI_INT, before, tag, comm, &r));
    IS(MPI_Probe(before, tag, comm, none));
    IS(MPI_Iprobe(before, tag, comm, &flag, none));
    IS(MPI_Mprobe(before, tag, comm, &message, none));
    IS(MPI_Improbe(before, tag, comm, &flag, &message, none));
    IS(MPI_Sendrecv(&x, 1, MPI_INT, next, 0, &y, 1, MPI_INT, before, tag, comm, none));
    IS(MPI_Sendrecv_replace(&x, 1, MPI_INT, next, 0, before, tag, comm, none));
}

static void of_communicators(int tag, MPI_Comm comm) {
    MPI_Group group;
    MPI_Comm own, made;
    MPI_Comm_group(comm, &group);
    IS(MPI_Comm_create_group(comm, group, tag, &made));
    MPI_Group_free(&group);
    MPI_Comm_split(comm, rank > 0, 0, &own);
    MPI_Comm_set_errhandler(own, MPI_ERRORS_RETURN);
    IS(MPI_Intercomm_create(own, 0, comm, rank > 0 ? 0 : 1, tag, &made));
    MPI_Comm_free(&own);
}

/* Both sides agree by any tag. */
static void between(int tag) {
    MPI_Comm half, made;
    int there = 0, sum = 0;
    MPI_Comm_split(WORLD, rank > 0, 0, &half);
    MPI_Intercomm_create(half, 0, WORLD, rank > 0 ? 0 : 1, tag, &made);
    MPI_Comm_remote_size(made, &there);
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, made);
    SAY("between: %d %d", there, sum);
    MPI_Comm_free(&made);
    MPI_Comm_free(&half);
}

/* Receives that take everything see nothing of collectives, windows and new communicators. */
static void apart(MPI_Comm comm) {
    int got = -1, sum = 0, flag = 0, *word;
    double numbers[64], sums[64];
    MPI_Request request, other;
    MPI_Comm copy, half, between;
    MPI_Win window;
    MPI_Irecv(&got, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &request);
    for (int i = 0; i < 64; i++) {
        numbers[i] = rank + i;
    }
    MPI_Allreduce(numbers, sums, 64, MPI_DOUBLE, MPI_SUM, comm);
    MPI_Iallreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, comm, &other);
    MPI_Wait(&other, MPI_STATUS_IGNORE);
    MPI_Comm_dup(comm, &copy);
    MPI_Comm_free(&copy);
    MPI_Comm_split(comm, rank > 0, 0, &half);
    MPI_Intercomm_create(half, 0, comm, rank > 0 ? 0 : 1, 5, &between);
    MPI_Comm_free(&between);
    MPI_Comm_free(&half);
    MPI_Win_allocate(sizeof *word, sizeof *word, MPI_INFO_NULL, comm, &word, &window);
    MPI_Win_fence(0, window);
    MPI_Win_free(&window);
    MPI_Barrier(comm);
    MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
    SAY("%g %d, taken %d %d", sums[63], sum, flag, got);
    MPI_Barrier(comm);
    MPI_Send(&rank, 1, MPI_INT, next, 7, comm);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    SAY("then %d", got);
}

static int called;

static void note(MPI_Comm *comm, int *code, ...) {
    int class;
    MPI_Error_class(*code, &class);
    called += class == MPI_ERR_TAG && *comm == WORLD;
}

int main(int argc, char **argv) {
    int *most, flag, x = 0;
    MPI_Errhandler handler;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(WORLD, &rank);
    MPI_Comm_size(WORLD, &size);
    next = (rank + 1) % size;
    before = (rank + size - 1) % size;
    MPI_Comm_get_attr(WORLD, MPI_TAG_UB, &most, &flag);
    MPI_Comm_set_errhandler(WORLD, MPI_ERRORS_RETURN);
    /* No int is above the largest tag of some libraries. */
    int wrong[] = {-7, -(1 << 30) - 3, *most < INT_MAX ? *most + 1 : INT_MIN};
    for (int i = 0; i < 3; i++) {
        sent(wrong[i], WORLD);
        received(wrong[i], WORLD);
        of_communicators(wrong[i], WORLD);
    }
    sent(MPI_ANY_TAG, WORLD);
    of_communicators(MPI_ANY_TAG, WORLD);
    apart(WORLD);
    MPI_Sendrecv(&rank, 1, MPI_INT, next, *most, &x, 1, MPI_INT, before, *most, WORLD,
                 MPI_STATUS_IGNORE);
    SAY("the largest tag brings %d", x);
    between(*most);
    between(0);
    MPI_Comm_create_errhandler(note, &handler);
    MPI_Comm_set_errhandler(WORLD, handler);
    IS(MPI_Send(&x, 1, MPI_INT, next, -7, WORLD));
    SAY("the handler was called %d times", called);
    MPI_Finalize();
    return 0;
}
