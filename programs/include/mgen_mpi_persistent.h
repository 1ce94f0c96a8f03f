/* Collectives that a program begins again and again. */
#ifndef MGEN_MPI_PERSISTENT_H
#define MGEN_MPI_PERSISTENT_H

int MPI_Allgather_init(const void *, int, MPI_Datatype, void *, int, MPI_Datatype, MPI_Comm,
                       MPI_Info, MPI_Request *);
int MPI_Allgatherv_init(const void *, int, MPI_Datatype, void *, const int *, const int *,
                        MPI_Datatype, MPI_Comm, MPI_Info, MPI_Request *);
int MPI_Allreduce_init(const void *, void *, int, MPI_Datatype, MPI_Op, MPI_Comm, MPI_Info,
                       MPI_Request *);
int MPI_Alltoall_init(const void *, int, MPI_Datatype, void *, int, MPI_Datatype, MPI_Comm,
                      MPI_Info, MPI_Request *);
int MPI_Alltoallv_init(const void *, const int *, const int *, MPI_Datatype, void *, const int *,
                       const int *, MPI_Datatype, MPI_Comm, MPI_Info, MPI_Request *);
int MPI_Alltoallw_init(const void *, const int *, const int *, const MPI_Datatype *, void *,
                       const int *, const int *, const MPI_Datatype *, MPI_Comm, MPI_Info,
                       MPI_Request *);
int MPI_Barrier_init(MPI_Comm, MPI_Info, MPI_Request *);
int MPI_Bcast_init(void *, int, MPI_Datatype, int, MPI_Comm, MPI_Info, MPI_Request *);
int MPI_Exscan_init(const void *, void *, int, MPI_Datatype, MPI_Op, MPI_Comm, MPI_Info,
                    MPI_Request *);
int MPI_Gather_init(const void *, int, MPI_Datatype, void *, int, MPI_Datatype, int, MPI_Comm,
                    MPI_Info, MPI_Request *);
int MPI_Gatherv_init(const void *, int, MPI_Datatype, void *, const int *, const int *,
                     MPI_Datatype, int, MPI_Comm, MPI_Info, MPI_Request *);
int MPI_Neighbor_allgather_init(const void *, int, MPI_Datatype, void *, int, MPI_Datatype,
                                MPI_Comm, MPI_Info, MPI_Request *);
int MPI_Neighbor_allgatherv_init(const void *, int, MPI_Datatype, void *, const int *, const int *,
                                 MPI_Datatype, MPI_Comm, MPI_Info, MPI_Request *);
int MPI_Neighbor_alltoall_init(const void *, int, MPI_Datatype, void *, int, MPI_Datatype, MPI_Comm,
                               MPI_Info, MPI_Request *);
int MPI_Neighbor_alltoallv_init(const void *, const int *, const int *, MPI_Datatype, void *,
                                const int *, const int *, MPI_Datatype, MPI_Comm, MPI_Info,
                                MPI_Request *);
int MPI_Neighbor_alltoallw_init(const void *, const int *, const MPI_Aint *, const MPI_Datatype *,
                                void *, const int *, const MPI_Aint *, const MPI_Datatype *,
                                MPI_Comm, MPI_Info, MPI_Request *);
int MPI_Reduce_init(const void *, void *, int, MPI_Datatype, MPI_Op, int, MPI_Comm, MPI_Info,
                    MPI_Request *);
int MPI_Reduce_scatter_init(const void *, void *, const int *, MPI_Datatype, MPI_Op, MPI_Comm,
                            MPI_Info, MPI_Request *);
int MPI_Reduce_scatter_block_init(const void *, void *, int, MPI_Datatype, MPI_Op, MPI_Comm,
                                  MPI_Info, MPI_Request *);
int MPI_Scan_init(const void *, void *, int, MPI_Datatype, MPI_Op, MPI_Comm, MPI_Info,
                  MPI_Request *);
int MPI_Scatter_init(const void *, int, MPI_Datatype, void *, int, MPI_Datatype, int, MPI_Comm,
                     MPI_Info, MPI_Request *);
int MPI_Scatterv_init(const void *, const int *, const int *, MPI_Datatype, void *, int,
                      MPI_Datatype, int, MPI_Comm, MPI_Info, MPI_Request *);

#endif
