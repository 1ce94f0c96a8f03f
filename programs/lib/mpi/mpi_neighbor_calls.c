/* Collectives of neighbours in a topology: the calls. */
#include "mpi_calls.h"

int MPI_Ineighbor_allgather(const void *sent, int sent_count, MPI_Datatype sent_type,
                            void *received, int received_count, MPI_Datatype received_type,
                            MPI_Comm comm, MPI_Request *request) {
    return mgen_start_call(mgen_do_neighbor_allgather,
                           (struct call){.name = "MPI_Ineighbor_allgather",
                                         .comm = comm,
                                         .root = -1,
                                         .sent = sent,
                                         .sent_count = sent_count,
                                         .sent_type = sent_type,
                                         .received = received,
                                         .received_count = received_count,
                                         .received_type = received_type},
                           request);
}

int MPI_Neighbor_allgather(const void *sent, int sent_count, MPI_Datatype sent_type, void *received,
                           int received_count, MPI_Datatype received_type, MPI_Comm comm) {
    return mgen_run(mgen_do_neighbor_allgather, (struct call){.name = "MPI_Neighbor_allgather",
                                                              .comm = comm,
                                                              .root = -1,
                                                              .sent = sent,
                                                              .sent_count = sent_count,
                                                              .sent_type = sent_type,
                                                              .received = received,
                                                              .received_count = received_count,
                                                              .received_type = received_type});
}

int MPI_Ineighbor_alltoall(const void *sent, int sent_count, MPI_Datatype sent_type, void *received,
                           int received_count, MPI_Datatype received_type, MPI_Comm comm,
                           MPI_Request *request) {
    return mgen_start_call(mgen_do_neighbor_alltoall,
                           (struct call){.name = "MPI_Ineighbor_alltoall",
                                         .comm = comm,
                                         .root = -1,
                                         .sent = sent,
                                         .sent_count = sent_count,
                                         .sent_type = sent_type,
                                         .received = received,
                                         .received_count = received_count,
                                         .received_type = received_type},
                           request);
}

int MPI_Neighbor_alltoall(const void *sent, int sent_count, MPI_Datatype sent_type, void *received,
                          int received_count, MPI_Datatype received_type, MPI_Comm comm) {
    return mgen_run(mgen_do_neighbor_alltoall, (struct call){.name = "MPI_Neighbor_alltoall",
                                                             .comm = comm,
                                                             .root = -1,
                                                             .sent = sent,
                                                             .sent_count = sent_count,
                                                             .sent_type = sent_type,
                                                             .received = received,
                                                             .received_count = received_count,
                                                             .received_type = received_type});
}

int MPI_Ineighbor_allgatherv(const void *sent, int sent_count, MPI_Datatype sent_type,
                             void *received, const int *counts, const int *places,
                             MPI_Datatype received_type, MPI_Comm comm, MPI_Request *request) {
    return mgen_start_call(mgen_do_neighbor_allgatherv,
                           (struct call){.name = "MPI_Ineighbor_allgatherv",
                                         .comm = comm,
                                         .root = -1,
                                         .sent = sent,
                                         .sent_count = sent_count,
                                         .sent_type = sent_type,
                                         .received = received,
                                         .received_type = received_type,
                                         .received_counts = counts,
                                         .received_places = places},
                           request);
}

int MPI_Neighbor_allgatherv(const void *sent, int sent_count, MPI_Datatype sent_type,
                            void *received, const int *counts, const int *places,
                            MPI_Datatype received_type, MPI_Comm comm) {
    return mgen_run(mgen_do_neighbor_allgatherv, (struct call){.name = "MPI_Neighbor_allgatherv",
                                                               .comm = comm,
                                                               .root = -1,
                                                               .sent = sent,
                                                               .sent_count = sent_count,
                                                               .sent_type = sent_type,
                                                               .received = received,
                                                               .received_type = received_type,
                                                               .received_counts = counts,
                                                               .received_places = places});
}

int MPI_Ineighbor_alltoallv(const void *sent, const int *sent_counts, const int *sent_places,
                            MPI_Datatype sent_type, void *received, const int *received_counts,
                            const int *received_places, MPI_Datatype received_type, MPI_Comm comm,
                            MPI_Request *request) {
    return mgen_start_call(mgen_do_neighbor_alltoallv,
                           (struct call){.name = "MPI_Ineighbor_alltoallv",
                                         .comm = comm,
                                         .root = -1,
                                         .sent = sent,
                                         .sent_type = sent_type,
                                         .received = received,
                                         .received_type = received_type,
                                         .sent_counts = sent_counts,
                                         .sent_places = sent_places,
                                         .received_counts = received_counts,
                                         .received_places = received_places},
                           request);
}

int MPI_Neighbor_alltoallv(const void *sent, const int *sent_counts, const int *sent_places,
                           MPI_Datatype sent_type, void *received, const int *received_counts,
                           const int *received_places, MPI_Datatype received_type, MPI_Comm comm) {
    return mgen_run(mgen_do_neighbor_alltoallv, (struct call){.name = "MPI_Neighbor_alltoallv",
                                                              .comm = comm,
                                                              .root = -1,
                                                              .sent = sent,
                                                              .sent_type = sent_type,
                                                              .received = received,
                                                              .received_type = received_type,
                                                              .sent_counts = sent_counts,
                                                              .sent_places = sent_places,
                                                              .received_counts = received_counts,
                                                              .received_places = received_places});
}

int MPI_Ineighbor_alltoallw(const void *sent, const int *sent_counts, const MPI_Aint *sent_places,
                            const MPI_Datatype *sent_types, void *received,
                            const int *received_counts, const MPI_Aint *received_places,
                            const MPI_Datatype *received_types, MPI_Comm comm,
                            MPI_Request *request) {
    return mgen_start_call(mgen_do_neighbor_alltoallw,
                           (struct call){.name = "MPI_Ineighbor_alltoallw",
                                         .comm = comm,
                                         .root = -1,
                                         .sent = sent,
                                         .received = received,
                                         .sent_counts = sent_counts,
                                         .sent_offsets = sent_places,
                                         .sent_types = sent_types,
                                         .received_counts = received_counts,
                                         .received_offsets = received_places,
                                         .received_types = received_types},
                           request);
}

int MPI_Neighbor_alltoallw(const void *sent, const int *sent_counts, const MPI_Aint *sent_places,
                           const MPI_Datatype *sent_types, void *received,
                           const int *received_counts, const MPI_Aint *received_places,
                           const MPI_Datatype *received_types, MPI_Comm comm) {
    return mgen_run(mgen_do_neighbor_alltoallw, (struct call){.name = "MPI_Neighbor_alltoallw",
                                                              .comm = comm,
                                                              .root = -1,
                                                              .sent = sent,
                                                              .received = received,
                                                              .sent_counts = sent_counts,
                                                              .sent_offsets = sent_places,
                                                              .sent_types = sent_types,
                                                              .received_counts = received_counts,
                                                              .received_offsets = received_places,
                                                              .received_types = received_types});
}
