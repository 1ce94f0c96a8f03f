/* Packed data in the form "external32" of MPI: the highest byte of a number first, and some numbers
 * of C with fewer bytes. */
#include "mpi_state.h"

/* A number in memory and in the form, in bytes. 0 in memory: it has another size by itself. */
struct form {
    size_t own;
    size_t external;
    int is_signed;
};

static const char NOT_CONVERTED[] =
    "weft has no external32 of MPI_WCHAR, long double, MPI_LONG_INT and numbers of 16 bytes";

static struct form form_of(MPI_Datatype basic) {
    switch (basic) {
    case MPI_LONG:
        return (struct form){sizeof(long), 4, 1};
    case MPI_UNSIGNED_LONG:
        return (struct form){sizeof(unsigned long), 4, 0};
    case MPI_C_FLOAT_COMPLEX:
    case MPI_CXX_FLOAT_COMPLEX:
    case MPI_COMPLEX:
    case MPI_COMPLEX8:
        return (struct form){sizeof(float), sizeof(float), 0};
    case MPI_C_DOUBLE_COMPLEX:
    case MPI_CXX_DOUBLE_COMPLEX:
    case MPI_DOUBLE_COMPLEX:
    case MPI_COMPLEX16:
        return (struct form){sizeof(double), sizeof(double), 0};
    case MPI_WCHAR:
    case MPI_LONG_INT:
    case MPI_LONG_DOUBLE:
    case MPI_LONG_DOUBLE_INT:
    case MPI_C_LONG_DOUBLE_COMPLEX:
    case MPI_CXX_LONG_DOUBLE_COMPLEX:
    case MPI_REAL16:
    case MPI_COMPLEX32:
        mgen_fail(NOT_CONVERTED);
    }
    return (struct form){0};
}

/* Of a type with several basic types, blocks give the sizes: none may change its own. */
static void check_parts(const struct type *type) {
    for (int i = 0; i < type->type_count; i++) {
        const struct type *part = mgen_type(type->types[i]);
        if (part->basic == 0) {
            check_parts(part);
        } else if (form_of(part->basic).own != 0) {
            mgen_fail("weft has no external32 of types that mix long or complex numbers with "
                      "others");
        }
    }
}

static struct form whole_form(const struct type *type) {
    if (type->basic != 0) {
        return form_of(type->basic);
    }
    check_parts(type);
    return (struct form){0};
}

static void check(const char *form) {
    if (strcmp(form, "external32") != 0) {
        mgen_fail("the only form of packed data is external32");
    }
}

/* Copies one number into the form or back. */
static void convert(const struct form *form, char *own, char *external, int is_packed) {
    for (size_t i = 0; i < form->own; i++) {
        char *place = &own[__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? form->own - 1 - i : i];
        if (i < form->external) {
            char *other = &external[form->external - 1 - i];
            *(is_packed ? other : place) = *(is_packed ? place : other);
        } else if (!is_packed) {
            *place = (char)(form->is_signed && external[0] < 0 ? -1 : 0);
        }
    }
}

/* Bytes in the form; converts them if `dense` is not NULL. */
static size_t walk(const struct type *type, MPI_Count count, char *dense, char *external,
                   int is_packed) {
    const struct form given = whole_form(type);
    size_t bytes = 0;
    for (MPI_Count element = 0; element < count; element++) {
        for (size_t i = 0; i < type->block_count; i++) {
            const struct block *block = &type->blocks[i];
            struct form form = given;
            if (form.own == 0) {
                form.own = form.external = block->element;
            }
            for (size_t at = 0; at < block->bytes; at += form.own) {
                if (dense != NULL) {
                    convert(&form, dense, external + bytes, is_packed);
                    dense += form.own;
                }
                bytes += form.external;
            }
        }
    }
    return bytes;
}

int MPI_Pack_external_size(const char *form, int count, MPI_Datatype type, MPI_Aint *size) {
    mgen_label(__func__);
    check(form);
    mgen_data_bytes(type, count);
    *size = (MPI_Aint)walk(mgen_type(type), count, NULL, NULL, 1);
    return mgen_left(MPI_SUCCESS);
}

/* The bytes in the form, which have to lie within the buffer. */
static size_t within(const char *form, int count, MPI_Datatype type, MPI_Aint room,
                     MPI_Aint position) {
    check(form);
    size_t bytes = walk(mgen_type(type), count, NULL, NULL, 1);
    if (position < 0 || position > room || bytes > (size_t)(room - position)) {
        mgen_fail("the data do not fit in the buffer");
    }
    return bytes;
}

int MPI_Pack_external(const char *form, const void *buffer, int count, MPI_Datatype type,
                      void *packed, MPI_Aint room, MPI_Aint *position) {
    mgen_label(__func__);
    size_t own = mgen_data_bytes(type, count);
    size_t bytes = within(form, count, type, room, *position);
    char *dense = mgen_memory(own);
    mgen_pack(dense, buffer, count, type, own);
    walk(mgen_type(type), count, dense, (char *)packed + *position, 1);
    free(dense);
    mgen_copied(bytes);
    *position += (MPI_Aint)bytes;
    return mgen_left(MPI_SUCCESS);
}

int MPI_Unpack_external(const char *form, const void *packed, MPI_Aint room, MPI_Aint *position,
                        void *buffer, int count, MPI_Datatype type) {
    mgen_label(__func__);
    size_t own = mgen_data_bytes(type, count);
    size_t bytes = within(form, count, type, room, *position);
    char *dense = mgen_memory(own);
    walk(mgen_type(type), count, dense, (char *)packed + *position, 0);
    mgen_unpack(dense, buffer, count, type, own);
    free(dense);
    mgen_copied(bytes);
    *position += (MPI_Aint)bytes;
    return mgen_left(MPI_SUCCESS);
}
