/* Derived types: blocks of memory, with the bounds of an element. */
#include "mpi_building.h"

struct building mgen_building(int combiner) {
    struct building building = {.type = mgen_memory(sizeof(struct type))};
    *building.type = (struct type){.combiner = combiner, .alignment = 1, .references = 1};
    return building;
}

static void add_block(struct building *building, struct block block) {
    struct type *type = building->type;
    struct block *blocks = (struct block *)type->blocks;
    struct block *last = type->block_count > 0 ? &blocks[type->block_count - 1] : NULL;
    if (last != NULL && last->offset + (MPI_Aint)last->bytes == block.offset &&
        last->element == block.element) {
        last->bytes += block.bytes;
        return;
    }
    if (type->block_count == building->room) {
        building->room = building->room > 0 ? 2 * building->room : 4;
        blocks = mgen_more_memory(blocks, building->room * sizeof *blocks);
        type->blocks = blocks;
    }
    blocks[type->block_count++] = block;
}

static MPI_Aint lower(MPI_Aint a, MPI_Aint b) {
    return a < b ? a : b;
}

static MPI_Aint upper(MPI_Aint a, MPI_Aint b) {
    return a > b ? a : b;
}

static void widen(struct building *building, const struct type *part, MPI_Aint first,
                  MPI_Aint last) {
    struct type *type = building->type;
    MPI_Aint low = lower(first, last);
    MPI_Aint high = upper(first, last);
    MPI_Aint lb = low + part->lb;
    MPI_Aint ub = high + part->lb + part->extent;
    type->lb = building->has_bounds ? lower(type->lb, lb) : lb;
    building->ub = building->has_bounds ? upper(building->ub, ub) : ub;
    building->has_bounds = 1;
    if (part->size > 0) {
        lb = low + part->true_lb;
        ub = high + part->true_lb + part->true_extent;
        type->true_lb = building->has_data ? lower(type->true_lb, lb) : lb;
        building->true_ub = building->has_data ? upper(building->true_ub, ub) : ub;
        building->has_data = 1;
    }
}

int mgen_is_dense(const struct type *type, MPI_Count count) {
    return type->together && (count <= 1 || type->extent == type->size);
}

void mgen_building_add(struct building *building, MPI_Datatype part_type, MPI_Aint count,
                       MPI_Aint offset) {
    const struct type *part = mgen_type(part_type);
    struct type *type = building->type;
    if (count < 0) {
        mgen_fail("a count is negative");
    }
    type->alignment = upper(type->alignment, part->alignment);
    if (count == 0) {
        return;
    }
    widen(building, part, offset, offset + (count - 1) * part->extent);
    type->size += count * part->size;
    if (part->size > 0) {
        int is_first = type->block_count == 0;
        type->basic = is_first || type->basic == part->basic ? part->basic : 0;
    }
    if (mgen_is_dense(part, count > 1 ? 2 : 1) && part->block_count == 1) {
        struct block block = part->blocks[0];
        block.offset += offset;
        block.bytes *= (size_t)count;
        add_block(building, block);
        return;
    }
    for (MPI_Aint i = 0; i < count; i++) {
        for (size_t j = 0; j < part->block_count; j++) {
            struct block block = part->blocks[j];
            block.offset += offset + i * part->extent;
            add_block(building, block);
        }
    }
}

static void *copied(const void *from, int count, size_t size) {
    void *made = mgen_memory((size_t)count * size);
    if (count > 0) {
        memcpy(made, from, (size_t)count * size);
    }
    return made;
}

void mgen_building_integers(struct building *building, const int *integers, int count) {
    struct type *type = building->type;
    size_t size = sizeof *integers;
    type->integers = mgen_more_memory(type->integers, (size_t)(type->integer_count + count) * size);
    if (count > 0) {
        memcpy(type->integers + type->integer_count, integers, (size_t)count * size);
    }
    type->integer_count += count;
}

void mgen_building_addresses(struct building *building, const MPI_Aint *addresses, int count) {
    building->type->addresses = copied(addresses, count, sizeof *addresses);
    building->type->address_count = count;
}

void mgen_building_types(struct building *building, const MPI_Datatype *types, int count) {
    building->type->types = copied(types, count, sizeof *types);
    building->type->type_count = count;
    for (int i = 0; i < count; i++) {
        mgen_type_hold(types[i]);
    }
}

/* Whether the blocks lie one behind the other. */
static int is_together(const struct type *type) {
    for (size_t i = 1; i < type->block_count; i++) {
        const struct block *before = &type->blocks[i - 1];
        if (before->offset + (MPI_Aint)before->bytes != type->blocks[i].offset) {
            return 0;
        }
    }
    return 1;
}

MPI_Datatype mgen_building_end(struct building *building) {
    struct type *type = building->type;
    type->extent = building->ub - type->lb;
    type->true_extent = building->true_ub - type->true_lb;
    type->together = is_together(type);
    return FIRST_DERIVED + mgen_table_add(&mgen_mpi()->types, type);
}

static struct type *derived(MPI_Datatype type) {
    return mgen_is_derived(type) ? mgen_table_get(&mgen_mpi()->types, type - FIRST_DERIVED) : NULL;
}

static const struct type *known(MPI_Datatype type) {
    return mgen_is_derived(type) ? derived(type) : mgen_predefined(type);
}

static const char *unknown(MPI_Datatype type, char *text, size_t room) {
    snprintf(text, room,
             type == MPI_DATATYPE_NULL ? "MPI_DATATYPE_NULL is not a datatype"
                                       : "%d is not a datatype",
             type);
    return text;
}

const struct type *mgen_type(MPI_Datatype type) {
    const struct type *found = known(type);
    char text[64];
    if (found == NULL) {
        mgen_fail(unknown(type, text, sizeof text));
    }
    return found;
}

const struct type *mgen_type_of(const char *call, MPI_Datatype type) {
    mgen_called(call);
    const struct type *found = known(type);
    char text[64];
    if (found == NULL) {
        mgen_fails(call, unknown(type, text, sizeof text));
    }
    return found;
}

void mgen_type_hold(MPI_Datatype type) {
    if (mgen_is_derived(type)) {
        ((struct type *)mgen_type(type))->references++;
    }
}

void mgen_type_release(MPI_Datatype number) {
    struct type *type = derived(number);
    if (type == NULL || --type->references > 0) {
        return;
    }
    for (int i = 0; i < type->type_count; i++) {
        mgen_type_release(type->types[i]);
    }
    mgen_table_remove(&mgen_mpi()->types, number - FIRST_DERIVED);
    free((void *)type->blocks);
    free(type->integers);
    free(type->addresses);
    free(type->types);
    free(type->given_name);
    free(type);
}
