/* Calls that traces do not have: the program goes on, and its trace says that it lacks them. */
#include "counts.h"
#include "trace.h"

#define UNSEEN(name, parameters, arguments)                                                        \
    int FOR_COUNT(MPI_##name) parameters {                                                         \
        trace_enter();                                                                             \
        trace_unseen("MPI_" #name);                                                                \
        int code = FOR_COUNT(PMPI_##name) arguments;                                               \
        trace_pass();                                                                              \
        return code;                                                                               \
    }

UNSEEN(Win_create,
       (void *base, MPI_Aint bytes, UNIT unit, MPI_Info info, MPI_Comm comm, MPI_Win *window),
       (base, bytes, unit, info, comm, window))
UNSEEN(Win_allocate,
       (MPI_Aint bytes, UNIT unit, MPI_Info info, MPI_Comm comm, void *base, MPI_Win *window),
       (bytes, unit, info, comm, base, window))
UNSEEN(Win_allocate_shared,
       (MPI_Aint bytes, UNIT unit, MPI_Info info, MPI_Comm comm, void *base, MPI_Win *window),
       (bytes, unit, info, comm, base, window))
/* Their windows may be older than what is recorded: the runner of weft's programs makes one. */
#define THERE MPI_Aint place, COUNT other_count, MPI_Datatype other_type
UNSEEN(Put, (const void *own, COUNT count, MPI_Datatype type, int rank, THERE, MPI_Win window),
       (own, count, type, rank, place, other_count, other_type, window))
UNSEEN(Get, (void *own, COUNT count, MPI_Datatype type, int rank, THERE, MPI_Win window),
       (own, count, type, rank, place, other_count, other_type, window))
UNSEEN(Accumulate,
       (const void *own, COUNT count, MPI_Datatype type, int rank, THERE, MPI_Op op,
        MPI_Win window),
       (own, count, type, rank, place, other_count, other_type, op, window))
UNSEEN(Ibsend,
       (const void *buffer, COUNT count, MPI_Datatype type, int dest, int tag, MPI_Comm comm,
        MPI_Request *request),
       (buffer, count, type, dest, tag, comm, request))
UNSEEN(Reduce_scatter,
       (const void *sent, void *received, const COUNT *counts, MPI_Datatype type, MPI_Op op,
        MPI_Comm comm),
       (sent, received, counts, type, op, comm))
UNSEEN(Alltoallw,
       (const void *sent, const COUNT *sent_counts, const PLACE *sent_places,
        const MPI_Datatype *sent_types, void *received, const COUNT *counts, const PLACE *places,
        const MPI_Datatype *types, MPI_Comm comm),
       (sent, sent_counts, sent_places, sent_types, received, counts, places, types, comm))
UNSEEN(Ialltoallv,
       (const void *sent, const COUNT *sent_counts, const PLACE *sent_places,
        MPI_Datatype sent_type, void *received, const COUNT *counts, const PLACE *places,
        MPI_Datatype type, MPI_Comm comm, MPI_Request *request),
       (sent, sent_counts, sent_places, sent_type, received, counts, places, type, comm, request))
UNSEEN(Iallgatherv,
       (const void *sent, COUNT count, MPI_Datatype type, void *received, const COUNT *counts,
        const PLACE *places, MPI_Datatype received_type, MPI_Comm comm, MPI_Request *request),
       (sent, count, type, received, counts, places, received_type, comm, request))
#define NEIGHBORS                                                                                  \
    (const void *sent, COUNT sent_count, MPI_Datatype sent_type, void *received, COUNT count,      \
     MPI_Datatype type, MPI_Comm comm)
UNSEEN(Neighbor_allgather, NEIGHBORS, (sent, sent_count, sent_type, received, count, type, comm))
UNSEEN(Neighbor_alltoall, NEIGHBORS, (sent, sent_count, sent_type, received, count, type, comm))
UNSEEN(Neighbor_alltoallv,
       (const void *sent, const COUNT *sent_counts, const PLACE *sent_places,
        MPI_Datatype sent_type, void *received, const COUNT *counts, const PLACE *places,
        MPI_Datatype type, MPI_Comm comm),
       (sent, sent_counts, sent_places, sent_type, received, counts, places, type, comm))
UNSEEN(Neighbor_allgatherv,
       (const void *sent, COUNT count, MPI_Datatype type, void *received, const COUNT *counts,
        const PLACE *places, MPI_Datatype received_type, MPI_Comm comm),
       (sent, count, type, received, counts, places, received_type, comm))
UNSEEN(Neighbor_alltoallw,
       (const void *sent, const COUNT *sent_counts, const MPI_Aint *sent_places,
        const MPI_Datatype *sent_types, void *received, const COUNT *counts, const MPI_Aint *places,
        const MPI_Datatype *types, MPI_Comm comm),
       (sent, sent_counts, sent_places, sent_types, received, counts, places, types, comm))

#ifndef LARGE
UNSEEN(Win_create_dynamic, (MPI_Info info, MPI_Comm comm, MPI_Win *window), (info, comm, window))
UNSEEN(Comm_create_group, (MPI_Comm comm, MPI_Group group, int tag, MPI_Comm *made),
       (comm, group, tag, made))
UNSEEN(Comm_idup, (MPI_Comm comm, MPI_Comm *made, MPI_Request *request), (comm, made, request))
UNSEEN(Intercomm_create,
       (MPI_Comm own, int leader, MPI_Comm peers, int other, int tag, MPI_Comm *made),
       (own, leader, peers, other, tag, made))
UNSEEN(Comm_spawn,
       (const char *command, char *arguments[], int most, MPI_Info info, int root, MPI_Comm comm,
        MPI_Comm *made, int codes[]),
       (command, arguments, most, info, root, comm, made, codes))
UNSEEN(Cancel, (MPI_Request * request), (request))
#endif
