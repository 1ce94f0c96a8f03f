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

UNSEEN(Comm_spawn,
       (const char *command, char *arguments[], int most, MPI_Info info, int root, MPI_Comm comm,
        MPI_Comm *made, int codes[]),
       (command, arguments, most, info, root, comm, made, codes))
UNSEEN(Cancel, (MPI_Request * request), (request))
