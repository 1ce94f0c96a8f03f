/* Groups: lists of ranks of MPI_COMM_WORLD. */
#include "mpi_comms.h"

enum { FIRST_GROUP = 2 };

static const struct members_of EMPTY;

const struct members_of *mgen_group(const char *call, MPI_Group group) {
    mgen_called(call);
    const struct members_of *found = group == MPI_GROUP_EMPTY
                                         ? &EMPTY
                                         : mgen_table_get(&mgen_mpi()->groups, group - FIRST_GROUP);
    if (found == NULL) {
        mgen_fails(call, group == MPI_GROUP_NULL ? "MPI_GROUP_NULL is not a group"
                                                 : "there is no such group");
    }
    return found;
}

MPI_Group mgen_group_new(int *ranks, int size) {
    if (size == 0) {
        free(ranks);
        return MPI_GROUP_EMPTY;
    }
    struct members_of *made = mgen_memory(sizeof *made);
    *made = (struct members_of){size, ranks};
    return FIRST_GROUP + mgen_table_add(&mgen_mpi()->groups, made);
}

static int *list(int size) {
    return mgen_memory((size_t)size * sizeof(int));
}

static int place_of(const struct members_of *members, int rank) {
    for (int i = 0; i < members->size; i++) {
        if (members->ranks[i] == rank) {
            return i;
        }
    }
    return MPI_UNDEFINED;
}

int MPI_Comm_group(MPI_Comm comm, MPI_Group *group) {
    mgen_comm_of(__func__, comm);
    int size = mgen_comm_size(comm);
    int *ranks = list(size);
    for (int i = 0; i < size; i++) {
        ranks[i] = mgen_comm_member(comm, i);
    }
    *group = mgen_group_new(ranks, size);
    return MPI_SUCCESS;
}

int MPI_Group_size(MPI_Group group, int *size) {
    *size = mgen_group(__func__, group)->size;
    return MPI_SUCCESS;
}

int MPI_Group_rank(MPI_Group group, int *rank) {
    mgen_called(__func__);
    *rank = place_of(mgen_group(__func__, group), mgen_comm_rank(MPI_COMM_WORLD));
    return MPI_SUCCESS;
}

int MPI_Group_translate_ranks(MPI_Group group, int count, const int *ranks, MPI_Group other,
                              int *found) {
    const struct members_of *from = mgen_group(__func__, group);
    const struct members_of *to = mgen_group(__func__, other);
    for (int i = 0; i < count; i++) {
        if (ranks[i] == MPI_PROC_NULL) {
            found[i] = MPI_PROC_NULL;
            continue;
        }
        if (ranks[i] < 0 || ranks[i] >= from->size) {
            return mgen_fails(__func__, "the group has no such rank");
        }
        found[i] = place_of(to, from->ranks[ranks[i]]);
    }
    return MPI_SUCCESS;
}

int MPI_Group_compare(MPI_Group one, MPI_Group other, int *result) {
    const struct members_of *a = mgen_group(__func__, one);
    const struct members_of *b = mgen_group(__func__, other);
    *result = a->size == b->size ? MPI_IDENT : MPI_UNEQUAL;
    for (int i = 0; i < a->size && *result != MPI_UNEQUAL; i++) {
        int place = place_of(b, a->ranks[i]);
        if (place == MPI_UNDEFINED) {
            *result = MPI_UNEQUAL;
        } else if (place != i) {
            *result = MPI_SIMILAR;
        }
    }
    return MPI_SUCCESS;
}

/* The members of `from` that are in `other` or are not, appended to a list. */
static int chosen(int *ranks, int count, const struct members_of *from,
                  const struct members_of *other, int is_in) {
    for (int i = 0; i < from->size; i++) {
        if ((place_of(other, from->ranks[i]) != MPI_UNDEFINED) == is_in) {
            ranks[count++] = from->ranks[i];
        }
    }
    return count;
}

int MPI_Group_union(MPI_Group one, MPI_Group other, MPI_Group *made) {
    const struct members_of *a = mgen_group(__func__, one);
    const struct members_of *b = mgen_group(__func__, other);
    int *ranks = list(a->size + b->size);
    int count = chosen(ranks, 0, a, &EMPTY, 0);
    *made = mgen_group_new(ranks, chosen(ranks, count, b, a, 0));
    return MPI_SUCCESS;
}

