/* MGEN: message-passing and one-sided programs, which engines simulate and the engine `hardware`
 * runs over MPI.
 *
 * Calls have the names of MPI with the prefix MGEN_, and the meaning of MPI 3. A program begins at
 * MGEN_Main instead of main. Buffers may be NULL where only the amount of data matters: then
 * nothing is copied, and the time is the same.
 */
#ifndef MGEN_H
#define MGEN_H

#include <stddef.h>

#ifdef MGEN_OVER_MPI
#include "mgen_types_mpi.h"
#else
#include "mgen_types.h"
#endif
#include "sampled.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The user writes this function. One call is one repetition: `hardware` makes many, a simulator
 * one. argv[1] is the message size in bytes if the workload has sizes; then come the arguments. */
int MGEN_Main(int argc, char **argv);

/* Reports a time of this repetition beside the program's own. The largest value of all ranks
 * counts. `metric` ends with _s, for example one_way_time_s. */
void MGEN_Sample(const char *metric, double seconds);

/* Time. MGEN_Comp computes for so many seconds; `hardware` spins. */
double MGEN_Wtime(void);
void MGEN_Comp(double seconds);
/* Copies bytes within a rank's memory. A simulated copy takes the time of `network.costs` for its
 * size, and none where no copy was measured. */
void MGEN_Copy(void *to, const void *from, size_t bytes);
int MGEN_Abort(MGEN_Comm comm, int code);

/* Communicators. */
int MGEN_Comm_rank(MGEN_Comm comm, int *rank);
int MGEN_Comm_size(MGEN_Comm comm, int *size);
int MGEN_Comm_split(MGEN_Comm comm, int color, int key, MGEN_Comm *made);
int MGEN_Comm_dup(MGEN_Comm comm, MGEN_Comm *made);
int MGEN_Comm_free(MGEN_Comm *comm);

/* Two-sided messages. */
int MGEN_Send(const void *buffer, int count, MGEN_Datatype type, int dest, int tag, MGEN_Comm comm);
int MGEN_Ssend(const void *buffer, int count, MGEN_Datatype type, int dest, int tag,
               MGEN_Comm comm);
int MGEN_Recv(void *buffer, int count, MGEN_Datatype type, int source, int tag, MGEN_Comm comm,
              MGEN_Status *status);
int MGEN_Isend(const void *buffer, int count, MGEN_Datatype type, int dest, int tag, MGEN_Comm comm,
               MGEN_Request *request);
int MGEN_Irecv(void *buffer, int count, MGEN_Datatype type, int source, int tag, MGEN_Comm comm,
               MGEN_Request *request);
/* Waits until the head of a message is here. The rest may still arrive: `request` completes when
 * all of it is in `buffer`, and until then a send may already use the network, though not these
 * data. A network that reports no heads, and MPI, end the call with the whole message. */
int MGEN_Recv_head(void *buffer, int count, MGEN_Datatype type, int source, int tag, MGEN_Comm comm,
                   MGEN_Request *request);
int MGEN_Sendrecv(const void *sent, int sent_count, MGEN_Datatype sent_type, int dest, int sent_tag,
                  void *received, int received_count, MGEN_Datatype received_type, int source,
                  int received_tag, MGEN_Comm comm, MGEN_Status *status);
int MGEN_Wait(MGEN_Request *request, MGEN_Status *status);
int MGEN_Waitall(int count, MGEN_Request *requests, MGEN_Status *statuses);
int MGEN_Waitany(int count, MGEN_Request *requests, int *index, MGEN_Status *status);
int MGEN_Test(MGEN_Request *request, int *done, MGEN_Status *status);
int MGEN_Testall(int count, MGEN_Request *requests, int *done, MGEN_Status *statuses);
int MGEN_Probe(int source, int tag, MGEN_Comm comm, MGEN_Status *status);
int MGEN_Iprobe(int source, int tag, MGEN_Comm comm, int *found, MGEN_Status *status);
int MGEN_Get_count(const MGEN_Status *status, MGEN_Datatype type, int *count);

/* Collectives, made of the calls above in programs/lib/. An option of the engine chooses the
 * algorithm. */
int MGEN_Barrier(MGEN_Comm comm);
int MGEN_Bcast(void *buffer, int count, MGEN_Datatype type, int root, MGEN_Comm comm);
int MGEN_Reduce(const void *sent, void *received, int count, MGEN_Datatype type, MGEN_Op op,
                int root, MGEN_Comm comm);
int MGEN_Allreduce(const void *sent, void *received, int count, MGEN_Datatype type, MGEN_Op op,
                   MGEN_Comm comm);
int MGEN_Gather(const void *sent, int sent_count, MGEN_Datatype sent_type, void *received,
                int received_count, MGEN_Datatype received_type, int root, MGEN_Comm comm);
int MGEN_Scatter(const void *sent, int sent_count, MGEN_Datatype sent_type, void *received,
                 int received_count, MGEN_Datatype received_type, int root, MGEN_Comm comm);
int MGEN_Allgather(const void *sent, int sent_count, MGEN_Datatype sent_type, void *received,
                   int received_count, MGEN_Datatype received_type, MGEN_Comm comm);
int MGEN_Alltoall(const void *sent, int sent_count, MGEN_Datatype sent_type, void *received,
                  int received_count, MGEN_Datatype received_type, MGEN_Comm comm);
int MGEN_Alltoallv(const void *sent, const int *sent_counts, const int *sent_places,
                   MGEN_Datatype sent_type, void *received, const int *received_counts,
                   const int *received_places, MGEN_Datatype received_type, MGEN_Comm comm);

/* One-sided calls. Ranks are those of MGEN_COMM_WORLD. A put completes when its control packet is
 * back, which leaves the target when the data are in the target's memory. A get completes when its
 * data have arrived. A put with a negative tag cannot be polled; over MPI it is a plain MPI_Put. */
MGEN_acp_handle MGEN_rdma_put(int dest, int size, int tag);
MGEN_acp_handle MGEN_rdma_get(int source, int size, int tag);
/* Waits until a put with `tag` has landed at this rank, and removes it: n polls wait for n puts. */
void MGEN_rdma_poll(int tag);
void MGEN_rdma_complete(MGEN_acp_handle handle);
#define MGEN_acp_complete MGEN_rdma_complete

/* 0 if the MPI has no one-sided communication between these nodes; then none of these calls works.
 */
int MGEN_rdma_available(void);

/* The same with data: every rank exposes the same amount of memory once, before the first use and
 * followed by a barrier; `offset` counts bytes in the other rank's memory. */
int MGEN_rdma_expose(void *memory, size_t bytes);
MGEN_acp_handle MGEN_rdma_put_data(int dest, const void *data, int size, size_t offset, int tag);
MGEN_acp_handle MGEN_rdma_get_data(int source, void *data, int size, size_t offset, int tag);

#ifdef __cplusplus
}
#endif

#endif
