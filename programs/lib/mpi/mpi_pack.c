/* Data of derived types: packed into dense memory and back. */
#include "mpi_state.h"
#include <limits.h>

#define UNCOMMITTED(which) "the datatype " which "is not committed; MPI_Type_commit does that"

static const char NEGATIVE[] = "a count is negative";

static const char *uncommitted_of(int is_sent) {
    return is_sent ? UNCOMMITTED("of what it sends ") : UNCOMMITTED("of what it receives ");
}

static int is_committed(MPI_Datatype type, const struct type *known) {
    return !mgen_is_derived(type) || known->is_committed;
}

static const struct type *committed(MPI_Datatype type, const char *why) {
    const struct type *known = mgen_type(type);
    if (!is_committed(type, known)) {
        mgen_fail(why);
    }
    return known;
}

static size_t bytes_of(const struct type *type, MPI_Count count) {
    if (count < 0) {
        mgen_fail(NEGATIVE);
    }
    return (size_t)count * (size_t)type->size;
}

size_t mgen_data_bytes(MPI_Datatype type, MPI_Count count) {
    return bytes_of(committed(type, UNCOMMITTED("")), count);
}

/* The first page of memory belongs to no program, and neither do the addresses below it, such as
 * MPI_IN_PLACE. */
enum { FIRST_ADDRESS = 4096 };

static const char *wrong_buffer(const void *buffer, MPI_Count count, const struct type *type) {
    if (count <= 0 || type->size == 0 || (MPI_Aint)buffer + type->true_lb >= FIRST_ADDRESS ||
        mgen_is_nothing(buffer)) {
        return NULL;
    }
    return buffer == MPI_IN_PLACE ? "MPI_IN_PLACE is no buffer there"
                                  : "a buffer is NULL, but its count is not 0";
}

void mgen_check_buffer(const void *buffer, MPI_Count count, const struct type *type) {
    const char *why = wrong_buffer(buffer, count, type);
    if (why != NULL) {
        mgen_fail(why);
    }
}

void mgen_check_data(const char *call, const void *buffer, MPI_Count count, MPI_Datatype type,
                     int is_sent) {
    const struct type *known = mgen_type_of(call, type);
    const char *why = !is_committed(type, known) ? uncommitted_of(is_sent)
                      : count < 0                ? NEGATIVE
                                                 : wrong_buffer(buffer, count, known);
    if (why != NULL) {
        mgen_fails(call, why);
    }
}

int mgen_has_no_gaps(const struct type *type) {
    return type->block_count == 1 && (MPI_Aint)type->blocks[0].bytes == type->extent;
}

/* One element after the other, block after block. */
static void move(char *dense, char *start, MPI_Count count, const struct type *type, size_t bytes,
                 int is_packed) {
    if (mgen_has_no_gaps(type)) {
        size_t all = (size_t)count * type->blocks[0].bytes;
        char *place = start + type->blocks[0].offset;
        memmove(is_packed ? dense : place, is_packed ? place : dense, all < bytes ? all : bytes);
        return;
    }
    for (MPI_Count element = 0; element < count && bytes > 0; element++) {
        for (size_t i = 0; i < type->block_count && bytes > 0; i++) {
            const struct block *block = &type->blocks[i];
            size_t moved = block->bytes < bytes ? block->bytes : bytes;
            char *place = start + block->offset;
            memmove(is_packed ? dense : place, is_packed ? place : dense, moved);
            dense += moved;
            bytes -= moved;
        }
        start += type->extent;
    }
}

void mgen_pack(void *dense, const void *buffer, MPI_Count count, MPI_Datatype type, size_t bytes) {
    if (dense != NULL && !mgen_is_nothing(buffer)) {
        move(dense, (char *)buffer, count, mgen_type(type), bytes, 1);
    }
}

void mgen_unpack(const void *dense, void *buffer, MPI_Count count, MPI_Datatype type,
                 size_t bytes) {
    if (dense != NULL && !mgen_is_nothing(buffer)) {
        move((char *)dense, buffer, count, mgen_type(type), bytes, 0);
    }
}

