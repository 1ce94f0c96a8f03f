/* The collectives of mgen.h over MPI: those of the library, or algorithms of programs/lib/ that an
 * option chooses. */
#include "collective.h"
#include "over_mpi.h"
#include <string.h>

/* The algorithm's name, or NULL for the library's own collective. A short collective must not take
 * longer because of how weft looks up its algorithm: options do not change while a program runs, so
 * an algorithm for all sizes is looked up once. The name is valid until the next call. */
static const char *algorithm(enum collective which, size_t elements, size_t bytes, MGEN_Comm comm) {
    static struct {
        int is_fixed;
        int is_library;
        struct choice choice;
    } found[COLLECTIVES];
    if (!found[which].is_fixed) {
        found[which].is_fixed = mgen_collective_is_fixed(which);
        found[which].choice = mgen_collective_choose(which, elements, bytes, comm);
        found[which].is_library = strcmp(found[which].choice.name, "library") == 0;
    }
    return found[which].is_library ? NULL : found[which].choice.name;
}

static size_t all_bytes(int count, MGEN_Datatype type, MGEN_Comm comm) {
    int size = 0;
    MPI_Comm_size(comm, &size);
    return mgen_bytes(count, type) * (size_t)size;
}

static void *sent_by(const void *buffer, size_t bytes) {
    return mgen_real(buffer, bytes, SCRATCH_SENT);
}

static void *received_by(void *buffer, size_t bytes) {
    return mgen_real(buffer, bytes, SCRATCH_RECEIVED);
}

int MGEN_Barrier(MGEN_Comm comm) {
    const char *asked = algorithm(COLLECTIVE_BARRIER, 0, 0, comm);
    mgen_notify();
    return asked == NULL ? MPI_Barrier(comm) : mgen_collective_barrier(asked, comm);
}

int MGEN_Bcast(void *buffer, int count, MGEN_Datatype type, int root, MGEN_Comm comm) {
    size_t bytes = mgen_bytes(count, type);
    const char *asked = algorithm(COLLECTIVE_BCAST, (size_t)count, bytes, comm);
    mgen_notify();
    if (asked != NULL) {
        return mgen_collective_bcast(asked, buffer, bytes, root, comm);
    }
    return MPI_Bcast(received_by(buffer, bytes), count, type, root, comm);
}

int MGEN_Reduce(const void *sent, void *received, int count, MGEN_Datatype type, MGEN_Op op,
                int root, MGEN_Comm comm) {
    size_t bytes = mgen_bytes(count, type);
    const char *asked = algorithm(COLLECTIVE_REDUCE, (size_t)count, bytes, comm);
    mgen_notify();
    if (asked != NULL) {
        return mgen_collective_reduce(asked, sent, received, count, type, op, root, comm);
    }
    return MPI_Reduce(sent_by(sent, bytes), received_by(received, bytes), count, type, op, root,
                      comm);
}

int MGEN_Allreduce(const void *sent, void *received, int count, MGEN_Datatype type, MGEN_Op op,
                   MGEN_Comm comm) {
    size_t bytes = mgen_bytes(count, type);
    const char *asked = algorithm(COLLECTIVE_ALLREDUCE, (size_t)count, bytes, comm);
    mgen_notify();
    if (asked != NULL) {
        return mgen_collective_allreduce(asked, sent, received, count, type, op, comm);
    }
    return MPI_Allreduce(sent_by(sent, bytes), received_by(received, bytes), count, type, op, comm);
}

int MGEN_Gather(const void *sent, int sent_count, MGEN_Datatype sent_type, void *received,
                int received_count, MGEN_Datatype received_type, int root, MGEN_Comm comm) {
    int in_place = sent == MGEN_IN_PLACE;
    size_t bytes =
        in_place ? mgen_bytes(received_count, received_type) : mgen_bytes(sent_count, sent_type);
    const char *asked = algorithm(COLLECTIVE_GATHER, 0, bytes, comm);
    mgen_notify();
    if (asked != NULL) {
        return mgen_collective_gather(asked, sent, received, bytes, root, comm);
    }
    int rank = 0;
    MPI_Comm_rank(comm, &rank);
    size_t whole = rank == root ? all_bytes(received_count, received_type, comm) : 0;
    return MPI_Gather(sent_by(sent, bytes), sent_count, sent_type, received_by(received, whole),
                      received_count, received_type, root, comm);
}

