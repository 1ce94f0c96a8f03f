/* The two-sided calls of mgen.h over MPI. */
#include "collective.h"
#include "over_mpi.h"
#include <stdlib.h>
#include <string.h>

static void *sent_buffer(const void *buffer, int count, MGEN_Datatype type) {
    return buffer != NULL ? (void *)buffer : mgen_real(NULL, mgen_bytes(count, type), SCRATCH_SENT);
}

static void *received_buffer(void *buffer, int count, MGEN_Datatype type) {
    return buffer != NULL ? buffer : mgen_real(NULL, mgen_bytes(count, type), SCRATCH_RECEIVED);
}

double MGEN_Wtime(void) {
    return MPI_Wtime();
}

void MGEN_Comp(double seconds) {
    double end = MPI_Wtime() + seconds;
    mgen_notify();
    while (MPI_Wtime() < end) {
    }
}

void MGEN_Copy(void *to, const void *from, size_t bytes) {
    const void *source = mgen_real(from, bytes, SCRATCH_SENT);
    void *target = mgen_real(to, bytes, SCRATCH_RECEIVED);
    if (bytes > 0) {
        memmove(target, source, bytes);
    }
}

int MGEN_Abort(MGEN_Comm comm, int code) {
    return MPI_Abort(comm, code);
}

int MGEN_Comm_rank(MGEN_Comm comm, int *rank) {
    return MPI_Comm_rank(comm, rank);
}

int MGEN_Comm_size(MGEN_Comm comm, int *size) {
    return MPI_Comm_size(comm, size);
}

int MGEN_Comm_split(MGEN_Comm comm, int color, int key, MGEN_Comm *made) {
    mgen_notify();
    return MPI_Comm_split(comm, color, key, made);
}

int MGEN_Comm_dup(MGEN_Comm comm, MGEN_Comm *made) {
    mgen_notify();
    return MPI_Comm_dup(comm, made);
}

int MGEN_Comm_free(MGEN_Comm *comm) {
    mgen_notify();
    return MPI_Comm_free(comm);
}

int MGEN_Send(const void *buffer, int count, MGEN_Datatype type, int dest, int tag,
              MGEN_Comm comm) {
    mgen_notify();
    return MPI_Send(sent_buffer(buffer, count, type), count, type, dest, tag, comm);
}

int MGEN_Ssend(const void *buffer, int count, MGEN_Datatype type, int dest, int tag,
               MGEN_Comm comm) {
    mgen_notify();
    return MPI_Ssend(sent_buffer(buffer, count, type), count, type, dest, tag, comm);
}

int MGEN_Recv(void *buffer, int count, MGEN_Datatype type, int source, int tag, MGEN_Comm comm,
              MGEN_Status *status) {
    mgen_notify();
    return MPI_Recv(received_buffer(buffer, count, type), count, type, source, tag, comm, status);
}

int MGEN_Isend(const void *buffer, int count, MGEN_Datatype type, int dest, int tag, MGEN_Comm comm,
               MGEN_Request *request) {
    return MPI_Isend(sent_buffer(buffer, count, type), count, type, dest, tag, comm, request);
}

int MGEN_Irecv(void *buffer, int count, MGEN_Datatype type, int source, int tag, MGEN_Comm comm,
               MGEN_Request *request) {
    return MPI_Irecv(received_buffer(buffer, count, type), count, type, source, tag, comm, request);
}

/* MPI reports no heads: the call ends with the message, and nothing is left to wait for. */
int MGEN_Recv_head(void *buffer, int count, MGEN_Datatype type, int source, int tag, MGEN_Comm comm,
                   MGEN_Request *request) {
    *request = MGEN_REQUEST_NULL;
    return MGEN_Recv(buffer, count, type, source, tag, comm, MGEN_STATUS_IGNORE);
}

int MGEN_Sendrecv(const void *sent, int sent_count, MGEN_Datatype sent_type, int dest, int sent_tag,
                  void *received, int received_count, MGEN_Datatype received_type, int source,
                  int received_tag, MGEN_Comm comm, MGEN_Status *status) {
    mgen_notify();
    return MPI_Sendrecv(sent_buffer(sent, sent_count, sent_type), sent_count, sent_type, dest,
                        sent_tag, received_buffer(received, received_count, received_type),
                        received_count, received_type, source, received_tag, comm, status);
}

int MGEN_Wait(MGEN_Request *request, MGEN_Status *status) {
    mgen_notify();
    return MPI_Wait(request, status);
}

int MGEN_Waitall(int count, MGEN_Request *requests, MGEN_Status *statuses) {
    mgen_notify();
    return MPI_Waitall(count, requests, statuses);
}

int MGEN_Waitany(int count, MGEN_Request *requests, int *index, MGEN_Status *status) {
    mgen_notify();
    return MPI_Waitany(count, requests, index, status);
}

int MGEN_Test(MGEN_Request *request, int *done, MGEN_Status *status) {
    mgen_notify();
    return MPI_Test(request, done, status);
}

int MGEN_Testall(int count, MGEN_Request *requests, int *done, MGEN_Status *statuses) {
    mgen_notify();
    return MPI_Testall(count, requests, done, statuses);
}

int MGEN_Probe(int source, int tag, MGEN_Comm comm, MGEN_Status *status) {
    mgen_notify();
    return MPI_Probe(source, tag, comm, status);
}

int MGEN_Iprobe(int source, int tag, MGEN_Comm comm, int *found, MGEN_Status *status) {
    mgen_notify();
    return MPI_Iprobe(source, tag, comm, found, status);
}

int MGEN_Get_count(const MGEN_Status *status, MGEN_Datatype type, int *count) {
    return MPI_Get_count(status, type, count);
}