int MPI_Group_intersection(MPI_Group one, MPI_Group other, MPI_Group *made) {
    const struct members_of *a = mgen_group(__func__, one);
    int *ranks = list(a->size);
    *made = mgen_group_new(ranks, chosen(ranks, 0, a, mgen_group(__func__, other), 1));
    return MPI_SUCCESS;
}

int MPI_Group_difference(MPI_Group one, MPI_Group other, MPI_Group *made) {
    const struct members_of *a = mgen_group(__func__, one);
    int *ranks = list(a->size);
    *made = mgen_group_new(ranks, chosen(ranks, 0, a, mgen_group(__func__, other), 0));
    return MPI_SUCCESS;
}

static void check_rank(const char *call, const struct members_of *all, int rank) {
    if (rank < 0 || rank >= all->size) {
        mgen_fails(call, "the group has no such rank");
    }
}

static int incl(const char *call, const struct members_of *all, int count, const int *places,
                MPI_Group *made) {
    int *ranks = list(count);
    for (int i = 0; i < count; i++) {
        check_rank(call, all, places[i]);
        ranks[i] = all->ranks[places[i]];
    }
    *made = mgen_group_new(ranks, count);
    return MPI_SUCCESS;
}

static int excl(const char *call, const struct members_of *all, int count, const int *places,
                MPI_Group *made) {
    int *ranks = list(all->size);
    int left = 0;
    for (int i = 0; i < count; i++) {
        check_rank(call, all, places[i]);
    }
    for (int rank = 0; rank < all->size; rank++) {
        int is_left = 1;
        for (int i = 0; i < count; i++) {
            is_left = is_left && places[i] != rank;
        }
        if (is_left) {
            ranks[left++] = all->ranks[rank];
        }
    }
    *made = mgen_group_new(ranks, left);
    return MPI_SUCCESS;
}

int MPI_Group_incl(MPI_Group group, int count, const int *places, MPI_Group *made) {
    return incl(__func__, mgen_group(__func__, group), count, places, made);
}

int MPI_Group_excl(MPI_Group group, int count, const int *places, MPI_Group *made) {
    return excl(__func__, mgen_group(__func__, group), count, places, made);
}

/* First, last and stride of each range as a list. */
static int *expanded(const char *call, int count, int (*ranges)[3], int *found) {
    int *places = NULL;
    *found = 0;
    for (int i = 0; i < count; i++) {
        int stride = ranges[i][2];
        int steps = stride == 0 ? -1 : (ranges[i][1] - ranges[i][0]) / stride;
        if (stride == 0) {
            mgen_fails(call, "a range has the stride 0");
        }
        for (int step = 0; step <= steps; step++) {
            places = mgen_more_memory(places, (size_t)(*found + 1) * sizeof *places);
            places[(*found)++] = ranges[i][0] + step * stride;
        }
    }
    return places;
}

int MPI_Group_range_incl(MPI_Group group, int count, int (*ranges)[3], MPI_Group *made) {
    int found = 0;
    int *places = expanded(__func__, count, ranges, &found);
    incl(__func__, mgen_group(__func__, group), found, places, made);
    free(places);
    return MPI_SUCCESS;
}

int MPI_Group_range_excl(MPI_Group group, int count, int (*ranges)[3], MPI_Group *made) {
    int found = 0;
    int *places = expanded(__func__, count, ranges, &found);
    excl(__func__, mgen_group(__func__, group), found, places, made);
    free(places);
    return MPI_SUCCESS;
}

int MPI_Group_free(MPI_Group *group) {
    struct members_of *known = (struct members_of *)mgen_group(__func__, *group);
    if (*group != MPI_GROUP_EMPTY) {
        mgen_table_remove(&mgen_mpi()->groups, *group - FIRST_GROUP);
        free(known->ranks);
        free(known);
    }
    *group = MPI_GROUP_NULL;
    return MPI_SUCCESS;
}
