/* Types of the part of an array that a process has, and types of a precision. */
#include "mpi_building.h"

/* What a process has of one dimension: blocks of `length`, each `stride` behind the one before. */
struct share {
    int size;
    int first;
    int length;
    int stride;
    MPI_Aint element_bytes; /* from one index of the dimension to the next */
};

static struct share share_of(int size, int kind, int argument, int processes, int coordinate) {
    struct share share = {.size = size, .length = size, .stride = size};
    if (kind == MPI_DISTRIBUTE_NONE) {
        return share;
    }
    if (kind != MPI_DISTRIBUTE_BLOCK && kind != MPI_DISTRIBUTE_CYCLIC) {
        mgen_fail("a distribution is none of block, cyclic and none");
    }
    int is_block = kind == MPI_DISTRIBUTE_BLOCK;
    int is_default = argument == MPI_DISTRIBUTE_DFLT_DARG;
    share.length = !is_default ? argument : is_block ? (size + processes - 1) / processes : 1;
    if (share.length < 1 || (is_block && (long)share.length * processes < size)) {
        mgen_fail("the argument of a distribution does not fit the array");
    }
    share.first = coordinate * share.length;
    share.stride = is_block ? size : processes * share.length;
    return share;
}

/* The dimension that varies slowest first. */
static void add_shares(struct building *building, const struct share *shares, int count,
                       MPI_Aint offset, MPI_Datatype type) {
    const struct share *share = shares;
    for (int first = share->first; first < share->size; first += share->stride) {
        int left = share->size - first;
        int length = left < share->length ? left : share->length;
        if (count == 1) {
            mgen_building_add(building, type, length, offset + first * share->element_bytes);
            continue;
        }
        for (int i = first; i < first + length; i++) {
            add_shares(building, shares + 1, count - 1, offset + i * share->element_bytes, type);
        }
    }
}

int MPI_Type_create_darray(int size, int rank, int count, const int *sizes, const int *kinds,
                           const int *arguments, const int *processes, int order, MPI_Datatype type,
                           MPI_Datatype *made) {
    mgen_label(__func__);
    if (count < 1 || rank < 0 || rank >= size) {
        mgen_fail("the array has no dimensions, or there is no such rank");
    }
    struct building building = mgen_building(MPI_COMBINER_DARRAY);
    struct share *shares = mgen_memory((size_t)count * sizeof *shares);
    int ranks = size;
    int place = rank;
    for (int i = 0; i < count; i++) {
        ranks = processes[i] > 0 ? ranks / processes[i] : 0;
        if (ranks == 0) {
            mgen_fail("the numbers of processes do not make up the size");
        }
        int coordinate = place / ranks;
        place -= coordinate * ranks;
        shares[order == MPI_ORDER_C ? i : count - 1 - i] =
            share_of(sizes[i], kinds[i], arguments[i], processes[i], coordinate);
    }
    MPI_Aint bytes = mgen_type(type)->extent;
    for (int i = count - 1; i >= 0; i--) {
        shares[i].element_bytes = bytes;
        bytes *= shares[i].size;
    }
    mgen_building_add(&building, type, 0, 0);
    add_shares(&building, shares, count, 0, type);
    free(shares);
    building.type->lb = 0;
    building.ub = bytes;
    mgen_building_integers(&building, (int[]){size, rank, count}, 3);
    mgen_building_integers(&building, sizes, count);
    mgen_building_integers(&building, kinds, count);
    mgen_building_integers(&building, arguments, count);
    mgen_building_integers(&building, processes, count);
    mgen_building_integers(&building, &order, 1);
    mgen_building_types(&building, &type, 1);
    *made = mgen_building_end(&building);
    return mgen_left(MPI_SUCCESS);
}

/* The first type that has so many decimal digits and such an exponent. MPI_UNDEFINED is below every
 * number, and asks for nothing. */
static int of_precision(const char *call, int digits, int range, const MPI_Datatype types[2],
                        MPI_Datatype *made) {
    if (digits > 15 || range > 307) {
        return mgen_fails(call, "there is no type of such a precision");
    }
    *made = types[digits <= 6 && range <= 37 ? 0 : 1];
    return MPI_SUCCESS;
}

int MPI_Type_create_f90_real(int digits, int range, MPI_Datatype *made) {
    mgen_called(__func__);
    return of_precision(__func__, digits, range, (MPI_Datatype[]){MPI_REAL4, MPI_REAL8}, made);
}

int MPI_Type_create_f90_complex(int digits, int range, MPI_Datatype *made) {
    mgen_called(__func__);
    return of_precision(__func__, digits, range, (MPI_Datatype[]){MPI_COMPLEX8, MPI_COMPLEX16},
                        made);
}

int MPI_Type_create_f90_integer(int digits, MPI_Datatype *made) {
    mgen_called(__func__);
    if (digits > 18) {
        return mgen_fails(__func__, "there is no type of so many digits");
    }
    *made = digits <= 2   ? MPI_INTEGER1
            : digits <= 4 ? MPI_INTEGER2
            : digits <= 9 ? MPI_INTEGER4
                          : MPI_INTEGER8;
    return MPI_SUCCESS;
}
