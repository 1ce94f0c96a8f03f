/* Times messages between two ranks: one way, both ways at once, and one-sided.
 *
 *   one_way_time_s   half of a round trip by Send and Recv
 *   exchange_time_s  Sendrecv in both directions after a barrier, the slower rank
 *   put_time_s       Put into the other rank's window until a flush says it has arrived; left out
 *                    where the MPI has no one-sided communication between the two nodes
 */
#include "measure.h"

static double one_way(const struct session *session, int bytes) {
    MPI_Comm world = MPI_COMM_WORLD;
    if (session->rank == 1) {
        MPI_Recv(session->receive, bytes, MPI_CHAR, 0, 0, world, MPI_STATUS_IGNORE);
        MPI_Send(session->send, bytes, MPI_CHAR, 0, 0, world);
        return 0.0;
    }
    double start = MPI_Wtime();
    MPI_Send(session->send, bytes, MPI_CHAR, 1, 0, world);
    MPI_Recv(session->receive, bytes, MPI_CHAR, 1, 0, world, MPI_STATUS_IGNORE);
    return (MPI_Wtime() - start) / 2;
}

static double exchange(const struct session *session, int bytes) {
    int peer = 1 - session->rank;
    MPI_Barrier(MPI_COMM_WORLD);
    double start = MPI_Wtime();
    MPI_Sendrecv(session->send, bytes, MPI_CHAR, peer, 0, session->receive, bytes, MPI_CHAR, peer,
                 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return MPI_Wtime() - start;
}

/* Rank 1 goes straight on to the collective that ends the sampling, and there makes progress. */
static double put(const struct session *session, int bytes) {
    if (session->rank == 1) {
        return 0.0;
    }
    double start = MPI_Wtime();
    MPI_Put(session->send, bytes, MPI_CHAR, 1, 0, bytes, MPI_CHAR, session->window);
    MPI_Win_flush(1, session->window);
    return MPI_Wtime() - start;
}

int main(int argc, char **argv) {
    struct session session;
    int code = session_begin(&session, argc, argv, 2);
    if (code != EXIT_OK) {
        return session_abandon(&session, code);
    }
    for (int i = 0; i < session.options.size_count; i++) {
        int bytes = session.options.sizes[i];
        session_measure(&session, "one_way_time_s", bytes, one_way);
        session_measure(&session, "exchange_time_s", bytes, exchange);
        if (session.window != MPI_WIN_NULL) {
            session_measure(&session, "put_time_s", bytes, put);
        }
    }
    return session_end(&session);
}
