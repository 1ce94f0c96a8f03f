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
UNSEEN(Intercomm_create,
       (MPI_Comm own, int leader, MPI_Comm peers, int other, int tag, MPI_Comm *made),
       (own, leader, peers, other, tag, made))
UNSEEN(Comm_spawn,
       (const char *command, char *arguments[], int most, MPI_Info info, int root, MPI_Comm comm,
        MPI_Comm *made, int codes[]),
       (command, arguments, most, info, root, comm, made, codes))
UNSEEN(Cancel, (MPI_Request * request), (request))
#endif
