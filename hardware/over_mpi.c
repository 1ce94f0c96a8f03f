/* What all calls of mgen.h over MPI use: memory for buffers that are NULL, sizes, the communicators
 * of collectives, and the end of a run that fails. */
#include "over_mpi.h"
#include "collective.h"
#include "mgen_buffers.h"
#include "session.h"
#include <stdlib.h>
#include <string.h>

void *mgen_real(const void *buffer, size_t bytes, enum scratch kind) {
    static void *memory[SCRATCH_KINDS];
    static size_t size[SCRATCH_KINDS];
    if (buffer != NULL || bytes == 0) {
        return (void *)buffer;
    }
    if (bytes > size[kind]) {
        /* The old block is not freed: a request may still use it. */
        size[kind] = 2 * bytes;
        memory[kind] = MGEN_Buffer(size[kind]);
        if (memory[kind] == NULL) {
            mgen_fail("no memory for a message without a buffer");
        }
        /* All pages that were never written share one page of zeros, so that reading them is too
         * fast. */
        memset(memory[kind], 1 + (int)kind, size[kind]);
    }
    return memory[kind];
}

size_t mgen_bytes(int count, MGEN_Datatype type) {
    return (size_t)count * mgen_type_size(type);
}

size_t mgen_type_size(MGEN_Datatype type) {
    int size = 1;
    if (type != MPI_BYTE) { /* most collectives are of bytes, and short ones take no longer */
        MPI_Type_size(type, &size);
    }
    return (size_t)size;
}

void mgen_fail(const char *what) {
    fprintf(stderr, "MGEN: %s\n", what);
    MPI_Abort(MPI_COMM_WORLD, EXIT_BROKEN);
    abort();
}

void mgen_combine(const void *from, void *into, int count, MGEN_Datatype type, MGEN_Op op) {
    if (from != NULL && into != NULL) {
        MPI_Reduce_local(from, into, count, type, op);
    }
}

/* The communicator of the last collective, and the group of its copy: to look up an attribute takes
 * as long as a short message. */
static struct {
    int is_known;
    MPI_Comm comm;
    struct group group;
} last;

static int free_copy(MPI_Comm comm, int key, void *copy, void *extra) {
    (void)extra;
    (void)key;
    if (last.is_known && last.comm == comm) {
        last.is_known = 0;
    }
    int code = MPI_Comm_free(copy);
    MPI_Free_mem(copy);
    return code;
}

/* The group of a copy of `comm`, made at the first collective in it, and freed with it. */
struct group mgen_collective_group(MGEN_Comm comm) {
    static int key = MPI_KEYVAL_INVALID;
    MPI_Comm *copy = NULL;
    int found = 0;
    if (last.is_known && last.comm == comm) {
        return last.group;
    }
    if (key == MPI_KEYVAL_INVALID) {
        MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, free_copy, &key, NULL);
    }
    MPI_Comm_get_attr(comm, key, &copy, &found);
    if (!found) {
        MPI_Alloc_mem(sizeof *copy, MPI_INFO_NULL, &copy);
        MPI_Comm_dup(comm, copy);
        MPI_Comm_set_attr(comm, key, copy);
    }
    last.is_known = 1;
    last.comm = comm;
    last.group = (struct group){.comm = *copy};
    MPI_Comm_rank(comm, &last.group.rank);
    MPI_Comm_size(comm, &last.group.size);
    return last.group;
}