int MGEN_Scatter(const void *sent, int sent_count, MGEN_Datatype sent_type, void *received,
                 int received_count, MGEN_Datatype received_type, int root, MGEN_Comm comm) {
    int in_place = received == MGEN_IN_PLACE;
    size_t bytes =
        in_place ? mgen_bytes(sent_count, sent_type) : mgen_bytes(received_count, received_type);
    const char *asked = algorithm(COLLECTIVE_SCATTER, 0, bytes, comm);
    mgen_notify();
    if (asked != NULL) {
        return mgen_collective_scatter(asked, sent, received, bytes, root, comm);
    }
    int rank = 0;
    MPI_Comm_rank(comm, &rank);
    size_t whole = rank == root ? all_bytes(sent_count, sent_type, comm) : 0;
    return MPI_Scatter(sent_by(sent, whole), sent_count, sent_type, received_by(received, bytes),
                       received_count, received_type, root, comm);
}

int MGEN_Allgather(const void *sent, int sent_count, MGEN_Datatype sent_type, void *received,
                   int received_count, MGEN_Datatype received_type, MGEN_Comm comm) {
    size_t bytes = mgen_bytes(received_count, received_type);
    const char *asked = algorithm(COLLECTIVE_ALLGATHER, 0, bytes, comm);
    mgen_notify();
    if (asked != NULL) {
        return mgen_collective_allgather(asked, sent, received, bytes, comm);
    }
    return MPI_Allgather(sent_by(sent, bytes), sent_count, sent_type,
                         received_by(received, all_bytes(received_count, received_type, comm)),
                         received_count, received_type, comm);
}

int MGEN_Alltoall(const void *sent, int sent_count, MGEN_Datatype sent_type, void *received,
                  int received_count, MGEN_Datatype received_type, MGEN_Comm comm) {
    size_t bytes = mgen_bytes(received_count, received_type);
    const char *asked = algorithm(COLLECTIVE_ALLTOALL, 0, bytes, comm);
    mgen_notify();
    if (asked != NULL) {
        return mgen_collective_alltoall(asked, sent, received, bytes, comm);
    }
    size_t whole = all_bytes(received_count, received_type, comm);
    return MPI_Alltoall(sent_by(sent, whole), sent_count, sent_type, received_by(received, whole),
                        received_count, received_type, comm);
}

static size_t extent(const int *counts, const int *places, MGEN_Datatype type, MGEN_Comm comm) {
    size_t most = 0;
    int size = 0;
    MPI_Comm_size(comm, &size);
    for (int rank = 0; rank < size; rank++) {
        size_t end = mgen_bytes(places[rank] + counts[rank], type);
        most = end > most ? end : most;
    }
    return most;
}

int MGEN_Alltoallv(const void *sent, const int *sent_counts, const int *sent_places,
                   MGEN_Datatype sent_type, void *received, const int *received_counts,
                   const int *received_places, MGEN_Datatype received_type, MGEN_Comm comm) {
    mgen_notify();
    if (strcmp(mgen_algorithm("alltoall"), "library") != 0) {
        return mgen_collective_alltoallv(sent, sent_counts, sent_places, mgen_type_size(sent_type),
                                         received, received_counts, received_places,
                                         mgen_type_size(received_type), comm);
    }
    size_t out = sent == MGEN_IN_PLACE ? 0 : extent(sent_counts, sent_places, sent_type, comm);
    size_t in = extent(received_counts, received_places, received_type, comm);
    return MPI_Alltoallv(sent_by(sent, out), sent_counts, sent_places, sent_type,
                         received_by(received, in), received_counts, received_places, received_type,
                         comm);
}
