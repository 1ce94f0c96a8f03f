/* The collectives of mgen.h over MPI: those of the library, or algorithms of programs/lib/ that an
 * option chooses. */
#include "collective.h"
#include "over_mpi.h"
#include <string.h>

static int is_library(const char *algorithm) {
    return strcmp(algorithm, "library") == 0;
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
    const char *algorithm = mgen_algorithm("barrier");
    mgen_notify();
    return is_library(algorithm) ? MPI_Barrier(comm) : mgen_collective_barrier(algorithm, comm);
}

int MGEN_Bcast(void *buffer, int count, MGEN_Datatype type, int root, MGEN_Comm comm) {
    const char *algorithm = mgen_algorithm("bcast");
    size_t bytes = mgen_bytes(count, type);
    mgen_notify();
    if (!is_library(algorithm)) {
        return mgen_collective_bcast(algorithm, buffer, bytes, root, comm);
    }
    return MPI_Bcast(received_by(buffer, bytes), count, type, root, comm);
}

int MGEN_Reduce(const void *sent, void *received, int count, MGEN_Datatype type, MGEN_Op op,
                int root, MGEN_Comm comm) {
    const char *algorithm = mgen_algorithm("reduce");
    size_t bytes = mgen_bytes(count, type);
    mgen_notify();
    if (!is_library(algorithm)) {
        return mgen_collective_reduce(algorithm, sent, received, count, type, op, root, comm);
    }
    return MPI_Reduce(sent_by(sent, bytes), received_by(received, bytes), count, type, op, root,
                      comm);
}

int MGEN_Allreduce(const void *sent, void *received, int count, MGEN_Datatype type, MGEN_Op op,
                   MGEN_Comm comm) {
    const char *algorithm = mgen_algorithm("allreduce");
    size_t bytes = mgen_bytes(count, type);
    mgen_notify();
    if (!is_library(algorithm)) {
        return mgen_collective_allreduce(algorithm, sent, received, count, type, op, comm);
    }
    return MPI_Allreduce(sent_by(sent, bytes), received_by(received, bytes), count, type, op, comm);
}

int MGEN_Gather(const void *sent, int sent_count, MGEN_Datatype sent_type, void *received,
                int received_count, MGEN_Datatype received_type, int root, MGEN_Comm comm) {
    const char *algorithm = mgen_algorithm("gather");
    int in_place = sent == MGEN_IN_PLACE;
    size_t bytes =
        in_place ? mgen_bytes(received_count, received_type) : mgen_bytes(sent_count, sent_type);
    mgen_notify();
    if (!is_library(algorithm)) {
        return mgen_collective_gather(algorithm, sent, received, bytes, root, comm);
    }
    int rank = 0;
    MPI_Comm_rank(comm, &rank);
    size_t whole = rank == root ? all_bytes(received_count, received_type, comm) : 0;
    return MPI_Gather(sent_by(sent, bytes), sent_count, sent_type, received_by(received, whole),
                      received_count, received_type, root, comm);
}

int MGEN_Scatter(const void *sent, int sent_count, MGEN_Datatype sent_type, void *received,
                 int received_count, MGEN_Datatype received_type, int root, MGEN_Comm comm) {
    const char *algorithm = mgen_algorithm("scatter");
    int in_place = received == MGEN_IN_PLACE;
    size_t bytes =
        in_place ? mgen_bytes(sent_count, sent_type) : mgen_bytes(received_count, received_type);
    mgen_notify();
    if (!is_library(algorithm)) {
        return mgen_collective_scatter(algorithm, sent, received, bytes, root, comm);
    }
    int rank = 0;
    MPI_Comm_rank(comm, &rank);
    size_t whole = rank == root ? all_bytes(sent_count, sent_type, comm) : 0;
    return MPI_Scatter(sent_by(sent, whole), sent_count, sent_type, received_by(received, bytes),
                       received_count, received_type, root, comm);
}

int MGEN_Allgather(const void *sent, int sent_count, MGEN_Datatype sent_type, void *received,
                   int received_count, MGEN_Datatype received_type, MGEN_Comm comm) {
    const char *algorithm = mgen_algorithm("allgather");
    size_t bytes = mgen_bytes(received_count, received_type);
    mgen_notify();
    if (!is_library(algorithm)) {
        return mgen_collective_allgather(algorithm, sent, received, bytes, comm);
    }
    return MPI_Allgather(sent_by(sent, bytes), sent_count, sent_type,
                         received_by(received, all_bytes(received_count, received_type, comm)),
                         received_count, received_type, comm);
}

int MGEN_Alltoall(const void *sent, int sent_count, MGEN_Datatype sent_type, void *received,
                  int received_count, MGEN_Datatype received_type, MGEN_Comm comm) {
    const char *algorithm = mgen_algorithm("alltoall");
    size_t whole = all_bytes(received_count, received_type, comm);
    mgen_notify();
    if (!is_library(algorithm)) {
        return mgen_collective_alltoall(algorithm, sent, received,
                                        mgen_bytes(received_count, received_type), comm);
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
    if (!is_library(mgen_algorithm("alltoall"))) {
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
