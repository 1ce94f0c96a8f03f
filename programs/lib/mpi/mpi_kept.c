/* Persistent collectives: the request keeps what the nonblocking call would begin, and MPI_Start
 * begins it. */
#include "mpi_calls.h"

#define KEPT(call) (mgen_mpi()->keeps_for = __func__, (call))

int MPI_Allgather_init(const void *a, int b, MPI_Datatype c, void *d, int e, MPI_Datatype f,
                       MPI_Comm comm, MPI_Info info, MPI_Request *request) {
    (void)info;
    return KEPT(MPI_Iallgather(a, b, c, d, e, f, comm, request));
}

int MPI_Allgatherv_init(const void *a, int b, MPI_Datatype c, void *d, const int *e, const int *f,
                        MPI_Datatype g, MPI_Comm comm, MPI_Info info, MPI_Request *request) {
    (void)info;
    return KEPT(MPI_Iallgatherv(a, b, c, d, e, f, g, comm, request));
}

int MPI_Allreduce_init(const void *a, void *b, int c, MPI_Datatype d, MPI_Op op, MPI_Comm comm,
                       MPI_Info info, MPI_Request *request) {
    (void)info;
    return KEPT(MPI_Iallreduce(a, b, c, d, op, comm, request));
}

int MPI_Alltoall_init(const void *a, int b, MPI_Datatype c, void *d, int e, MPI_Datatype f,
                      MPI_Comm comm, MPI_Info info, MPI_Request *request) {
    (void)info;
    return KEPT(MPI_Ialltoall(a, b, c, d, e, f, comm, request));
}

int MPI_Alltoallv_init(const void *a, const int *b, const int *c, MPI_Datatype d, void *e,
                       const int *f, const int *g, MPI_Datatype h, MPI_Comm comm, MPI_Info info,
                       MPI_Request *request) {
    (void)info;
    return KEPT(MPI_Ialltoallv(a, b, c, d, e, f, g, h, comm, request));
}

int MPI_Alltoallw_init(const void *a, const int *b, const int *c, const MPI_Datatype *d, void *e,
                       const int *f, const int *g, const MPI_Datatype *h, MPI_Comm comm,
                       MPI_Info info, MPI_Request *request) {
    (void)info;
    return KEPT(MPI_Ialltoallw(a, b, c, d, e, f, g, h, comm, request));
}

int MPI_Barrier_init(MPI_Comm comm, MPI_Info info, MPI_Request *request) {
    (void)info;
    return KEPT(MPI_Ibarrier(comm, request));
}

int MPI_Bcast_init(void *a, int b, MPI_Datatype c, int d, MPI_Comm comm, MPI_Info info,
                   MPI_Request *request) {
    (void)info;
    return KEPT(MPI_Ibcast(a, b, c, d, comm, request));
}

int MPI_Exscan_init(const void *a, void *b, int c, MPI_Datatype d, MPI_Op op, MPI_Comm comm,
                    MPI_Info info, MPI_Request *request) {
    (void)info;
    return KEPT(MPI_Iexscan(a, b, c, d, op, comm, request));
}

int MPI_Gather_init(const void *a, int b, MPI_Datatype c, void *d, int e, MPI_Datatype f, int g,
                    MPI_Comm comm, MPI_Info info, MPI_Request *request) {
    (void)info;
    return KEPT(MPI_Igather(a, b, c, d, e, f, g, comm, request));
}

int MPI_Gatherv_init(const void *a, int b, MPI_Datatype c, void *d, const int *e, const int *f,
                     MPI_Datatype g, int h, MPI_Comm comm, MPI_Info info, MPI_Request *request) {
    (void)info;
    return KEPT(MPI_Igatherv(a, b, c, d, e, f, g, h, comm, request));
}

int MPI_Neighbor_allgather_init(const void *a, int b, MPI_Datatype c, void *d, int e,
                                MPI_Datatype f, MPI_Comm comm, MPI_Info info,
                                MPI_Request *request) {
    (void)info;
    return KEPT(MPI_Ineighbor_allgather(a, b, c, d, e, f, comm, request));
}

int MPI_Neighbor_allgatherv_init(const void *a, int b, MPI_Datatype c, void *d, const int *e,
                                 const int *f, MPI_Datatype g, MPI_Comm comm, MPI_Info info,
                                 MPI_Request *request) {
    (void)info;
    return KEPT(MPI_Ineighbor_allgatherv(a, b, c, d, e, f, g, comm, request));
}

int MPI_Neighbor_alltoall_init(const void *a, int b, MPI_Datatype c, void *d, int e, MPI_Datatype f,
                               MPI_Comm comm, MPI_Info info, MPI_Request *request) {
    (void)info;
    return KEPT(MPI_Ineighbor_alltoall(a, b, c, d, e, f, comm, request));
}

int MPI_Neighbor_alltoallv_init(const void *a, const int *b, const int *c, MPI_Datatype d, void *e,
                                const int *f, const int *g, MPI_Datatype h, MPI_Comm comm,
                                MPI_Info info, MPI_Request *request) {
    (void)info;
    return KEPT(MPI_Ineighbor_alltoallv(a, b, c, d, e, f, g, h, comm, request));
}

int MPI_Neighbor_alltoallw_init(const void *a, const int *b, const MPI_Aint *c,
                                const MPI_Datatype *d, void *e, const int *f, const MPI_Aint *g,
                                const MPI_Datatype *h, MPI_Comm comm, MPI_Info info,
                                MPI_Request *request) {
    (void)info;
    return KEPT(MPI_Ineighbor_alltoallw(a, b, c, d, e, f, g, h, comm, request));
}

int MPI_Reduce_init(const void *a, void *b, int c, MPI_Datatype d, MPI_Op op, int f, MPI_Comm comm,
                    MPI_Info info, MPI_Request *request) {
    (void)info;
    return KEPT(MPI_Ireduce(a, b, c, d, op, f, comm, request));
}

int MPI_Reduce_scatter_init(const void *a, void *b, const int *c, MPI_Datatype d, MPI_Op op,
                            MPI_Comm comm, MPI_Info info, MPI_Request *request) {
    (void)info;
    return KEPT(MPI_Ireduce_scatter(a, b, c, d, op, comm, request));
}

int MPI_Reduce_scatter_block_init(const void *a, void *b, int c, MPI_Datatype d, MPI_Op op,
                                  MPI_Comm comm, MPI_Info info, MPI_Request *request) {
    (void)info;
    return KEPT(MPI_Ireduce_scatter_block(a, b, c, d, op, comm, request));
}

int MPI_Scan_init(const void *a, void *b, int c, MPI_Datatype d, MPI_Op op, MPI_Comm comm,
                  MPI_Info info, MPI_Request *request) {
    (void)info;
    return KEPT(MPI_Iscan(a, b, c, d, op, comm, request));
}

int MPI_Scatter_init(const void *a, int b, MPI_Datatype c, void *d, int e, MPI_Datatype f, int g,
                     MPI_Comm comm, MPI_Info info, MPI_Request *request) {
    (void)info;
    return KEPT(MPI_Iscatter(a, b, c, d, e, f, g, comm, request));
}

int MPI_Scatterv_init(const void *a, const int *b, const int *c, MPI_Datatype d, void *e, int f,
                      MPI_Datatype g, int h, MPI_Comm comm, MPI_Info info, MPI_Request *request) {
    (void)info;
    return KEPT(MPI_Iscatterv(a, b, c, d, e, f, g, h, comm, request));
}
