/* What a communicator has beside its members. */
#ifndef MPI_COMMS_H
#define MPI_COMMS_H

#include "mpi_attributes.h"

struct topology {
    int kind; /* MPI_CART, MPI_GRAPH, MPI_DIST_GRAPH */
    int dimensions;
    int *sizes;
    int *periods;
    int *coordinates;
    /* Of a graph: of every rank, where its neighbours end, and the neighbours. */
    int nodes;
    int *index;
    int *edges;
    /* The neighbours of this rank, with weights or NULL. */
    int in_count;
    int out_count;
    int *in;
    int *out;
    int *in_weights;
    int *out_weights;
};

/* Ranks of MPI_COMM_WORLD. */
struct members_of {
    int size;
    int *ranks;
};

struct comm {
    char *name;
    struct attributes *attributes;
    MPI_Errhandler handler;
    struct topology *topology;
    int sequence; /* how many collectives have been written down */
    int copies;   /* how many copies have been made without a collective */
    /* Of an intercommunicator: the ranks of its own side among each other, and the other side. */
    MPI_Comm local;
    struct members_of remote;
};

int mgen_is_inter(MPI_Comm comm);

/* Made when it is first asked for. */
struct comm *mgen_comm(MPI_Comm comm);
/* The same outside of a call that the rank has entered; `call` names it in messages. */
struct comm *mgen_comm_of(const char *call, MPI_Comm comm);
/* A communicator of the same members, which all call this and do not wait for each other. */
MPI_Comm mgen_comm_copy(MPI_Comm comm);
/* The number of the next collective that is written down. */
int mgen_comm_sequence(MPI_Comm comm);
/* Rank and size, of a communicator that is one. */
int mgen_comm_rank(MPI_Comm comm);
int mgen_comm_size(MPI_Comm comm);
/* Calls the handler of an object with an error of a call. */
int mgen_call_handler(const char *call, MPI_Errhandler handler, int object, int code);
/* The same of a call that has failed. Returns what that call returns: no error if the program has a
 * handler of its own, as in MPICH. */
int mgen_failed(const char *call, MPI_Errhandler handler, int object, int code);
void mgen_topology_free(struct comm *comm);
void mgen_topology_copy(const struct comm *from, struct comm *to);

/* The members of a group. Fails in `call` if there is no such group. */
const struct members_of *mgen_group(const char *call, MPI_Group group);
/* Takes the list. */
MPI_Group mgen_group_new(int *ranks, int size);

#endif
