/* Functions with a count exist twice since MPI 4: by their old name with an int, and by a name that
 * ends in _c with MPI_Count. large.c compiles the same lines once more for those. */
#ifndef WEFT_TRACE_COUNTS_H
#define WEFT_TRACE_COUNTS_H

#include <mpi.h>

#ifdef LARGE
#define COUNT MPI_Count
#define PLACE MPI_Aint
#define UNIT MPI_Aint
#define FOR_COUNT(name) name##_c
#else
#define COUNT int
#define PLACE int
#define UNIT int
#define FOR_COUNT(name) name
#endif

#endif
