/* The collectives that mgen.h has, too. Where the data lie together in memory and no other
 * collective goes on, they are those of programs/lib/collectives.c. */
#include "mpi_inter.h"

/* Roots of an intercommunicator differ from rank to rank. Returns what the ranks do there. */
static body *entered(body *body, const struct call *call) {
    int is_inter = mgen_is_inter(call->comm);
    mgen_enter(call->name, call->comm, is_inter ? -1 : call->root);
    return is_inter ? mgen_inter_body(body) : body;
}

int mgen_run(body *body, struct call call) {
    body = entered(body, &call);
    if (mgen_is_busy()) {
        struct request *made = mgen_request_new(REQUEST_SCHEDULE);
        mgen_record_begin(call.comm, 1);
        body(&call);
        made->schedule = mgen_record_end();
        MPI_Request request = mgen_request_add(made);
        mgen_wait_all(1, &request, MGEN_STATUSES_IGNORE);
    } else {
        body(&call);
    }
    return mgen_left(MPI_SUCCESS);
}

static struct schedule *begun(body *body, const struct call *call) {
    body = entered(body, call);
    mgen_record_begin(call->comm, 0);
    body(call);
    struct schedule *made = mgen_record_end();
    mgen_leave();
    return made;
}

static MPI_Request kept(body *body, const struct call *call) {
    struct request *made = mgen_request_new(REQUEST_PERSISTENT);
    made->is_active = 0;
    made->again.body = body;
    made->again.call = mgen_memory(sizeof *call);
    *made->again.call = *call;
    return mgen_request_add(made);
}

int mgen_start_call(body *body, struct call call, MPI_Request *request) {
    struct mpi_state *state = mgen_mpi();
    if (state->keeps_for != NULL) {
        mgen_check_kept(state->keeps_for, body, &call);
        state->keeps_for = NULL;
        *request = kept(body, &call);
        return MPI_SUCCESS;
    }
    struct request *made = mgen_request_new(REQUEST_SCHEDULE);
    made->schedule = begun(body, &call);
    *request = mgen_request_add(made);
    return MPI_SUCCESS;
}

void mgen_start_kept(struct request *request) {
    request->is_active = 1;
    request->status = mgen_empty_status;
    request->schedule = begun(request->again.body, request->again.call);
}

/* Whether programs/lib can do it without this library. In place, there is no type of what is sent.
 */
static int is_easy(MPI_Comm comm, const void *sent, MPI_Datatype sent_type, const void *received,
                   MPI_Datatype received_type) {
    return (sent == MPI_IN_PLACE || mgen_is_easy(sent, sent_type)) &&
           mgen_is_easy(received, received_type) && !mgen_is_busy() && !mgen_is_inter(comm);
}

static int is_easy_op(MPI_Datatype type, MPI_Op op) {
    return op <= MPI_BOR && mgen_op_is_defined(type, op);
}

int MPI_Barrier(MPI_Comm comm) {
    if (!mgen_is_busy() && !mgen_is_inter(comm)) {
        return MGEN_Barrier(comm);
    }
    return mgen_run(mgen_do_barrier, (struct call){"MGEN_Barrier", comm, -1});
}

int MPI_Bcast(void *buffer, int count, MPI_Datatype type, int root, MPI_Comm comm) {
    if (is_easy(comm, buffer, type, buffer, type)) {
        return MGEN_Bcast(buffer, count, type, root, comm);
    }
    return mgen_run(mgen_do_bcast, (struct call){"MGEN_Bcast", comm, root, .received = buffer,
                                                 .received_count = count, .received_type = type});
}

int MPI_Reduce(const void *sent, void *received, int count, MPI_Datatype type, MPI_Op op, int root,
               MPI_Comm comm) {
    if (is_easy(comm, sent, type, received, type) && is_easy_op(type, op)) {
        return MGEN_Reduce(sent, received, count, type, op, root, comm);
    }
    return mgen_run(mgen_do_reduce,
                    (struct call){"MGEN_Reduce", comm, root, .sent = sent, .received = received,
                                  .received_count = count, .received_type = type, .op = op});
}

int MPI_Allreduce(const void *sent, void *received, int count, MPI_Datatype type, MPI_Op op,
                  MPI_Comm comm) {
    if (is_easy(comm, sent, type, received, type) && is_easy_op(type, op)) {
        return MGEN_Allreduce(sent, received, count, type, op, comm);
    }
    return mgen_run(mgen_do_allreduce,
                    (struct call){"MGEN_Allreduce", comm, -1, .sent = sent, .received = received,
                                  .received_count = count, .received_type = type, .op = op});
}

int MPI_Gather(const void *sent, int sent_count, MPI_Datatype sent_type, void *received,
               int received_count, MPI_Datatype received_type, int root, MPI_Comm comm) {
    if (is_easy(comm, sent, sent_type, received, received_type)) {
        return MGEN_Gather(sent, sent_count, sent_type, received, received_count, received_type,
                           root, comm);
    }
    return mgen_run(mgen_do_gather,
                    (struct call){"MGEN_Gather", comm, root, sent, sent_count, sent_type, received,
                                  received_count, received_type});
}

int MPI_Scatter(const void *sent, int sent_count, MPI_Datatype sent_type, void *received,
                int received_count, MPI_Datatype received_type, int root, MPI_Comm comm) {
    if (is_easy(comm, sent, sent_type, received, received_type)) {
        return MGEN_Scatter(sent, sent_count, sent_type, received, received_count, received_type,
                            root, comm);
    }
    return mgen_run(mgen_do_scatter,
                    (struct call){"MGEN_Scatter", comm, root, sent, sent_count, sent_type, received,
                                  received_count, received_type});
}

int MPI_Allgather(const void *sent, int sent_count, MPI_Datatype sent_type, void *received,
                  int received_count, MPI_Datatype received_type, MPI_Comm comm) {
    if (is_easy(comm, sent, sent_type, received, received_type)) {
        return MGEN_Allgather(sent, sent_count, sent_type, received, received_count, received_type,
                              comm);
    }
    return mgen_run(mgen_do_allgather,
                    (struct call){"MGEN_Allgather", comm, -1, sent, sent_count, sent_type, received,
                                  received_count, received_type});
}

int MPI_Alltoall(const void *sent, int sent_count, MPI_Datatype sent_type, void *received,
                 int received_count, MPI_Datatype received_type, MPI_Comm comm) {
    if (is_easy(comm, sent, sent_type, received, received_type)) {
        return MGEN_Alltoall(sent, sent_count, sent_type, received, received_count, received_type,
                             comm);
    }
    return mgen_run(mgen_do_alltoall,
                    (struct call){"MGEN_Alltoall", comm, -1, sent, sent_count, sent_type, received,
                                  received_count, received_type});
}

int MPI_Alltoallv(const void *sent, const int *sent_counts, const int *sent_places,
                  MPI_Datatype sent_type, void *received, const int *received_counts,
                  const int *received_places, MPI_Datatype received_type, MPI_Comm comm) {
    if (is_easy(comm, sent, sent_type, received, received_type)) {
        return MGEN_Alltoallv(sent, sent_counts, sent_places,
                              sent == MPI_IN_PLACE ? MPI_BYTE : sent_type, received,
                              received_counts, received_places, received_type, comm);
    }
    return mgen_run(mgen_do_alltoallv,
                    (struct call){"MGEN_Alltoallv", comm, -1, .sent = sent, .sent_type = sent_type,
                                  .received = received, .received_type = received_type,
                                  .sent_counts = sent_counts, .sent_places = sent_places,
                                  .received_counts = received_counts,
                                  .received_places = received_places});
}
