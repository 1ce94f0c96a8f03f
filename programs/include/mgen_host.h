/* The functions below the calls of mgen.h: those of the simulator for programs/lib/simulated.c, and
 * five for the collectives of programs/lib/. Programs do not need this file. */
#ifndef MGEN_HOST_H
#define MGEN_HOST_H

#include "mgen.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Tags from here on belong to collectives: no MGEN_ANY_TAG matches them. */
enum { MGEN_COLLECTIVE_TAG = 0x40000000 };

/* What an option says of the algorithm of a collective, for example "dissemination" for "barrier";
 * "library" for the collective of the MPI library. It may also name a library whose rules choose,
 * or hold rules (programs/lib/choose.c). */
const char *mgen_algorithm(const char *collective);
/* Rules have chosen `algorithm` for a collective of so many bytes. */
void mgen_chosen(const char *collective, const char *algorithm, size_t bytes, int ranks);
/* The rank enters and leaves a collective, which messages and the history name as its call. `root`
 * is -1 for a collective without a root. Different collectives in one communicator are an error. */
void mgen_enter(const char *call, MGEN_Comm comm, int root);
void mgen_leave(void);
/* Ends the run with a message about the call that the rank is in. Does not return. */
void mgen_fail(const char *what);

#ifndef MGEN_OVER_MPI

/* Functions of the simulator. From this, simulators/mpi/build.rs makes the same structure in Rust.
 */
struct mgen_host {
    const char *(*algorithm)(const char *collective);
    void (*chosen)(const char *collective, const char *algorithm, size_t bytes, int ranks);
    void (*enter)(const char *call, int comm, int root);
    void (*leave)(void);
    void (*fail)(const char *what);

    void (*sample)(const char *metric, double seconds);
    double (*wtime)(void);
    void (*comp)(double seconds);
    void (*copy)(size_t bytes);
    int (*abort)(int comm, int code);
    void (*quit)(int code);

    int (*comm_rank)(int comm, int *rank);
    int (*comm_size)(int comm, int *size);
    int (*comm_split)(int comm, int color, int key, int *made);
    int (*comm_dup)(int comm, int *made);
    int (*comm_free)(int *comm);

    int (*send)(const void *buffer, int count, int type, int dest, int tag, int comm);
    int (*ssend)(const void *buffer, int count, int type, int dest, int tag, int comm);
    int (*recv)(void *buffer, int count, int type, int source, int tag, int comm,
                MGEN_Status *status);
    int (*isend)(const void *buffer, int count, int type, int dest, int tag, int comm,
                 int *request);
    int (*irecv)(void *buffer, int count, int type, int source, int tag, int comm, int *request);
    int (*recv_head)(void *buffer, int count, int type, int source, int tag, int comm,
                     int *request);
    int (*sendrecv)(const void *sent, int sent_count, int sent_type, int dest, int sent_tag,
                    void *received, int received_count, int received_type, int source,
                    int received_tag, int comm, MGEN_Status *status);
    int (*wait)(int *request, MGEN_Status *status);
    int (*waitall)(int count, int *requests, MGEN_Status *statuses);
    int (*waitany)(int count, int *requests, int *index, MGEN_Status *status);
    int (*test)(int *request, int *done, MGEN_Status *status);
    int (*testall)(int count, int *requests, int *done, MGEN_Status *statuses);
    int (*probe)(int source, int tag, int comm, MGEN_Status *status);
    int (*iprobe)(int source, int tag, int comm, int *found, MGEN_Status *status);
    int (*get_count)(const MGEN_Status *status, int type, int *count);

    long (*rdma_put)(int dest, int size, int tag);
    long (*rdma_get)(int source, int size, int tag);
    void (*rdma_poll)(int tag);
    void (*rdma_complete)(long handle);
    int (*rdma_expose)(void *memory, size_t bytes);
    long (*rdma_put_data)(int dest, const void *data, int size, size_t offset, int tag);
    long (*rdma_get_data)(int source, void *data, int size, size_t offset, int tag);
};

/* Called once, when the program is loaded and before any rank begins. */
void mgen_bind(const struct mgen_host *functions);

#endif

#ifdef __cplusplus
}
#endif

#endif
