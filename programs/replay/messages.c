/* Messages between two ranks, requests, one-sided calls, and what a rank does alone. */
#include "replay.h"

static MPI_Request *waited(struct replay *own, int64_t count) {
    if (count > own->waited_room) {
        own->waited = replay_memory(own, own->waited, (size_t)count * sizeof *own->waited);
        own->waited_room = count;
    }
    return own->waited;
}

#define SEND(name)                                                                                 \
    CALL(name) {                                                                                   \
        (void)more;                                                                                \
        struct amount sent = replay_amount(own, event);                                            \
        MPI_##name(NULL, sent.count, sent.type, replay_peer_of(event->peer), event->tag,           \
                   replay_comm_of(own, event));                                                    \
    }

#define SEND_LATER(name)                                                                           \
    CALL(name) {                                                                                   \
        (void)more;                                                                                \
        MPI_Request request = MPI_REQUEST_NULL;                                                    \
        struct amount sent = replay_amount(own, event);                                            \
        MPI_##name(NULL, sent.count, sent.type, replay_peer_of(event->peer), event->tag,           \
                   replay_comm_of(own, event), &request);                                          \
        replay_keep(own, event, request);                                                          \
    }

SEND(Send)
SEND(Ssend)
SEND(Rsend)
SEND(Bsend)
SEND_LATER(Isend)
SEND_LATER(Issend)
SEND_LATER(Irsend)
SEND_LATER(Ibsend)

/* The next buffered sends find room again. */
CALL(Buffer_detach) {
    (void)own;
    (void)event;
    (void)more;
    void *buffer = NULL;
    int bytes = 0;
    MPI_Buffer_detach(&buffer, &bytes);
    MPI_Buffer_attach(buffer, bytes);
}

CALL(Recv) {
    (void)more;
    struct amount room = replay_amount(own, event);
    MPI_Recv(NULL, room.count, room.type, replay_peer_of(event->peer), replay_tag_of(event->tag),
             replay_comm_of(own, event), MPI_STATUS_IGNORE);
}

CALL(Irecv) {
    (void)more;
    MPI_Request request = MPI_REQUEST_NULL;
    struct amount room = replay_amount(own, event);
    MPI_Irecv(NULL, room.count, room.type, replay_peer_of(event->peer), replay_tag_of(event->tag),
              replay_comm_of(own, event), &request);
    replay_keep(own, event, request);
}

CALL(Probe) {
    (void)more;
    MPI_Probe(replay_peer_of(event->peer), replay_tag_of(event->tag), replay_comm_of(own, event),
              MPI_STATUS_IGNORE);
}

/* What is received: source, bytes, tag. */
CALL(Sendrecv) {
    replay_needs(own, event, 3);
    struct amount sent = replay_amount(own, event);
    struct amount room =
        replay_amount_of(own, more[1], more[1] % event->element == 0 ? event->element : 1);
    MPI_Sendrecv(NULL, sent.count, sent.type, replay_peer_of(event->peer), event->tag, NULL,
                 room.count, room.type, replay_peer_of(more[0]), replay_tag_of(more[2]),
                 replay_comm_of(own, event), MPI_STATUS_IGNORE);
}

CALL(Wait) {
    (void)more;
    int64_t *place = replay_object(own, &own->requests, event->request, MPI_REQUEST_NULL);
    MPI_Request request = (MPI_Request)*place;
    *place = MPI_REQUEST_NULL;
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

CALL(Waitall) {
    MPI_Request *requests = waited(own, event->more);
    for (int i = 0; i < event->more; i++) {
        int64_t *place = replay_object(own, &own->requests, more[i], MPI_REQUEST_NULL);
        requests[i] = (MPI_Request)*place;
        *place = MPI_REQUEST_NULL;
    }
    MPI_Waitall(event->more, requests, MPI_STATUSES_IGNORE);
}

/* One-sided calls of mgen.h, and what a rank does alone. */
CALL(Rdma_put) {
    (void)more;
    if (!MGEN_rdma_available()) {
        replay_stop(own, "there are no one-sided calls here");
    }
    *replay_object(own, &own->handles, event->request, 0) =
        MGEN_rdma_put(event->peer, (int)event->bytes, event->tag);
}

CALL(Rdma_get) {
    (void)more;
    *replay_object(own, &own->handles, event->request, 0) =
        MGEN_rdma_get(event->peer, (int)event->bytes, event->tag);
}

CALL(Rdma_poll) {
    (void)own;
    (void)more;
    MGEN_rdma_poll(event->tag);
}

CALL(Rdma_complete) {
    (void)more;
    MGEN_rdma_complete(*replay_object(own, &own->handles, event->request, 0));
}

CALL(Copy) {
    (void)own;
    (void)more;
    MGEN_Copy(NULL, NULL, (size_t)event->bytes);
}

CALL(Compute) {
    (void)own;
    (void)event;
    (void)more;
}

CALL(Device_compute) {
    (void)own;
    (void)more;
    mgen_device_comp(event->compute_s);
}
