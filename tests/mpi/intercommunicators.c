/* Two groups of ranks that send to each other: messages, collectives, and communicators made of
 * both. The even ranks of the world are one side, the odd ones the other. */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

static int rank, size, own, count, others;
static MPI_Comm half, inter;

#define SAY(...) (printf("%d: ", rank), printf(__VA_ARGS__), printf("\n"))

/* What a rank gives as the root of a collective whose root is rank 0 of the even side. */
static int root(void) {
    return rank % 2 == 1 ? 0 : own == 0 ? MPI_ROOT : MPI_PROC_NULL;
}

static int gets_from_root(void) {
    return rank % 2 == 1;
}

static void show(const char *what, const int *values, int length) {
    printf("%d: %s", rank, what);
    for (int i = 0; i < length; i++) {
        printf(" %d", values[i]);
    }
    printf("\n");
}

static void facts(void) {
    int flag, result, first = 0, there;
    MPI_Group group, world;
    MPI_Comm_test_inter(inter, &flag);
    MPI_Comm_rank(inter, &own);
    MPI_Comm_size(inter, &count);
    MPI_Comm_remote_size(inter, &others);
    SAY("inter %d, rank %d of %d, %d others", flag, own, count, others);
    MPI_Comm_remote_group(inter, &group);
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_translate_ranks(group, 1, &first, world, &there);
    MPI_Group_rank(group, &flag);
    SAY("first of the others %d, mine %d", there, flag == MPI_UNDEFINED);
    MPI_Group_free(&group);
    MPI_Comm_group(inter, &group);
    MPI_Group_translate_ranks(group, 1, &first, world, &there);
    SAY("first of mine %d", there);
    MPI_Group_free(&group);
    MPI_Group_free(&world);
    MPI_Comm_compare(inter, half, &result);
    SAY("unequal %d", result == MPI_UNEQUAL);
    MPI_Comm_compare(inter, inter, &result);
    SAY("same %d", result == MPI_IDENT);
    MPI_Comm parent = half;
    MPI_Comm_get_parent(&parent);
    SAY("no parent %d", parent == MPI_COMM_NULL);
}

static void messages(MPI_Comm comm) {
    MPI_Status status;
    MPI_Request requests[8];
    int got[8], left = 10 * rank, flag = 0;
    memset(got, 0, sizeof got);
    for (int i = 0; i < others; i++) {
        MPI_Irecv(&got[i], 1, MPI_INT, i, 3, comm, &requests[i]);
    }
    for (int i = 0; i < others; i++) {
        MPI_Send(&left, 1, MPI_INT, i, 3, comm);
    }
    MPI_Waitall(others, requests, MPI_STATUSES_IGNORE);
    show("got", got, others);
    if (own < others) {
        MPI_Sendrecv(&rank, 1, MPI_INT, own, 4, got, 1, MPI_INT, own, 4, comm, &status);
        SAY("exchanged with %d of the world, %d there, tag %d", got[0], status.MPI_SOURCE,
            status.MPI_TAG);
        MPI_Isend(&left, 1, MPI_INT, own, 5, comm, &requests[0]);
        MPI_Probe(MPI_ANY_SOURCE, 5, comm, &status);
        SAY("seen from %d", status.MPI_SOURCE);
        MPI_Recv(got, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &status);
        SAY("%d from %d", got[0], status.MPI_SOURCE);
        MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
    }
    MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &flag, &status);
    SAY("more %d", flag);
}

static void rooted(void) {
    int values[16], all[16], counts[8], places[8], two[2] = {rank, -rank};
    memset(all, 0, sizeof all);
    for (int i = 0; i < 16; i++) {
        values[i] = 100 * rank + i;
    }
    for (int i = 0; i < 8; i++) {
        counts[i] = 1 + i % 2;
        places[i] = 3 * (7 - i) % 9;
    }
    int passed[2] = {rank + 1, rank + 2};
    MPI_Bcast(passed, 2, MPI_INT, root(), inter);
    show("bcast", passed, 2);
    MPI_Reduce(two, all, 2, MPI_INT, MPI_SUM, root(), inter);
    show("reduce", all, 2);
    MPI_Gather(two, 2, MPI_INT, all, 2, MPI_INT, root(), inter);
    show("gather", all, 8);
    MPI_Gatherv(values, counts[own], MPI_INT, all, counts, places, MPI_INT, root(), inter);
    show("gatherv", all, 16);
    memset(all, 0, sizeof all);
    MPI_Scatter(values, 2, MPI_INT, all, 2, MPI_INT, root(), inter);
    show("scatter", all, 4);
    MPI_Scatterv(values, counts, places, MPI_INT, all, counts[own], MPI_INT, root(), inter);
    show("scatterv", all, 4);
    MPI_Datatype pairs;
    MPI_Type_vector(2, 1, 3, MPI_INT, &pairs);
    MPI_Type_commit(&pairs);
    memset(all, 0, sizeof all);
    MPI_Bcast(gets_from_root() ? all : values, 1, pairs, root(), inter);
    show("spaced", all, 6);
    MPI_Type_free(&pairs);
}

