/* Collectives with unequal blocks that a request completes. */
#include "mpi_calls.h"

int MPI_Igatherv(const void *sent, int sent_count, MPI_Datatype sent_type, void *received,
                 const int *counts, const int *places, MPI_Datatype received_type, int root,
                 MPI_Comm comm, MPI_Request *request) {
    return mgen_start_call(mgen_do_gatherv,
                           (struct call){.name = "MPI_Igatherv",
                                         .comm = comm,
                                         .root = root,
                                         .sent = sent,
                                         .sent_count = sent_count,
                                         .sent_type = sent_type,
                                         .received = received,
                                         .received_type = received_type,
                                         .received_counts = counts,
                                         .received_places = places},
                           request);
}

int MPI_Iallgatherv(const void *sent, int sent_count, MPI_Datatype sent_type, void *received,
                    const int *counts, const int *places, MPI_Datatype received_type, MPI_Comm comm,
                    MPI_Request *request) {
    return mgen_start_call(mgen_do_allgatherv,
                           (struct call){.name = "MPI_Iallgatherv",
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

int MPI_Iscatterv(const void *sent, const int *counts, const int *places, MPI_Datatype sent_type,
                  void *received, int received_count, MPI_Datatype received_type, int root,
                  MPI_Comm comm, MPI_Request *request) {
    return mgen_start_call(mgen_do_scatterv,
                           (struct call){.name = "MPI_Iscatterv",
                                         .comm = comm,
                                         .root = root,
                                         .sent = sent,
                                         .sent_type = sent_type,
                                         .received = received,
                                         .received_count = received_count,
                                         .received_type = received_type,
                                         .sent_counts = counts,
                                         .sent_places = places},
                           request);
}

int MPI_Ialltoallv(const void *sent, const int *sent_counts, const int *sent_places,
                   MPI_Datatype sent_type, void *received, const int *received_counts,
                   const int *received_places, MPI_Datatype received_type, MPI_Comm comm,
                   MPI_Request *request) {
    return mgen_start_call(mgen_do_alltoallv,
                           (struct call){.name = "MPI_Ialltoallv",
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

int MPI_Ialltoallw(const void *sent, const int *sent_counts, const int *sent_places,
                   const MPI_Datatype *sent_types, void *received, const int *received_counts,
                   const int *received_places, const MPI_Datatype *received_types, MPI_Comm comm,
                   MPI_Request *request) {
    return mgen_start_call(mgen_do_alltoallw,
                           (struct call){.name = "MPI_Ialltoallw",
                                         .comm = comm,
                                         .root = -1,
                                         .sent = sent,
                                         .received = received,
                                         .sent_counts = sent_counts,
                                         .sent_places = sent_places,
                                         .sent_types = sent_types,
                                         .received_counts = received_counts,
                                         .received_places = received_places,
                                         .received_types = received_types},
                           request);
}
