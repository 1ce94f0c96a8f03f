/* Making derived types. */
#ifndef MPI_BUILDING_H
#define MPI_BUILDING_H

#include "mpi_state.h"

/* A type that grows by parts. */
struct building {
    struct type *type;
    size_t room;
    int has_bounds;
    int has_data;
    MPI_Aint ub;
    MPI_Aint true_ub;
};
struct building mgen_building(int combiner);
/* Adds `count` elements of a type, one after the other from `offset` bytes on. */
void mgen_building_add(struct building *building, MPI_Datatype type, MPI_Aint count,
                       MPI_Aint offset);
/* What MPI_Type_get_contents returns; arrays are copied. */
void mgen_building_integers(struct building *building, const int *integers, int count);
void mgen_building_addresses(struct building *building, const MPI_Aint *addresses, int count);
void mgen_building_types(struct building *building, const MPI_Datatype *types, int count);
/* Completes the type and gives it a handle. */
MPI_Datatype mgen_building_end(struct building *building);

#endif