struct dense mgen_dense(const void *buffer, MPI_Count count, MPI_Datatype type, int is_sent) {
    const struct type *known = committed(type, uncommitted_of(is_sent));
    struct dense dense = {.buffer = (void *)buffer, .count = count, .type = type};
    dense.bytes = bytes_of(known, count);
    if (dense.bytes == 0 || mgen_is_nothing(buffer)) {
        return dense;
    }
    mgen_check_buffer(buffer, count, known);
    if (mgen_is_dense(known, count)) {
        dense.data = (char *)buffer + known->true_lb;
        return dense;
    }
    dense.data = dense.copy = mgen_memory(dense.bytes);
    if (is_sent) {
        mgen_pack(dense.copy, buffer, count, type, dense.bytes);
        mgen_copied(dense.bytes);
    } else {
        dense.holds_type = 1;
        mgen_type_hold(type);
    }
    return dense;
}

struct dense mgen_dense_exchanged(const void *buffer, MPI_Count count, MPI_Datatype type) {
    struct dense dense = mgen_dense(buffer, count, type, 1);
    if (dense.copy != NULL) {
        dense.holds_type = 1;
        mgen_type_hold(type);
    }
    return dense;
}

void mgen_dense_free(struct dense *dense) {
    free(dense->copy);
    dense->copy = NULL;
    if (dense->holds_type) {
        dense->holds_type = 0;
        mgen_type_release(dense->type);
    }
}

void mgen_dense_received(struct dense *dense, size_t bytes) {
    if (dense->copy != NULL) {
        mgen_unpack(dense->copy, dense->buffer, dense->count, dense->type, bytes);
        mgen_copied(bytes);
    }
    mgen_dense_free(dense);
}

struct amount mgen_amount(size_t bytes) {
    static const struct {
        MGEN_Datatype type;
        size_t size;
    } units[] = {{MGEN_DOUBLE, 8}, {MGEN_INT, 4}, {MGEN_SHORT, 2}};
    if (bytes <= INT_MAX) {
        return (struct amount){(int)bytes, MGEN_BYTE};
    }
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        if (bytes % units[i].size == 0 && bytes / units[i].size <= INT_MAX) {
            return (struct amount){(int)(bytes / units[i].size), units[i].type};
        }
    }
    mgen_fail("a message of so many bytes is too large");
    return (struct amount){0, MGEN_BYTE};
}

int MPI_Pack_size(int count, MPI_Datatype type, MPI_Comm comm, int *size) {
    (void)comm;
    mgen_label("MPI_Pack_size");
    *size = (int)bytes_of(mgen_type(type), count);
    return mgen_left(MPI_SUCCESS);
}

int MPI_Pack(const void *buffer, int count, MPI_Datatype type, void *packed, int room,
             int *position, MPI_Comm comm) {
    (void)comm;
    mgen_label("MPI_Pack");
    size_t bytes = mgen_data_bytes(type, count);
    if (*position < 0 || (size_t)*position + bytes > (size_t)room) {
        mgen_fail("the data do not fit in the buffer");
    }
    mgen_check_buffer(buffer, count, mgen_type(type));
    mgen_pack((char *)packed + *position, buffer, count, type, bytes);
    mgen_copied(bytes);
    *position += (int)bytes;
    return mgen_left(MPI_SUCCESS);
}

int MPI_Unpack(const void *packed, int room, int *position, void *buffer, int count,
               MPI_Datatype type, MPI_Comm comm) {
    (void)comm;
    mgen_label("MPI_Unpack");
    size_t bytes = mgen_data_bytes(type, count);
    if (*position < 0 || (size_t)*position + bytes > (size_t)room) {
        mgen_fail("the buffer does not hold so many data");
    }
    mgen_check_buffer(buffer, count, mgen_type(type));
    mgen_unpack((const char *)packed + *position, buffer, count, type, bytes);
    mgen_copied(bytes);
    *position += (int)bytes;
    return mgen_left(MPI_SUCCESS);
}
