/* Topologies of communicators. */
#ifndef MPI_TOPOLOGY_H
#define MPI_TOPOLOGY_H

#include "mpi_comms.h"

/* The topology of a communicator, of this kind; fails in `call` if it has another one or none. */
const struct topology *mgen_topology(const char *call, MPI_Comm comm, int kind);
/* Gives a communicator that was just made a topology. */
struct topology *mgen_topology_new(MPI_Comm comm, int kind);
int *mgen_numbers(const int *from, int count);
/* The rank at these coordinates; MPI_PROC_NULL beyond the end of a dimension without a period. */
int mgen_cart_rank(const struct topology *topology, const int *coordinates);
/* Ranks along a dimension: from where data come that are shifted, and where to. */
void mgen_cart_shift(const struct topology *topology, int dimension, int distance, int *source,
                     int *dest);

#endif
