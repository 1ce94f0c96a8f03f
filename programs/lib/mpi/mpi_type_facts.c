/* Calls that ask about datatypes, and end them. */
#include "mpi_attributes.h"
#include "mpi_building.h"

int MPI_Type_commit(MPI_Datatype *type) {
    struct type *known = (struct type *)mgen_type_of(__func__, *type);
    if (mgen_is_derived(*type)) {
        known->is_committed = 1;
    }
    return MPI_SUCCESS;
}

int MPI_Type_free(MPI_Datatype *type) {
    mgen_called(__func__);
    if (!mgen_is_derived(*type)) {
        return mgen_fails("MPI_Type_free", "a predefined type cannot be freed");
    }
    struct type *known = (struct type *)mgen_type_of(__func__, *type);
    mgen_attributes_free(KEYVAL_TYPE, *type, &known->attributes);
    mgen_type_release(*type);
    *type = MPI_DATATYPE_NULL;
    return MPI_SUCCESS;
}

int MPI_Type_size_x(MPI_Datatype type, MPI_Count *size) {
    *size = mgen_type_of(__func__, type)->size;
    return MPI_SUCCESS;
}

static int small(MPI_Count number) {
    return number > 0x7fffffff ? MPI_UNDEFINED : (int)number;
}

int MPI_Type_size(MPI_Datatype type, int *size) {
    *size = small(mgen_type_of(__func__, type)->size);
    return MPI_SUCCESS;
}

int MPI_Type_get_extent(MPI_Datatype type, MPI_Aint *lb, MPI_Aint *extent) {
    const struct type *known = mgen_type_of(__func__, type);
    *lb = known->lb;
    *extent = known->extent;
    return MPI_SUCCESS;
}

int MPI_Type_get_extent_x(MPI_Datatype type, MPI_Count *lb, MPI_Count *extent) {
    const struct type *known = mgen_type_of(__func__, type);
    *lb = known->lb;
    *extent = known->extent;
    return MPI_SUCCESS;
}

int MPI_Type_get_true_extent(MPI_Datatype type, MPI_Aint *lb, MPI_Aint *extent) {
    const struct type *known = mgen_type_of(__func__, type);
    *lb = known->true_lb;
    *extent = known->true_extent;
    return MPI_SUCCESS;
}

int MPI_Type_get_true_extent_x(MPI_Datatype type, MPI_Count *lb, MPI_Count *extent) {
    const struct type *known = mgen_type_of(__func__, type);
    *lb = known->true_lb;
    *extent = known->true_extent;
    return MPI_SUCCESS;
}

int MPI_Type_extent(MPI_Datatype type, MPI_Aint *extent) {
    *extent = mgen_type_of(__func__, type)->extent;
    return MPI_SUCCESS;
}

int MPI_Type_lb(MPI_Datatype type, MPI_Aint *lb) {
    *lb = mgen_type_of(__func__, type)->lb;
    return MPI_SUCCESS;
}

int MPI_Type_ub(MPI_Datatype type, MPI_Aint *ub) {
    const struct type *known = mgen_type_of(__func__, type);
    *ub = known->lb + known->extent;
    return MPI_SUCCESS;
}

int MPI_Type_get_envelope(MPI_Datatype type, int *integers, int *addresses, int *types,
                          int *combiner) {
    const struct type *known = mgen_type_of(__func__, type);
    *integers = known->integer_count;
    *addresses = known->address_count;
    *types = known->type_count;
    *combiner = known->combiner;
    return MPI_SUCCESS;
}

int MPI_Type_get_contents(MPI_Datatype type, int most_integers, int most_addresses, int most_types,
                          int *integers, MPI_Aint *addresses, MPI_Datatype *types) {
    const struct type *known = mgen_type_of(__func__, type);
    if (known->combiner == MPI_COMBINER_NAMED || known->integer_count > most_integers ||
        known->address_count > most_addresses || known->type_count > most_types) {
        return mgen_fails("MPI_Type_get_contents", "the type is predefined, or has more contents");
    }
    for (int i = 0; i < known->integer_count; i++) {
        integers[i] = known->integers[i];
    }
    for (int i = 0; i < known->address_count; i++) {
        addresses[i] = known->addresses[i];
    }
    for (int i = 0; i < known->type_count; i++) {
        types[i] = known->types[i];
        mgen_type_hold(types[i]);
    }
    return MPI_SUCCESS;
}

int MPI_Type_set_name(MPI_Datatype type, const char *name) {
    struct type *known = (struct type *)mgen_type_of(__func__, type);
    if (!mgen_is_derived(type)) {
        return mgen_fails("MPI_Type_set_name", "a predefined type keeps its name");
    }
    free(known->given_name);
    known->given_name = mgen_memory(strlen(name) + 1);
    strcpy(known->given_name, name);
    return MPI_SUCCESS;
}

