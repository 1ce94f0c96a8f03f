/* The functions below the calls of mgen.h: those of the simulator for programs/lib/simulated.c, and
 * five for the collectives of programs/lib/. Programs do not need this file. */
#ifndef MGEN_HOST_H
#define MGEN_HOST_H

#include "mgen.h"

#ifdef __cplusplus
extern "C" {
#endif

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

/* Beside the handle of a communicator: messages that only the library sends and receives there. No
 * call of the program meets them, and they may have any tag that is no wildcard. */
enum { MGEN_HIDDEN = 0x40000000 };

/* For the calls of mpi.h (programs/lib/mpi/). Memory of the rank for MGEN_OWN pointers, all NULL at
 * its start. */
enum { MGEN_OWN = 4 };
void **mgen_own(void);
/* The rank enters a call that is no collective, which messages and the history name as its call
 * until mgen_leave. */
void mgen_label(const char *call);
/* Fails if the program must not make this call of MPI now: before MPI_Init or after MPI_Finalize.
 * Only calls that enter nothing and reach no function of the simulator need it, as the others say
 * so themselves. It takes no time. */
void mgen_called(const char *call);
/* Says something about the program in its log, once, and beside the reason if a rank ends badly. */
void mgen_note(const char *what);
/* What the rank computes from now on counts as time of the program, or not. */
void mgen_counts(int counts);
/* The rank copies so many bytes, as fast as its memory is. */
void mgen_copied(size_t bytes);
/* The node of a rank of MGEN_COMM_WORLD; the own node for MGEN_PROC_NULL. */
int mgen_node(int rank);
/* The name of the own node; returns its length, as snprintf does. */
int mgen_node_name(char *name, size_t room);
/* The rank in MGEN_COMM_WORLD of a member of a communicator. */
int mgen_comm_member(MGEN_Comm comm, int place);
/* A communicator of these members of `comm`, which are ranks of MGEN_COMM_WORLD and all call this
 * with the same list and tag. It does not wait for the others. */
int mgen_comm_join(MGEN_Comm comm, const int *members, int count, int tag, MGEN_Comm *made);
/* From now on the members of `own` send to the members of `other`, and the other way. */
void mgen_comm_link(MGEN_Comm own, MGEN_Comm other);
int mgen_issend(const void *buffer, int count, MGEN_Datatype type, int dest, int tag,
                MGEN_Comm comm, MGEN_Request *request);
/* Finds a message and keeps it for mgen_imrecv. */
int mgen_improbe(int source, int tag, MGEN_Comm comm, int *found, int *message,
                 MGEN_Status *status);
int mgen_imrecv(void *buffer, int count, MGEN_Datatype type, int *message, MGEN_Request *request);
/* Whether a request is complete, without an end to it. With `is_polled`, a rank that asks again and
 * again lets time pass, as with MGEN_Test. */
int mgen_peek(MGEN_Request request, int is_polled, MGEN_Status *status);
/* Waits until one of several requests is complete, without an end to it, or may be so: of a rank
 * with several threads, another one may have ended it. */
void mgen_await(int count, const MGEN_Request *requests);
/* The call that the rank is in has found what it finds again if nothing happens. A rank that makes
 * nothing but such calls, many times, lets time pass. */
void mgen_look(void);
/* Completes a receive that has no message yet, with a status of MGEN_CANCELLED bytes. Other
 * requests stay as they are. */
enum { MGEN_CANCELLED = -1 };
void mgen_cancel(MGEN_Request request);

/* Begins a request that is complete after so much time. */
void mgen_timer(double seconds, MGEN_Request *request);
/* The rank reaches the storage that all ranks share: the simulated time comes to the rank's clock.
 * Returns whether files hold data, or have sizes alone. Ends the run if files are refused. */
int mgen_storage(void);
/* Begins an access of so many bytes; the request is complete when the storage has done it. */
void mgen_store(size_t bytes, MGEN_Request *request);
/* A pointer that all members of a communicator share, at first NULL. */
void **mgen_common(MGEN_Comm comm);
/* As MPI_File_open of a file that has no bytes and lies nowhere: every access of it moves as many
 * bytes as it is asked for, and takes the time of the storage. A replay opens its files so. */
int mgen_file_open_empty(MGEN_Comm comm, int *file);
/* As MPI_Win_create of a window without memory: what arrives is dropped, and what is fetched is
 * zero. A replay opens its windows so. */
int mgen_window_open_empty(MGEN_Comm comm, int *window);
/* From now on NULL as a buffer of a call of mpi.h stands for data at which nobody looks, and not
 * for MPI_BOTTOM. A replay sends such data. */
void mgen_without_data(void);
/* The rank waits for its device, which computes so long. Collectives that the rank has begun go on
 * meanwhile. */
void mgen_device_comp(double seconds);

/* What a one-sided operation does at its target when it arrives there, while no rank runs. `data`
 * came with it and `answer` goes back; both are NULL where only sizes count. `shift` leads from an
 * address of the target to the memory that it means now. Returns 1 if the answer may go back; else
 * mgen_release lets it, which only effects may call. */
typedef int mgen_effect(void *what, const void *data, void *answer, long shift, int number);
/* Begins such an operation. `place` is an address of the target: all that the effect touches lies
 * in the same object. MGEN_rdma_complete waits for the answer. */
MGEN_acp_handle mgen_apply(int dest, const void *data, size_t bytes, void *answer,
                           size_t answer_bytes, void *place, mgen_effect *effect, void *what);
void mgen_release(int number);

/* Threads of a rank, for programs/lib/simulated/. A thread runs until it waits, yields or ends; the
 * first of a rank has the number 0. `call` is the function that the program has called.
 * thread_begin returns a number; a stack of 0 bytes is as large as that of a rank.
 * thread_reach returns when all that others do before the time of this thread has happened.
 * thread_wait waits at a place until another thread calls thread_wake there, or for so long if
 * `seconds` is not negative, and returns whether one did. thread_wake wakes so many at most, and
 * returns the number of the last one, or -1. thread_number is that of the running thread, and
 * thread_end does not return. */
typedef void mgen_thread(void *argument);
/* What simulated.c has bound. */
const struct mgen_host *mgen_functions(void);

/* Functions of the simulator. From this, simulators/mpi/build.rs makes the same structure in Rust.
 */
struct mgen_host {
    const char *(*algorithm)(const char *collective);
    void (*chosen)(const char *collective, const char *algorithm, size_t bytes, int ranks);
    void (*note)(const char *what);
    void (*enter)(const char *call, int comm, int root);
    void (*leave)(void);
    void (*counts)(int counts);
    int (*pass)(const char *where, long passes, int goes_on);
    void (*fail)(const char *what);

    void *(*own)(void);
    void (*label)(const char *call);
    void (*called)(const char *call);
    void (*copied)(size_t bytes);
    int (*node)(int rank);

    void (*sample)(const char *metric, double seconds);
    double (*wtime)(void);
    void (*comp)(double seconds);
    void (*copy)(size_t bytes);
    int (*abort)(int comm, int code);
    void (*quit)(int code);
    void (*look)(void);

    int (*thread_begin)(mgen_thread *run, void *argument, size_t stack_bytes);
    void (*thread_reach)(const char *call);
    int (*thread_wait)(const char *call, const void *place, double seconds);
    int (*thread_wake)(const void *place, int count);
    void (*thread_yield)(void);
    int (*thread_number)(void);
    void (*thread_end)(void);

    int (*comm_rank)(int comm, int *rank);
    int (*comm_size)(int comm, int *size);
    int (*comm_split)(int comm, int color, int key, int *made);
    int (*comm_dup)(int comm, int *made);
    int (*comm_free)(int *comm);
    int (*comm_member)(int comm, int place);
    int (*comm_join)(int comm, const int *members, int count, int tag, int *made);
    void (*comm_link)(int own, int other);

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
    int (*issend)(const void *buffer, int count, int type, int dest, int tag, int comm,
                  int *request);
    int (*improbe)(int source, int tag, int comm, int *found, int *message, MGEN_Status *status);
    int (*imrecv)(void *buffer, int count, int type, int *message, int *request);
    int (*peek)(int request, int is_polled, MGEN_Status *status);
    void (*wait_one)(int count, const int *requests);
    void (*cancel)(int request);
    void (*timer)(double seconds, int *request);
    int (*storage)(void);
    void (*store)(size_t bytes, int *request);
    void *(*common)(int comm);

    long (*rdma_put)(int dest, int size, int tag);
    long (*rdma_get)(int source, int size, int tag);
    void (*rdma_poll)(int tag);
    void (*rdma_complete)(long handle);
    int (*rdma_expose)(void *memory, size_t bytes);
    long (*rdma_put_data)(int dest, const void *data, int size, size_t offset, int tag);
    long (*rdma_get_data)(int source, void *data, int size, size_t offset, int tag);
    long (*apply)(int dest, const void *data, size_t bytes, void *answer, size_t answer_bytes,
                  void *place, mgen_effect *effect, void *what);
    void (*release)(int number);
};

/* Called once, when the program is loaded and before any rank begins. */
void mgen_bind(const struct mgen_host *functions);

#endif

#ifdef __cplusplus
}
#endif

#endif
