/* Tags that no message may have. A program may go on after such a call, as in MPICH. */
#include "mpi_tags.h"
#include "mpi_comms.h"

int mgen_wrong_tag(const char *call, MPI_Comm comm, int tag) {
    MPI_Errhandler handler = mgen_comm_of(call, comm)->handler;
    if (handler == MPI_ERRORS_ARE_FATAL) {
        char text[96];
        snprintf(text, sizeof text, "a message cannot have tag %d; tags go from 0 to %d", tag,
                 MGEN_TAG_UB);
        mgen_fails(call, text);
    }
    return mgen_failed(call, handler, comm, MPI_ERR_TAG);
}
