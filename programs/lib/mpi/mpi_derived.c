/* Calls that make derived types. */
#include "mpi_attributes.h"
#include "mpi_building.h"

/* The integers of an array come behind the numbers before it. */
static int ended(struct building *building, MPI_Datatype part, MPI_Datatype *made) {
    if (building->type->types == NULL) {
        mgen_building_types(building, &part, 1);
    }
    *made = mgen_building_end(building);
    return mgen_left(MPI_SUCCESS);
}

static MPI_Aint extent_of(MPI_Datatype type) {
    return mgen_type(type)->extent;
}

int MPI_Type_contiguous(int count, MPI_Datatype type, MPI_Datatype *made) {
    mgen_label("MPI_Type_contiguous");
    struct building building = mgen_building(MPI_COMBINER_CONTIGUOUS);
    mgen_building_add(&building, type, count, 0);
    mgen_building_integers(&building, &count, 1);
    return ended(&building, type, made);
}

static void add_strided(struct building *building, int count, int length, MPI_Aint stride,
                        MPI_Datatype type) {
    if (count < 0) {
        mgen_fail("a count is negative");
    }
    for (int i = 0; i < count; i++) {
        mgen_building_add(building, type, length, i * stride);
    }
    mgen_building_add(building, type, 0, 0);
}

int MPI_Type_vector(int count, int length, int stride, MPI_Datatype type, MPI_Datatype *made) {
    mgen_label("MPI_Type_vector");
    struct building building = mgen_building(MPI_COMBINER_VECTOR);
    add_strided(&building, count, length, stride * extent_of(type), type);
    mgen_building_integers(&building, (int[]){count, length, stride}, 3);
    return ended(&building, type, made);
}

int MPI_Type_create_hvector(int count, int length, MPI_Aint stride, MPI_Datatype type,
                            MPI_Datatype *made) {
    mgen_label("MPI_Type_create_hvector");
    struct building building = mgen_building(MPI_COMBINER_HVECTOR);
    add_strided(&building, count, length, stride, type);
    mgen_building_integers(&building, (int[]){count, length}, 2);
    mgen_building_addresses(&building, &stride, 1);
    return ended(&building, type, made);
}

/* Blocks of unequal length (`lengths`) or of one length, at places in elements or in bytes. */
static void add_indexed(struct building *building, int count, const int *lengths, int length,
                        const int *places, const MPI_Aint *offsets, MPI_Datatype type) {
    if (count < 0) {
        mgen_fail("a count is negative");
    }
    MPI_Aint extent = extent_of(type);
    for (int i = 0; i < count; i++) {
        MPI_Aint offset = places != NULL ? places[i] * extent : offsets[i];
        mgen_building_add(building, type, lengths != NULL ? lengths[i] : length, offset);
    }
    mgen_building_add(building, type, 0, 0);
    mgen_building_integers(building, &count, 1);
    if (lengths != NULL) {
        mgen_building_integers(building, lengths, count);
    } else {
        mgen_building_integers(building, &length, 1);
    }
    if (places != NULL) {
        mgen_building_integers(building, places, count);
    } else {
        mgen_building_addresses(building, offsets, count);
    }
}

int MPI_Type_indexed(int count, const int *lengths, const int *places, MPI_Datatype type,
                     MPI_Datatype *made) {
    mgen_label("MPI_Type_indexed");
    struct building building = mgen_building(MPI_COMBINER_INDEXED);
    add_indexed(&building, count, lengths, 0, places, NULL, type);
    return ended(&building, type, made);
}

int MPI_Type_create_hindexed(int count, const int *lengths, const MPI_Aint *offsets,
                             MPI_Datatype type, MPI_Datatype *made) {
    mgen_label("MPI_Type_create_hindexed");
    struct building building = mgen_building(MPI_COMBINER_HINDEXED);
    add_indexed(&building, count, lengths, 0, NULL, offsets, type);
    return ended(&building, type, made);
}

int MPI_Type_create_indexed_block(int count, int length, const int *places, MPI_Datatype type,
                                  MPI_Datatype *made) {
    mgen_label("MPI_Type_create_indexed_block");
    struct building building = mgen_building(MPI_COMBINER_INDEXED_BLOCK);
    add_indexed(&building, count, NULL, length, places, NULL, type);
    return ended(&building, type, made);
}

int MPI_Type_create_hindexed_block(int count, int length, const MPI_Aint *offsets,
                                   MPI_Datatype type, MPI_Datatype *made) {
    mgen_label("MPI_Type_create_hindexed_block");
    struct building building = mgen_building(MPI_COMBINER_HINDEXED_BLOCK);
    add_indexed(&building, count, NULL, length, NULL, offsets, type);
    return ended(&building, type, made);
}

/* As the compiler does for a structure, the extent is made a multiple of the alignment. */
static void align(struct building *building) {
    struct type *type = building->type;
    MPI_Aint over = (building->ub - type->lb) % type->alignment;
    if (over > 0) {
        building->ub += type->alignment - over;
    }
}

