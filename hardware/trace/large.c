/* The functions of MPI 4 whose counts have more than 31 bits: mpi4py calls no others there. */
#include <mpi.h>
#if MPI_VERSION >= 4
#define LARGE
#include "collectives.c"
#include "files.c"
#include "messages.c"
#include "neighbours.c"
#include "windows.c"
#endif
