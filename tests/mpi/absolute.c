/* Types with absolute addresses beside MPI_BOTTOM, in every call that takes a buffer. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST = 64 };

static int rank;
static int size;
static int given[MOST], got[MOST];
static int counts[16], places[16], zeros[16];
static MPI_Aint far_zeros[16];
static MPI_Comm ring;
static MPI_Datatype from, into, each_from[16], each_into[16];

/* Pairs of ints from this address on, with an int between the two and one behind them if `step` is
 * 2. */
static MPI_Datatype at(int *place, int step) {
    MPI_Datatype pair, made;
    MPI_Aint places[2];
    MPI_Get_address(place, &places[0]);
    MPI_Get_address(place + step, &places[1]);
    MPI_Type_create_hindexed_block(2, 1, places, MPI_INT, &pair);
    MPI_Type_create_resized(pair, places[0], 2 * step * (MPI_Aint)sizeof(int), &made);
    MPI_Type_commit(&made);
    MPI_Type_free(&pair);
    return made;
}

static void fill(void) {
    for (int i = 0; i < MOST; i++) {
        given[i] = 1000 * rank + i;
        got[i] = -1;
    }
}

static void say(const char *call, int count) {
    printf("%d: %s", rank, call);
    for (int i = 0; i < count; i++) {
        printf(" %d", got[i]);
    }
    printf("\n");
}

