/* Collectives that a request completes. */
#include "mpi_calls.h"

int MPI_Ibarrier(MPI_Comm comm, MPI_Request *request) {
    return mgen_start_call(
        mgen_do_barrier, (struct call){.name = "MPI_Ibarrier", .comm = comm, .root = -1}, request);
}

int MPI_Ibcast(void *buffer, int count, MPI_Datatype type, int root, MPI_Comm comm,
               MPI_Request *request) {
    return mgen_start_call(mgen_do_bcast,
                           (struct call){.name = "MPI_Ibcast",
                                         .comm = comm,
                                         .root = root,
                                         .received = buffer,
                                         .received_count = count,
                                         .received_type = type},
                           request);
}

int MPI_Ireduce(const void *sent, void *received, int count, MPI_Datatype type, MPI_Op op, int root,
                MPI_Comm comm, MPI_Request *request) {
    return mgen_start_call(mgen_do_reduce,
                           (struct call){.name = "MPI_Ireduce",
                                         .comm = comm,
                                         .root = root,
                                         .sent = sent,
                                         .received = received,
                                         .received_count = count,
                                         .received_type = type,
                                         .op = op},
                           request);
}

int MPI_Iallreduce(const void *sent, void *received, int count, MPI_Datatype type, MPI_Op op,
                   MPI_Comm comm, MPI_Request *request) {
    return mgen_start_call(mgen_do_allreduce,
                           (struct call){.name = "MPI_Iallreduce",
                                         .comm = comm,
                                         .root = -1,
                                         .sent = sent,
                                         .received = received,
                                         .received_count = count,
                                         .received_type = type,
                                         .op = op},
                           request);
}

int MPI_Iscan(const void *sent, void *received, int count, MPI_Datatype type, MPI_Op op,
              MPI_Comm comm, MPI_Request *request) {
    return mgen_start_call(mgen_do_scan,
                           (struct call){.name = "MPI_Iscan",
                                         .comm = comm,
                                         .root = -1,
                                         .sent = sent,
                                         .received = received,
                                         .received_count = count,
                                         .received_type = type,
                                         .op = op},
                           request);
}

int MPI_Iexscan(const void *sent, void *received, int count, MPI_Datatype type, MPI_Op op,
                MPI_Comm comm, MPI_Request *request) {
    return mgen_start_call(mgen_do_exscan,
                           (struct call){.name = "MPI_Iexscan",
                                         .comm = comm,
                                         .root = -1,
                                         .sent = sent,
                                         .received = received,
                                         .received_count = count,
                                         .received_type = type,
                                         .op = op},
                           request);
}

int MPI_Ireduce_scatter_block(const void *sent, void *received, int count, MPI_Datatype type,
                              MPI_Op op, MPI_Comm comm, MPI_Request *request) {
    return mgen_start_call(mgen_do_reduce_scatter_block,
                           (struct call){.name = "MPI_Ireduce_scatter_block",
                                         .comm = comm,
                                         .root = -1,
                                         .sent = sent,
                                         .received = received,
                                         .received_count = count,
                                         .received_type = type,
                                         .op = op},
                           request);
}

int MPI_Ireduce_scatter(const void *sent, void *received, const int *counts, MPI_Datatype type,
                        MPI_Op op, MPI_Comm comm, MPI_Request *request) {
    return mgen_start_call(mgen_do_reduce_scatter,
                           (struct call){.name = "MPI_Ireduce_scatter",
                                         .comm = comm,
                                         .root = -1,
                                         .sent = sent,
                                         .received = received,
                                         .received_counts = counts,
                                         .received_type = type,
                                         .op = op},
                           request);
}

int MPI_Igather(const void *sent, int sent_count, MPI_Datatype sent_type, void *received,
                int received_count, MPI_Datatype received_type, int root, MPI_Comm comm,
                MPI_Request *request) {
    return mgen_start_call(mgen_do_gather,
                           (struct call){.name = "MPI_Igather",
                                         .comm = comm,
                                         .root = root,
                                         .sent = sent,
                                         .sent_count = sent_count,
                                         .sent_type = sent_type,
                                         .received = received,
                                         .received_count = received_count,
                                         .received_type = received_type},
                           request);
}

int MPI_Iscatter(const void *sent, int sent_count, MPI_Datatype sent_type, void *received,
                 int received_count, MPI_Datatype received_type, int root, MPI_Comm comm,
                 MPI_Request *request) {
    return mgen_start_call(mgen_do_scatter,
                           (struct call){.name = "MPI_Iscatter",
                                         .comm = comm,
                                         .root = root,
                                         .sent = sent,
                                         .sent_count = sent_count,
                                         .sent_type = sent_type,
                                         .received = received,
                                         .received_count = received_count,
                                         .received_type = received_type},
                           request);
}

int MPI_Iallgather(const void *sent, int sent_count, MPI_Datatype sent_type, void *received,
                   int received_count, MPI_Datatype received_type, MPI_Comm comm,
                   MPI_Request *request) {
    return mgen_start_call(mgen_do_allgather,
                           (struct call){.name = "MPI_Iallgather",
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

int MPI_Ialltoall(const void *sent, int sent_count, MPI_Datatype sent_type, void *received,
                  int received_count, MPI_Datatype received_type, MPI_Comm comm,
                  MPI_Request *request) {
    return mgen_start_call(mgen_do_alltoall,
                           (struct call){.name = "MPI_Ialltoall",
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