int MPI_Type_get_name(MPI_Datatype type, char *name, int *length) {
    const struct type *known = mgen_type_of(__func__, type);
    const char *found = known->given_name != NULL ? known->given_name : known->name;
    *length = snprintf(name, MPI_MAX_OBJECT_NAME, "%s", found != NULL ? found : "");
    return MPI_SUCCESS;
}

int MPI_Type_match_size(int class, int size, MPI_Datatype *type) {
    mgen_called(__func__);
    static const struct {
        int class;
        int size;
        MPI_Datatype type;
    } known[] = {
        {MPI_TYPECLASS_INTEGER, 1, MPI_INTEGER1},   {MPI_TYPECLASS_INTEGER, 2, MPI_INTEGER2},
        {MPI_TYPECLASS_INTEGER, 4, MPI_INTEGER4},   {MPI_TYPECLASS_INTEGER, 8, MPI_INTEGER8},
        {MPI_TYPECLASS_REAL, 4, MPI_REAL4},         {MPI_TYPECLASS_REAL, 8, MPI_REAL8},
        {MPI_TYPECLASS_REAL, 16, MPI_REAL16},       {MPI_TYPECLASS_COMPLEX, 8, MPI_COMPLEX8},
        {MPI_TYPECLASS_COMPLEX, 16, MPI_COMPLEX16}, {MPI_TYPECLASS_COMPLEX, 32, MPI_COMPLEX32}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        if (known[i].class == class && known[i].size == size) {
            *type = known[i].type;
            return MPI_SUCCESS;
        }
    }
    return mgen_fails("MPI_Type_match_size", "there is no type of this class and size");
}

int MPI_Get_address(const void *place, MPI_Aint *address) {
    mgen_called(__func__);
    *address = (MPI_Aint)place;
    return MPI_SUCCESS;
}

int MPI_Address(void *place, MPI_Aint *address) {
    mgen_called(__func__);
    return MPI_Get_address(place, address);
}

MPI_Aint MPI_Aint_add(MPI_Aint base, MPI_Aint distance) {
    mgen_called(__func__);
    return base + distance;
}

MPI_Aint MPI_Aint_diff(MPI_Aint one, MPI_Aint other) {
    mgen_called(__func__);
    return one - other;
}

int MPI_Get_count(const MPI_Status *status, MPI_Datatype type, int *count) {
    MPI_Count size = mgen_type_of(__func__, type)->size;
    if (size == 0) {
        *count = status->bytes == 0 ? 0 : MPI_UNDEFINED;
    } else {
        *count = status->bytes % size == 0 ? small(status->bytes / size) : MPI_UNDEFINED;
    }
    return MPI_SUCCESS;
}

int MPI_Get_elements_x(const MPI_Status *status, MPI_Datatype type, MPI_Count *count) {
    const struct type *known = mgen_type_of(__func__, type);
    MPI_Count rest = status->bytes;
    MPI_Count of_one = 0;
    *count = 0;
    for (size_t i = 0; i < known->block_count; i++) {
        of_one += (MPI_Count)(known->blocks[i].bytes / known->blocks[i].element);
    }
    if (known->size > 0) {
        *count = rest / known->size * of_one;
        rest %= known->size;
    }
    for (size_t i = 0; i < known->block_count && rest > 0; i++) {
        MPI_Count bytes = (MPI_Count)known->blocks[i].bytes;
        MPI_Count taken = bytes < rest ? bytes : rest;
        if (taken % (MPI_Count)known->blocks[i].element != 0) {
            *count = MPI_UNDEFINED;
            return MPI_SUCCESS;
        }
        *count += taken / (MPI_Count)known->blocks[i].element;
        rest -= taken;
    }
    return MPI_SUCCESS;
}

int MPI_Get_elements(const MPI_Status *status, MPI_Datatype type, int *count) {
    mgen_called(__func__);
    MPI_Count found = 0;
    MPI_Get_elements_x(status, type, &found);
    *count = small(found);
    return MPI_SUCCESS;
}

int MPI_Status_set_elements_x(MPI_Status *status, MPI_Datatype type, MPI_Count count) {
    const struct type *known = mgen_type_of(__func__, type);
    MPI_Count of_one = 0;
    for (size_t i = 0; i < known->block_count; i++) {
        of_one += (MPI_Count)(known->blocks[i].bytes / known->blocks[i].element);
    }
    status->bytes = of_one > 0 ? (long)(count / of_one * known->size) : 0;
    return MPI_SUCCESS;
}

int MPI_Status_set_elements(MPI_Status *status, MPI_Datatype type, int count) {
    mgen_called(__func__);
    return MPI_Status_set_elements_x(status, type, count);
}