#define ON(comm, Name, name, count, ...)                                                           \
    do {                                                                                           \
        MPI_Request request;                                                                       \
        fill();                                                                                    \
        MPI_##Name(__VA_ARGS__, comm);                                                             \
        say(#Name, count);                                                                         \
        fill();                                                                                    \
        MPI_I##name(__VA_ARGS__, comm, &request);                                                  \
        MPI_Wait(&request, MPI_STATUS_IGNORE);                                                     \
        say("I" #name, count);                                                                     \
        fill();                                                                                    \
        MPI_##Name##_init(__VA_ARGS__, comm, MPI_INFO_NULL, &request);                             \
        MPI_Start(&request);                                                                       \
        MPI_Wait(&request, MPI_STATUS_IGNORE);                                                     \
        MPI_Request_free(&request);                                                                \
        say(#Name "_init", count);                                                                 \
    } while (0)
#define FORMS(...) ON(MPI_COMM_WORLD, __VA_ARGS__)
#define BOTH MPI_BOTTOM, 1, from, MPI_BOTTOM, 1, into
#define EACH MPI_BOTTOM, counts, places, from, MPI_BOTTOM, counts, places, into

static void collectives(void) {
    int all = 4 * size;
    int is_root = rank == 1;
    FORMS(Bcast, bcast, 4, MPI_BOTTOM, 1, is_root ? from : into, 1);
    FORMS(Gather, gather, is_root ? all : 0, BOTH, 1);
    FORMS(Scatter, scatter, 4, BOTH, 1);
    FORMS(Allgather, allgather, all, BOTH);
    FORMS(Alltoall, alltoall, all, BOTH);
    FORMS(Gatherv, gatherv, is_root ? all : 0, MPI_BOTTOM, 1, from, MPI_BOTTOM, counts, places,
          into, 1);
    FORMS(Scatterv, scatterv, 4, MPI_BOTTOM, counts, places, from, MPI_BOTTOM, 1, into, 1);
    FORMS(Allgatherv, allgatherv, all, MPI_BOTTOM, 1, from, MPI_BOTTOM, counts, places, into);
    FORMS(Alltoallv, alltoallv, all, EACH);
    FORMS(Alltoallw, alltoallw, all, MPI_BOTTOM, counts, zeros, each_from, MPI_BOTTOM, counts,
          zeros, each_into);
    all = 8;
    ON(ring, Neighbor_allgather, neighbor_allgather, all, BOTH);
    ON(ring, Neighbor_allgatherv, neighbor_allgatherv, all, MPI_BOTTOM, 1, from, MPI_BOTTOM, counts,
       places, into);
    ON(ring, Neighbor_alltoall, neighbor_alltoall, all, BOTH);
    ON(ring, Neighbor_alltoallv, neighbor_alltoallv, all, EACH);
    ON(ring, Neighbor_alltoallw, neighbor_alltoallw, all, MPI_BOTTOM, counts, far_zeros, each_from,
       MPI_BOTTOM, counts, far_zeros, each_into);
}

static void messages(void) {
    int to = (rank + 1) % size, source = (rank + size - 1) % size, at = 0;
    char room[4096], packed[64];
    void *detached;
    MPI_Request requests[2];
    MPI_Message message;
    MPI_Buffer_attach(room, sizeof room);
    fill();
    MPI_Bsend(MPI_BOTTOM, 1, from, to, 0, MPI_COMM_WORLD);
    MPI_Recv(MPI_BOTTOM, 1, into, source, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    say("recv", 4);
    MPI_Buffer_detach(&detached, &at);
    fill();
    MPI_Irecv(MPI_BOTTOM, 1, into, source, 0, MPI_COMM_WORLD, &requests[0]);
    MPI_Isend(MPI_BOTTOM, 1, from, to, 0, MPI_COMM_WORLD, &requests[1]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    say("irecv", 4);
    fill();
    MPI_Sendrecv(MPI_BOTTOM, 1, from, to, 0, MPI_BOTTOM, 1, into, source, 0, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    say("sendrecv", 4);
    MPI_Sendrecv_replace(MPI_BOTTOM, 1, into, to, 0, source, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    say("replace", 4);
    fill();
    MPI_Recv_init(MPI_BOTTOM, 1, into, source, 0, MPI_COMM_WORLD, &requests[0]);
    MPI_Ssend_init(MPI_BOTTOM, 1, from, to, 0, MPI_COMM_WORLD, &requests[1]);
    MPI_Startall(2, requests);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    say("recv_init", 4);
    MPI_Request_free(&requests[0]);
    MPI_Request_free(&requests[1]);
    fill();
    MPI_Isend(MPI_BOTTOM, 1, from, to, 0, MPI_COMM_WORLD, &requests[0]);
    MPI_Mprobe(source, 0, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE);
    MPI_Mrecv(MPI_BOTTOM, 1, into, &message, MPI_STATUS_IGNORE);
    MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
    say("mrecv", 4);
    fill();
    at = 0;
    MPI_Pack(MPI_BOTTOM, 1, from, packed, sizeof packed, &at, MPI_COMM_WORLD);
    at = 0;
    MPI_Unpack(packed, sizeof packed, &at, MPI_BOTTOM, 1, into, MPI_COMM_WORLD);
    say("unpack", 4);
}

/* The absolute addresses are those of the target, where every rank has its own. */
static void windows(void) {
    int to = (rank + 1) % size, before = (rank + size - 1) % size;
    MPI_Aint place, its_place;
    MPI_Datatype there;
    MPI_Win window;
    MPI_Get_address(got, &place);
    MPI_Sendrecv(&place, 1, MPI_AINT, before, 0, &its_place, 1, MPI_AINT, to, 0, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    there = at((int *)its_place, 2);
    MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    MPI_Win_attach(window, got, sizeof got);
    fill();
    MPI_Win_fence(0, window);
    MPI_Put(MPI_BOTTOM, 1, from, to, 0, 1, there, window);
    MPI_Win_fence(0, window);
    say("put", 4);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Accumulate(MPI_BOTTOM, 1, from, to, 0, 1, there, MPI_SUM, window);
    MPI_Win_fence(0, window);
    say("accumulate", 4);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Get(MPI_BOTTOM, 1, from, to, 0, 1, there, window);
    MPI_Win_fence(0, window);
    printf("%d: get %d %d\n", rank, given[0], given[2]);
    MPI_Win_detach(window, got);
    MPI_Win_free(&window);
    MPI_Type_free(&there);
}

static void all(int step) {
    from = at(given, step);
    into = at(got, step);
    for (int i = 0; i < size; i++) {
        each_from[i] = at(given + 4 * i, step);
        each_into[i] = at(got + 4 * i, step);
        counts[i] = 1;
        places[i] = i;
    }
    collectives();
    messages();
    if (step == 2) {
        windows();
    }
    MPI_Type_free(&from);
    MPI_Type_free(&into);
    for (int i = 0; i < size; i++) {
        MPI_Type_free(&each_from[i]);
        MPI_Type_free(&each_into[i]);
    }
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int periodic = 1;
    MPI_Cart_create(MPI_COMM_WORLD, 1, &size, &periodic, 0, &ring);
    all(1);
    all(2);
    MPI_Comm_free(&ring);
    MPI_Finalize();
    return 0;
}
