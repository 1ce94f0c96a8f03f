/* What the simulator does not simulate. A program that calls it ends with its name. */
#include "mpi_state.h"

#define REFUSED(call, ...)                                                                         \
    int call(__VA_ARGS__) {                                                                        \
        return mgen_fails(#call, "the simulator does not simulate this call");                     \
    }

REFUSED(MPI_Close_port, const char *a)
REFUSED(MPI_Comm_accept, const char *a, MPI_Info b, int c, MPI_Comm d, MPI_Comm *e)
REFUSED(MPI_Comm_connect, const char *a, MPI_Info b, int c, MPI_Comm d, MPI_Comm *e)
REFUSED(MPI_Comm_join, int a, MPI_Comm *b)
REFUSED(MPI_Comm_spawn, const char *a, char **b, int c, MPI_Info d, int e, MPI_Comm f, MPI_Comm *g,
        int *h)
REFUSED(MPI_Comm_spawn_multiple, int a, char **b, char ***c, const int *d, const MPI_Info *e, int f,
        MPI_Comm g, MPI_Comm *h, int *i)
REFUSED(MPI_Lookup_name, const char *a, MPI_Info b, char *c)
REFUSED(MPI_Open_port, MPI_Info a, char *b)
REFUSED(MPI_Publish_name, const char *a, MPI_Info b, const char *c)
REFUSED(MPI_Register_datarep, const char *a, MPI_Datarep_conversion_function *b,
        MPI_Datarep_conversion_function *c, MPI_Datarep_extent_function *d, void *e)
REFUSED(MPI_Unpublish_name, const char *a, MPI_Info b, const char *c)
