/* Calls that traces do not have: the program goes on, and its trace says that it lacks them. */
#include "trace.h"

#define UNSEEN(name, parameters, arguments)                                                        \
    int MPI_##name parameters {                                                                    \
        trace_enter();                                                                             \
        trace_unseen("MPI_" #name);                                                                \
        int code = PMPI_##name arguments;                                                          \
        trace_pass();                                                                              \
        return code;                                                                               \
    }

UNSEEN(Mprobe, (int source, int tag, MPI_Comm comm, MPI_Message *message, MPI_Status *status),
       (source, tag, comm, message, status))
UNSEEN(Improbe,
       (int source, int tag, MPI_Comm comm, int *found, MPI_Message *message, MPI_Status *status),
       (source, tag, comm, found, message, status))
UNSEEN(Win_create,
       (void *base, MPI_Aint bytes, int unit, MPI_Info info, MPI_Comm comm, MPI_Win *window),
       (base, bytes, unit, info, comm, window))
UNSEEN(Win_allocate,
       (MPI_Aint bytes, int unit, MPI_Info info, MPI_Comm comm, void *base, MPI_Win *window),
       (bytes, unit, info, comm, base, window))
UNSEEN(Win_allocate_shared,
       (MPI_Aint bytes, int unit, MPI_Info info, MPI_Comm comm, void *base, MPI_Win *window),
       (bytes, unit, info, comm, base, window))
UNSEEN(Win_create_dynamic, (MPI_Info info, MPI_Comm comm, MPI_Win *window), (info, comm, window))
/* Their windows may be older than what is recorded: the runner of weft's programs makes one. */
#define THERE MPI_Aint place, int other_count, MPI_Datatype other_type
UNSEEN(Put, (const void *own, int count, MPI_Datatype type, int rank, THERE, MPI_Win window),
       (own, count, type, rank, place, other_count, other_type, window))
UNSEEN(Get, (void *own, int count, MPI_Datatype type, int rank, THERE, MPI_Win window),
       (own, count, type, rank, place, other_count, other_type, window))
UNSEEN(Accumulate,
       (const void *own, int count, MPI_Datatype type, int rank, THERE, MPI_Op op, MPI_Win window),
       (own, count, type, rank, place, other_count, other_type, op, window))
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
UNSEEN(Ibsend,
       (const void *buffer, int count, MPI_Datatype type, int dest, int tag, MPI_Comm comm,
        MPI_Request *request),
       (buffer, count, type, dest, tag, comm, request))
UNSEEN(Reduce_scatter,
       (const void *sent, void *received, const int *counts, MPI_Datatype type, MPI_Op op,
        MPI_Comm comm),
       (sent, received, counts, type, op, comm))
UNSEEN(Alltoallw,
       (const void *sent, const int *sent_counts, const int *sent_places,
        const MPI_Datatype *sent_types, void *received, const int *counts, const int *places,
        const MPI_Datatype *types, MPI_Comm comm),
       (sent, sent_counts, sent_places, sent_types, received, counts, places, types, comm))
UNSEEN(Ialltoallv,
       (const void *sent, const int *sent_counts, const int *sent_places, MPI_Datatype sent_type,
        void *received, const int *counts, const int *places, MPI_Datatype type, MPI_Comm comm,
        MPI_Request *request),
       (sent, sent_counts, sent_places, sent_type, received, counts, places, type, comm, request))
UNSEEN(Iallgatherv,
       (const void *sent, int count, MPI_Datatype type, void *received, const int *counts,
        const int *places, MPI_Datatype received_type, MPI_Comm comm, MPI_Request *request),
       (sent, count, type, received, counts, places, received_type, comm, request))

#define NEIGHBORS                                                                                  \
    (const void *sent, int sent_count, MPI_Datatype sent_type, void *received, int count,          \
     MPI_Datatype type, MPI_Comm comm)
UNSEEN(Neighbor_allgather, NEIGHBORS, (sent, sent_count, sent_type, received, count, type, comm))
UNSEEN(Neighbor_alltoall, NEIGHBORS, (sent, sent_count, sent_type, received, count, type, comm))
UNSEEN(Neighbor_alltoallv,
       (const void *sent, const int *sent_counts, const int *sent_places, MPI_Datatype sent_type,
        void *received, const int *counts, const int *places, MPI_Datatype type, MPI_Comm comm),
       (sent, sent_counts, sent_places, sent_type, received, counts, places, type, comm))
