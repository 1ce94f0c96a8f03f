/* The collectives of mgen.h over MPI: those of the library, or algorithms of programs/lib/ that an
 * option chooses. */
#include "collective.h"
#include "over_mpi.h"
#include <string.h>

static int is_library(const struct choice *choice) {
    return strcmp(choice->name, "library") == 0;
}

/* A short collective must not take longer because of how weft looks up its algorithm. Options do
 * not change while a program runs, so an algorithm for all sizes is looked up once. */
static struct choice chosen(enum collective which, size_t elements, size_t bytes, MGEN_Comm comm) {
    static struct {
        int is_known;
        int is_fixed;
        struct choice choice;
    } found[COLLECTIVES];
    if (!found[which].is_known) {
        found[which].is_known = 1;
        found[which].is_fixed = mgen_collective_is_fixed(which);
        if (found[which].is_fixed) {
            found[which].choice = mgen_collective_choose(which, elements, bytes, comm);
        }
    }
    return found[which].is_fixed ? found[which].choice
                                 : mgen_collective_choose(which, elements, bytes, comm);
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
    struct choice choice = chosen(COLLECTIVE_BARRIER, 0, 0, comm);
    mgen_notify();
    return is_library(&choice) ? MPI_Barrier(comm) : mgen_collective_barrier(choice.name, comm);
}

int MGEN_Bcast(void *buffer, int count, MGEN_Datatype type, int root, MGEN_Comm comm) {
    size_t bytes = mgen_bytes(count, type);
    struct choice choice = chosen(COLLECTIVE_BCAST, (size_t)count, bytes, comm);
    mgen_notify();
    if (!is_library(&choice)) {
        return mgen_collective_bcast(choice.name, buffer, bytes, root, comm);
    }
    return MPI_Bcast(received_by(buffer, bytes), count, type, root, comm);
}

int MGEN_Reduce(const void *sent, void *received, int count, MGEN_Datatype type, MGEN_Op op,
                int root, MGEN_Comm comm) {
    size_t bytes = mgen_bytes(count, type);
    struct choice choice = chosen(COLLECTIVE_REDUCE, (size_t)count, bytes, comm);
    mgen_notify();
    if (!is_library(&choice)) {
        return mgen_collective_reduce(choice.name, sent, received, count, type, op, root, comm);
    }
    return MPI_Reduce(sent_by(sent, bytes), received_by(received, bytes), count, type, op, root,
                      comm);
}

int MGEN_Allreduce(const void *sent, void *received, int count, MGEN_Datatype type, MGEN_Op op,
                   MGEN_Comm comm) {
    size_t bytes = mgen_bytes(count, type);
    struct choice choice = chosen(COLLECTIVE_ALLREDUCE, (size_t)count, bytes, comm);
    mgen_notify();
    if (!is_library(&choice)) {
        return mgen_collective_allreduce(choice.name, sent, received, count, type, op, comm);
    }
    return MPI_Allreduce(sent_by(sent, bytes), received_by(received, bytes), count, type, op, comm);
}

int MGEN_Gather(const void *sent, int sent_count, MGEN_Datatype sent_type, void *received,
                int received_count, MGEN_Datatype received_type, int root, MGEN_Comm comm) {
    int in_place = sent == MGEN_IN_PLACE;
    size_t bytes =
        in_place ? mgen_bytes(received_count, received_type) : mgen_bytes(sent_count, sent_type);
    struct choice choice = chosen(COLLECTIVE_GATHER, 0, bytes, comm);
    mgen_notify();
    if (!is_library(&choice)) {
        return mgen_collective_gather(choice.name, sent, received, bytes, root, comm);
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
    struct choice choice = chosen(COLLECTIVE_SCATTER, 0, bytes, comm);
    mgen_notify();
    if (!is_library(&choice)) {
        return mgen_collective_scatter(choice.name, sent, received, bytes, root, comm);
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
    struct choice choice = chosen(COLLECTIVE_ALLGATHER, 0, bytes, comm);
    mgen_notify();
    if (!is_library(&choice)) {
        return mgen_collective_allgather(choice.name, sent, received, bytes, comm);
    }
    return MPI_Allgather(sent_by(sent, bytes), sent_count, sent_type,
                         received_by(received, all_bytes(received_count, received_type, comm)),
                         received_count, received_type, comm);
}

int MGEN_Alltoall(const void *sent, int sent_count, MGEN_Datatype sent_type, void *received,
                  int received_count, MGEN_Datatype received_type, MGEN_Comm comm) {
    size_t bytes = mgen_bytes(received_count, received_type);
    struct choice choice = chosen(COLLECTIVE_ALLTOALL, 0, bytes, comm);
    size_t whole = all_bytes(received_count, received_type, comm);
    mgen_notify();
    if (!is_library(&choice)) {
        return mgen_collective_alltoall(choice.name, sent, received, bytes, comm);
    }
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
