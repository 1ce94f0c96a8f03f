/* Messages between two sides, the odd ranks and the even ones, without computing. A simulator runs
 * what a trace has of it: one communicator of both sides, in which the even ranks come first. */
#include <mpi.h>

enum { VALUES = 300, RANKS = 4 };

static int rank, size, others, others_at;
static double sent[VALUES], received[2][VALUES];

static void messages(MPI_Comm sides, int own) {
    MPI_Request requests[2];
    MPI_Message message;
    int peer = others_at + own % others;
    if (rank % 2 == 0) {
        MPI_Send(sent, VALUES, MPI_DOUBLE, peer, 1, sides);
        MPI_Recv(received[0], VALUES, MPI_DOUBLE, MPI_ANY_SOURCE, 2, sides, MPI_STATUS_IGNORE);
    } else {
        MPI_Mprobe(peer, 1, sides, &message, MPI_STATUS_IGNORE);
        MPI_Mrecv(received[0], VALUES, MPI_DOUBLE, &message, MPI_STATUS_IGNORE);
        MPI_Send(sent, 3, MPI_DOUBLE, peer, 2, sides);
    }
    MPI_Irecv(received[0], VALUES, MPI_DOUBLE, peer, 3, sides, &requests[0]);
    MPI_Isend(sent, 7, MPI_DOUBLE, peer, 3, sides, &requests[1]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    MPI_Sendrecv(sent, 5, MPI_DOUBLE, peer, 4, received[0], VALUES, MPI_DOUBLE, peer, 4, sides,
                 MPI_STATUS_IGNORE);
}

#ifdef MGEN_MPI_H
static void join(const int *ranks, int tag, MPI_Comm *made) {
    MPI_Group all, group;
    MPI_Comm_group(MPI_COMM_WORLD, &all);
    MPI_Group_incl(all, RANKS, ranks, &group);
    MPI_Comm_create_group(MPI_COMM_WORLD, group, tag, made);
    MPI_Group_free(&group);
    MPI_Group_free(&all);
}

static void connect(MPI_Comm half, MPI_Comm *made) {
    (void)half;
    join((const int[]){2, 0, 3, 1}, 9, made);
    others = RANKS / 2;
    others_at = rank % 2 == 0 ? others : 0;
}

static void merge(MPI_Comm sides, MPI_Comm *made) {
    (void)sides;
    join((const int[]){3, 1, 2, 0}, 0, made);
}
#else
/* The leaders are the highest ranks of the sides. */
static void connect(MPI_Comm half, MPI_Comm *made) {
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, rank % 2 ? size - 2 : size - 1, 9, made);
    MPI_Comm_remote_size(*made, &others);
}

static void merge(MPI_Comm sides, MPI_Comm *made) {
    MPI_Intercomm_merge(sides, rank % 2 == 0, made);
}
#endif

int main(int argc, char **argv) {
    MPI_Comm half, sides, copy, all;
    int own;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, -rank, &half);
    MPI_Comm_rank(half, &own);
    connect(half, &sides);
    messages(sides, own);
    MPI_Comm_dup(sides, &copy);
    messages(copy, own);
    merge(copy, &all);
    MPI_Allreduce(sent, received[0], 4, MPI_DOUBLE, MPI_SUM, all);
    MPI_Comm_free(&all);
    MPI_Comm_free(&copy);
    MPI_Comm_free(&sides);
    MPI_Comm_free(&half);
    MPI_Finalize();
    return 0;
}
