/* MPI 3.1 for the simulator, with persistent collectives and sessions of MPI 4. Every type,
 * constant and call is declared, so that a program compiles as it is. What the simulator does not
 * simulate ends the run with the name of the call (mgen_mpi_refused.h).
 *
 * Over a real MPI its own mpi.h comes first, and this file is not used. */
#ifndef MGEN_MPI_H
#define MGEN_MPI_H

#include "mgen.h"
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mgen_mpi_types.h"

#include "mgen_mpi_datatypes.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Copies an attribute. */
int mgen_dup_fn(int object, int key, void *extra, void *value, void *copy, int *flag);

#include "mgen_mpi_messages.h"

#include "mgen_mpi_collectives.h"

#include "mgen_mpi_nonblocking.h"

#include "mgen_mpi_communicators.h"

#include "mgen_mpi_objects.h"

#include "mgen_mpi_windows.h"

#include "mgen_mpi_files.h"

#include "mgen_mpi_persistent.h"

#include "mgen_sessions.h"

#include "mgen_tools.h"

#include "mgen_mpi_refused.h"

#ifdef __cplusplus
}
#endif

#endif
