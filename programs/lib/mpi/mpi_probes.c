/* Probes, and receives of the messages that they have taken. */
#include "mpi_requests.h"
#include "mpi_tags.h"

int MPI_Iprobe(int source, int tag, MPI_Comm comm, int *found, MPI_Status *status) {
    if (mgen_is_wrong_wish(tag)) {
        return mgen_wrong_tag(__func__, comm, tag);
    }
    mgen_schedules_advance();
    return MGEN_Iprobe(source, tag, comm, found, status);
}

static void find(int source, int tag, MPI_Comm comm, MPI_Status *status) {
    if (!mgen_is_busy()) {
        MGEN_Probe(source, tag, comm, status);
        return;
    }
    for (int found = 0; !found;) {
        mgen_schedules_advance();
        MGEN_Iprobe(source, tag, comm, &found, status);
    }
}

int MPI_Probe(int source, int tag, MPI_Comm comm, MPI_Status *status) {
    if (mgen_is_wrong_wish(tag)) {
        return mgen_wrong_tag(__func__, comm, tag);
    }
    if (!mgen_is_busy()) {
        return MGEN_Probe(source, tag, comm, status);
    }
    mgen_label("MGEN_Probe");
    find(source, tag, comm, status);
    return mgen_left(MPI_SUCCESS);
}

int MPI_Improbe(int source, int tag, MPI_Comm comm, int *found, MPI_Message *message,
                MPI_Status *status) {
    if (mgen_is_wrong_wish(tag)) {
        return mgen_wrong_tag(__func__, comm, tag);
    }
    mgen_schedules_advance();
    mgen_improbe(source, tag, comm, found, message, status);
    return MPI_SUCCESS;
}

int MPI_Mprobe(int source, int tag, MPI_Comm comm, MPI_Message *message, MPI_Status *status) {
    if (mgen_is_wrong_wish(tag)) {
        return mgen_wrong_tag(__func__, comm, tag);
    }
    mgen_label("MPI_Mprobe");
    for (int found = 0; !found;) {
        MGEN_Status seen;
        find(source, tag, comm, &seen);
        /* Another thread may have taken it. */
        mgen_improbe(seen.MGEN_SOURCE, seen.MGEN_TAG, comm, &found, message, status);
    }
    return mgen_left(MPI_SUCCESS);
}

int MPI_Imrecv(void *buffer, int count, MPI_Datatype type, MPI_Message *message,
               MPI_Request *request) {
    mgen_label("MPI_Imrecv");
    MGEN_Request inner = MGEN_REQUEST_NULL;
    struct dense dense = mgen_dense(buffer, count, type, 0);
    struct amount amount = mgen_amount(dense.bytes);
    mgen_imrecv(dense.data, amount.count, amount.type, message, &inner);
    *request = mgen_received_apart(&dense, inner);
    return mgen_left(MPI_SUCCESS);
}

int MPI_Mrecv(void *buffer, int count, MPI_Datatype type, MPI_Message *message,
              MPI_Status *status) {
    mgen_called(__func__);
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Imrecv(buffer, count, type, message, &request);
    mgen_label("MPI_Mrecv");
    mgen_wait_one(request, status);
    return mgen_left(MPI_SUCCESS);
}
