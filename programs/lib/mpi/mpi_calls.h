/* Collectives of mpi.h, each with its body: the same for a call that waits and for one that a
 * request completes. */
#ifndef MPI_CALLS_H
#define MPI_CALLS_H

#include "mpi_comms.h"
#include "mpi_ops.h"
#include "mpi_requests.h"

struct call {
    const char *name;
    MPI_Comm comm;
    int root; /* -1 if there is none */
    const void *sent;
    int sent_count;
    MPI_Datatype sent_type;
    void *received;
    int received_count;
    MPI_Datatype received_type;
    MPI_Op op;
    /* Of calls with unequal blocks. */
    const int *sent_counts;
    const int *sent_places;
    const MPI_Datatype *sent_types;
    const int *received_counts;
    const int *received_places;
    const MPI_Datatype *received_types;
    /* Places of neighbourhoods that count bytes. */
    const MPI_Aint *sent_offsets;
    const MPI_Aint *received_offsets;
};

typedef void body(const struct call *call);

int mgen_run(body *body, struct call call);
int mgen_start_call(body *body, struct call call, MPI_Request *request);
/* Begins a call that a persistent request has kept. */
void mgen_start_kept(struct request *request);
/* Fails in the call `name` if a collective that it keeps could not begin. */
void mgen_check_kept(const char *name, body *body, const struct call *call);
/* The same of a message. */
void mgen_check_kept_message(const char *name, const struct persistent *message);

body mgen_do_barrier, mgen_do_bcast, mgen_do_reduce, mgen_do_allreduce, mgen_do_gather,
    mgen_do_scatter, mgen_do_allgather, mgen_do_alltoall, mgen_do_gatherv, mgen_do_scatterv,
    mgen_do_allgatherv, mgen_do_alltoallv, mgen_do_alltoallw, mgen_do_reduce_scatter,
    mgen_do_reduce_scatter_block, mgen_do_scan, mgen_do_exscan, mgen_do_neighbor_allgather,
    mgen_do_neighbor_allgatherv, mgen_do_neighbor_alltoall, mgen_do_neighbor_alltoallv,
    mgen_do_neighbor_alltoallw;

/* Elements of a program's buffer, `places` elements behind its begin. */
void *mgen_elements(const void *buffer, MPI_Count places, MPI_Datatype type);
/* Elements from one place to another. */
void mgen_typed_copy(void *to, const void *from, int count, MPI_Datatype type);
/* Fails if both are one place in memory. Elements of unlike types may lie between each other. */
void mgen_call_apart(const struct call *call, const void *sent, const void *received, int count);
/* What a reduction reads and writes: the program's memory, or copies where elements of the type
 * have space between them. Both begin at the first byte of the first element, which may lie before
 * or behind the address that the program gives. */
enum { READ = 1, WRITTEN = 2 };
struct values {
    const void *own;
    void *result;
    void *own_copy;
    void *result_copy;
    void *received;
    int count;
    MPI_Datatype type;
};
struct values mgen_values(const void *own, void *received, int which, int count, MPI_Datatype type);
/* Copies such values to elements of the program; `values` may be NULL. */
void mgen_values_copy(void *received, const void *values, int count, MPI_Datatype type);
void mgen_values_end(struct values *values, int has_result);
/* Reduces in the order of ranks; the result reaches `root`. */
void mgen_reduce_in_order(const void *own, void *result, int count, MPI_Datatype type, MPI_Op op,
                          int root, MPI_Comm comm);

#endif
