/* Collectives that a request completes. */
#ifndef MGEN_MPI_NONBLOCKING_H
#define MGEN_MPI_NONBLOCKING_H

int MPI_Iallgather(const void *, int, MPI_Datatype, void *, int, MPI_Datatype, MPI_Comm,
                   MPI_Request *);
int MPI_Iallgatherv(const void *, int, MPI_Datatype, void *, const int *, const int *, MPI_Datatype,
                    MPI_Comm, MPI_Request *);
int MPI_Iallreduce(const void *, void *, int, MPI_Datatype, MPI_Op, MPI_Comm, MPI_Request *);
int MPI_Ialltoall(const void *, int, MPI_Datatype, void *, int, MPI_Datatype, MPI_Comm,
                  MPI_Request *);
int MPI_Ialltoallv(const void *, const int *, const int *, MPI_Datatype, void *, const int *,
                   const int *, MPI_Datatype, MPI_Comm, MPI_Request *);
int MPI_Ialltoallw(const void *, const int *, const int *, const MPI_Datatype *, void *,
                   const int *, const int *, const MPI_Datatype *, MPI_Comm, MPI_Request *);
int MPI_Ibarrier(MPI_Comm, MPI_Request *);
int MPI_Ibcast(void *, int, MPI_Datatype, int, MPI_Comm, MPI_Request *);
int MPI_Iexscan(const void *, void *, int, MPI_Datatype, MPI_Op, MPI_Comm, MPI_Request *);
int MPI_Igather(const void *, int, MPI_Datatype, void *, int, MPI_Datatype, int, MPI_Comm,
                MPI_Request *);
int MPI_Igatherv(const void *, int, MPI_Datatype, void *, const int *, const int *, MPI_Datatype,
                 int, MPI_Comm, MPI_Request *);
int MPI_Ineighbor_allgather(const void *, int, MPI_Datatype, void *, int, MPI_Datatype, MPI_Comm,
                            MPI_Request *);
int MPI_Ineighbor_allgatherv(const void *, int, MPI_Datatype, void *, const int *, const int *,
                             MPI_Datatype, MPI_Comm, MPI_Request *);
int MPI_Ineighbor_alltoall(const void *, int, MPI_Datatype, void *, int, MPI_Datatype, MPI_Comm,
                           MPI_Request *);
int MPI_Ineighbor_alltoallv(const void *, const int *, const int *, MPI_Datatype, void *,
                            const int *, const int *, MPI_Datatype, MPI_Comm, MPI_Request *);
int MPI_Ineighbor_alltoallw(const void *, const int *, const MPI_Aint *, const MPI_Datatype *,
                            void *, const int *, const MPI_Aint *, const MPI_Datatype *, MPI_Comm,
                            MPI_Request *);
int MPI_Ireduce(const void *, void *, int, MPI_Datatype, MPI_Op, int, MPI_Comm, MPI_Request *);
int MPI_Ireduce_scatter(const void *, void *, const int *, MPI_Datatype, MPI_Op, MPI_Comm,
                        MPI_Request *);
int MPI_Ireduce_scatter_block(const void *, void *, int, MPI_Datatype, MPI_Op, MPI_Comm,
                              MPI_Request *);
int MPI_Iscan(const void *, void *, int, MPI_Datatype, MPI_Op, MPI_Comm, MPI_Request *);
int MPI_Iscatter(const void *, int, MPI_Datatype, void *, int, MPI_Datatype, int, MPI_Comm,
                 MPI_Request *);
int MPI_Iscatterv(const void *, const int *, const int *, MPI_Datatype, void *, int, MPI_Datatype,
                  int, MPI_Comm, MPI_Request *);

#endif