static void of_all(void) {
    int values[16], all[16], counts[8], places[8], result;
    memset(all, 0, sizeof all);
    for (int i = 0; i < 16; i++) {
        values[i] = 100 * rank + i;
    }
    for (int i = 0; i < 8; i++) {
        counts[i] = 1;
        places[i] = 2 * i;
    }
    MPI_Barrier(inter);
    MPI_Allreduce(&rank, &result, 1, MPI_INT, MPI_MAX, inter);
    SAY("largest of the others %d", result);
    MPI_Allgather(values, 2, MPI_INT, all, 2, MPI_INT, inter);
    show("allgather", all, 8);
    memset(all, 0, sizeof all);
    MPI_Allgatherv(&rank, 1, MPI_INT, all, counts, places, MPI_INT, inter);
    show("allgatherv", all, 8);
    MPI_Alltoall(values, 1, MPI_INT, all, 1, MPI_INT, inter);
    show("alltoall", all, 8);
    MPI_Alltoallv(values, counts, places, MPI_INT, all, counts, places, MPI_INT, inter);
    show("alltoallv", all, 8);
    int parts[16];
    for (int i = 0; i < 16; i++) {
        parts[i] = rank + i;
    }
    MPI_Reduce_scatter_block(parts, all, others, MPI_INT, MPI_SUM, inter);
    show("block", all, others);
    for (int i = 0; i < count; i++) {
        counts[i] = i == 0 ? count * others - (count - 1) : 1;
    }
    MPI_Reduce_scatter(parts, all, counts, MPI_INT, MPI_SUM, inter);
    show("parts", all, counts[own]);
}

static void begun(void) {
    MPI_Request requests[5];
    int passed = rank, sum = 0, all[16], more[16];
    memset(all, 0, sizeof all);
    memset(more, 0, sizeof more);
    MPI_Ibcast(&passed, 1, MPI_INT, root(), inter, &requests[0]);
    MPI_Iallreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, inter, &requests[1]);
    MPI_Iallgather(&rank, 1, MPI_INT, all, 1, MPI_INT, inter, &requests[2]);
    MPI_Igather(&rank, 1, MPI_INT, more, 1, MPI_INT, root(), inter, &requests[3]);
    MPI_Ibarrier(inter, &requests[4]);
    MPI_Waitall(5, requests, MPI_STATUSES_IGNORE);
    SAY("begun %d %d", passed, sum);
    show("all", all, others);
    show("at the root", more, others);
}

static void made_of_it(void) {
    MPI_Comm merged, copy, part;
    int place, sum, result, flag;
    for (int high = 0; high < 3; high++) {
        MPI_Intercomm_merge(inter, high == 2 ? 0 : (rank + high) % 2, &merged);
        MPI_Comm_rank(merged, &place);
        MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, merged);
        MPI_Comm_test_inter(merged, &flag);
        SAY("merged %d: rank %d, sum %d, inter %d", high, place, sum, flag);
        MPI_Comm_free(&merged);
    }
    MPI_Comm_dup(inter, &copy);
    MPI_Comm_compare(inter, copy, &result);
    SAY("congruent %d", result == MPI_CONGRUENT);
    messages(copy);
    MPI_Comm_disconnect(&copy);
    SAY("null %d", copy == MPI_COMM_NULL);
    /* One side frees it before the other receives. */
    MPI_Comm_dup(inter, &copy);
    int got = -1;
    if (rank % 2 == 0 && own < others) {
        MPI_Send(&rank, 1, MPI_INT, own, 6, copy);
    }
    if (rank % 2 == 0) {
        MPI_Comm_free(&copy);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank % 2 == 1) {
        if (own < others) {
            MPI_Recv(&got, 1, MPI_INT, own, 6, copy, MPI_STATUS_IGNORE);
        }
        MPI_Comm_free(&copy);
    }
    SAY("got %d", got);
    MPI_Comm_split(inter, own == 0 ? 1 : MPI_UNDEFINED, 0, &part);
    if (part == MPI_COMM_NULL) {
        SAY("no part");
    } else {
        MPI_Comm_size(part, &place);
        MPI_Comm_remote_size(part, &result);
        MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, part);
        SAY("part of %d and %d: %d", place, result, sum);
        MPI_Comm_free(&part);
    }
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - rank % 2, 9, &inter);
    facts();
    messages(inter);
    rooted();
    of_all();
    begun();
    made_of_it();
    MPI_Comm_free(&inter);
    MPI_Finalize();
    return 0;
}