int MPI_Type_create_struct(int count, const int *lengths, const MPI_Aint *offsets,
                           const MPI_Datatype *types, MPI_Datatype *made) {
    mgen_label("MPI_Type_create_struct");
    if (count < 0) {
        mgen_fail("a count is negative");
    }
    struct building building = mgen_building(MPI_COMBINER_STRUCT);
    for (int i = 0; i < count; i++) {
        mgen_building_add(&building, types[i], lengths[i], offsets[i]);
    }
    align(&building);
    mgen_building_integers(&building, &count, 1);
    mgen_building_integers(&building, lengths, count);
    mgen_building_addresses(&building, offsets, count);
    mgen_building_types(&building, types, count);
    return ended(&building, MPI_DATATYPE_NULL, made);
}

int MPI_Type_create_resized(MPI_Datatype type, MPI_Aint lb, MPI_Aint extent, MPI_Datatype *made) {
    mgen_label("MPI_Type_create_resized");
    struct building building = mgen_building(MPI_COMBINER_RESIZED);
    mgen_building_add(&building, type, 1, 0);
    building.type->lb = lb;
    building.ub = lb + extent;
    mgen_building_addresses(&building, (MPI_Aint[]){lb, extent}, 2);
    return ended(&building, type, made);
}

int MPI_Type_dup(MPI_Datatype type, MPI_Datatype *made) {
    mgen_label("MPI_Type_dup");
    struct building building = mgen_building(MPI_COMBINER_DUP);
    mgen_building_add(&building, type, 1, 0);
    building.type->lb = mgen_type(type)->lb;
    building.ub = building.type->lb + extent_of(type);
    ended(&building, type, made);
    struct type *same = (struct type *)mgen_type(*made);
    same->is_committed = !mgen_is_derived(type) || mgen_type(type)->is_committed;
    mgen_attributes_copy(KEYVAL_TYPE, type, mgen_type(type)->attributes, &same->attributes);
    return MPI_SUCCESS;
}

/* The part of an array, dimension by dimension, the one that varies slowest first. */
static void add_part(struct building *building, const int *dimensions, int count, const int *sizes,
                     const int *parts, const int *starts, MPI_Aint offset, MPI_Datatype type) {
    int dimension = dimensions[0];
    MPI_Aint stride = extent_of(type);
    for (int i = 1; i < count; i++) {
        stride *= sizes[dimensions[i]];
    }
    offset += starts[dimension] * stride;
    if (count == 1) {
        mgen_building_add(building, type, parts[dimension], offset);
        return;
    }
    for (int i = 0; i < parts[dimension]; i++) {
        add_part(building, dimensions + 1, count - 1, sizes, parts, starts, offset + i * stride,
                 type);
    }
}

int MPI_Type_create_subarray(int count, const int *sizes, const int *parts, const int *starts,
                             int order, MPI_Datatype type, MPI_Datatype *made) {
    mgen_label("MPI_Type_create_subarray");
    if (count < 1) {
        mgen_fail("the array has no dimensions");
    }
    int *dimensions = mgen_memory((size_t)count * sizeof *dimensions);
    MPI_Aint extent = extent_of(type);
    for (int i = 0; i < count; i++) {
        dimensions[i] = order == MPI_ORDER_C ? i : count - 1 - i;
        extent *= sizes[i];
        if (parts[i] < 1 || starts[i] < 0 || starts[i] + parts[i] > sizes[i]) {
            mgen_fail("the part does not lie in the array");
        }
    }
    struct building building = mgen_building(MPI_COMBINER_SUBARRAY);
    add_part(&building, dimensions, count, sizes, parts, starts, 0, type);
    free(dimensions);
    building.type->lb = 0;
    building.ub = extent;
    mgen_building_integers(&building, &count, 1);
    mgen_building_integers(&building, sizes, count);
    mgen_building_integers(&building, parts, count);
    mgen_building_integers(&building, starts, count);
    mgen_building_integers(&building, &order, 1);
    return ended(&building, type, made);
}

int MPI_Type_struct(int count, int *lengths, MPI_Aint *offsets, MPI_Datatype *types,
                    MPI_Datatype *made) {
    mgen_called(__func__);
    return MPI_Type_create_struct(count, lengths, offsets, types, made);
}

int MPI_Type_hvector(int count, int length, MPI_Aint stride, MPI_Datatype type,
                     MPI_Datatype *made) {
    mgen_called(__func__);
    return MPI_Type_create_hvector(count, length, stride, type, made);
}

int MPI_Type_hindexed(int count, int *lengths, MPI_Aint *offsets, MPI_Datatype type,
                      MPI_Datatype *made) {
    mgen_called(__func__);
    return MPI_Type_create_hindexed(count, lengths, offsets, type, made);
}
