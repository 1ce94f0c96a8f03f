/* Groups, and communicators made of them. */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

static int rank;
static int size;

#define SAY(...) (printf("%d: ", rank), printf(__VA_ARGS__), printf("\n"))

static void show(const char *what, MPI_Group group) {
    MPI_Group world;
    int count, own, ranks[16], there[16];
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_size(group, &count);
    MPI_Group_rank(group, &own);
    for (int i = 0; i < count; i++) {
        ranks[i] = i;
    }
    MPI_Group_translate_ranks(group, count, ranks, world, there);
    printf("%d: %s %d, own %d:", rank, what, count, own == MPI_UNDEFINED ? -1 : own);
    for (int i = 0; i < count; i++) {
        printf(" %d", there[i]);
    }
    printf("\n");
    MPI_Group_free(&world);
}

static int named(int result) {
    return result == MPI_IDENT ? 0 : result == MPI_CONGRUENT ? 1 : result == MPI_SIMILAR ? 2 : 3;
}

static void algebra(void) {
    MPI_Group world, even, low, made;
    int result, ranks[16], count = 0;
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    for (int i = size - 1; i >= 0; i--) {
        if (i % 2 == 0) {
            ranks[count++] = i;
        }
    }
    MPI_Group_incl(world, count, ranks, &even);
    show("even", even);
    int range[1][3] = {{0, size / 2, 1}};
    MPI_Group_range_incl(world, 1, range, &low);
    show("low", low);
    MPI_Group_union(even, low, &made);
    show("union", made);
    MPI_Group_compare(made, world, &result);
    SAY("compare %d", named(result));
    MPI_Group_free(&made);
    MPI_Group_intersection(even, low, &made);
    show("intersection", made);
    MPI_Group_free(&made);
    MPI_Group_difference(even, low, &made);
    show("difference", made);
    SAY("is empty %d", made == MPI_GROUP_EMPTY);
    if (made != MPI_GROUP_EMPTY) {
        MPI_Group_free(&made);
    }
    MPI_Group_excl(world, count, ranks, &made);
    if (size > 1) {
        show("odd", made);
        MPI_Group_free(&made);
    }
    int back[1][3] = {{size - 1, 0, -2}};
    MPI_Group_range_incl(world, 1, back, &made);
    show("backwards", made);
    MPI_Group_compare(made, even, &result);
    SAY("compare %d", named(result));
    MPI_Group_free(&made);
    if (size > 2) {
        int some[2][3] = {{0, 0, 1}, {2, size - 1, 2}};
        MPI_Group_range_excl(world, 2, some, &made);
        show("range_excl", made);
        MPI_Group_free(&made);
    }
    int asked[2] = {MPI_PROC_NULL, 0}, found[2];
    MPI_Group_translate_ranks(world, 2, asked, low, found);
    SAY("translated %d %d", found[0] == MPI_PROC_NULL, found[1]);
    show("empty", MPI_GROUP_EMPTY);
    MPI_Group_free(&even);
    MPI_Group_free(&low);
    MPI_Group_free(&world);
    SAY("null %d", world == MPI_GROUP_NULL);
}

static void report(const char *what, MPI_Comm comm) {
    if (comm == MPI_COMM_NULL) {
        SAY("%s: none", what);
        return;
    }
    int own, count, sum = 0, first = rank;
    MPI_Comm_rank(comm, &own);
    MPI_Comm_size(comm, &count);
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, comm);
    MPI_Bcast(&first, 1, MPI_INT, count - 1, comm);
    SAY("%s: rank %d of %d, sum %d, last %d", what, own, count, sum, first);
}

static void communicators(void) {
    MPI_Group world, even, mine;
    MPI_Comm made, again;
    int result, ranks[16], count = 0;
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    for (int i = size - 1; i >= 0; i--) {
        if (i % 2 == 0) {
            ranks[count++] = i;
        }
    }
    MPI_Group_incl(world, count, ranks, &even);
    MPI_Comm_create(MPI_COMM_WORLD, even, &made);
    report("create", made);
    if (made != MPI_COMM_NULL) {
        MPI_Comm_compare(made, MPI_COMM_WORLD, &result);
        SAY("compare %d", named(result));
        MPI_Comm_free(&made);
    }
    /* Groups that have no member in common. */
    if (size > 1) {
        int low = rank < size / 2;
        int range[1][3] = {{low ? 0 : size / 2, low ? size / 2 - 1 : size - 1, 1}};
        MPI_Group_range_incl(world, 1, range, &mine);
        MPI_Comm_create(MPI_COMM_WORLD, mine, &made);
        report("halves", made);
        MPI_Comm_free(&made);
        MPI_Comm_create_group(MPI_COMM_WORLD, mine, low, &made);
        report("create_group", made);
        MPI_Comm_create_group(made, mine, 5, &again);
        report("create_group again", again);
        MPI_Comm_compare(made, again, &result);
        SAY("compare %d", named(result));
        MPI_Comm_free(&again);
        MPI_Comm_free(&made);
        MPI_Group_free(&mine);
    }
    if (rank % 2 == 0) {
        MPI_Comm_create_group(MPI_COMM_WORLD, even, 3, &made);
        report("only some call", made);
        MPI_Comm_free(&made);
    }
    MPI_Comm_dup(MPI_COMM_WORLD, &made);
    report("dup", made);
    MPI_Comm_compare(made, MPI_COMM_WORLD, &result);
    SAY("compare %d", named(result));
    MPI_Comm_compare(made, made, &result);
    SAY("compare %d", named(result));
    MPI_Comm_split(made, 0, -rank, &again);
    report("split", again);
    MPI_Comm_compare(made, again, &result);
    SAY("compare %d", size > 1 ? named(result) : 2);
    MPI_Comm_free(&again);
    MPI_Comm_free(&made);
    MPI_Request request;
    MPI_Comm_idup(MPI_COMM_WORLD, &made, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    report("idup", made);
    MPI_Comm_free(&made);
    MPI_Group_free(&even);
    MPI_Group_free(&world);
    int flag;
    MPI_Comm_test_inter(MPI_COMM_WORLD, &flag);
    SAY("inter %d", flag);
    char name[MPI_MAX_OBJECT_NAME];
    int length;
    MPI_Comm_get_name(MPI_COMM_WORLD, name, &length);
    SAY("%s %d", name, length);
    MPI_Comm_dup(MPI_COMM_WORLD, &made);
    MPI_Comm_set_name(made, "of mine");
    MPI_Comm_get_name(made, name, &length);
    SAY("%s %d", name, length);
    MPI_Comm_free(&made);
    SAY("null %d", made == MPI_COMM_NULL);
}

int main(int argc, char **argv) {
    int flag;
    MPI_Initialized(&flag);
    int before = flag;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Initialized(&flag);
    SAY("initialized %d %d", before, flag);
    algebra();
    communicators();
    MPI_Finalized(&flag);
    SAY("finalized %d", flag);
    MPI_Finalize();
    MPI_Finalized(&flag);
    SAY("finalized %d", flag);
    return 0;
}
