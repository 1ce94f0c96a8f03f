/* Windows and one-sided calls. Those of a replay have no memory: what arrives is dropped. */
#include "replay.h"

static MPI_Win window_of(struct replay *own, const struct event *event) {
    int64_t *found = replay_object(own, &own->windows, event->file, MPI_WIN_NULL);
    if (*found == MPI_WIN_NULL) {
        replay_stop(own, "it uses a window that no event has made");
    }
    return (MPI_Win)*found;
}

static void made(struct replay *own, const struct event *event, MPI_Win window) {
    *replay_object(own, &own->windows, event->file, MPI_WIN_NULL) = window;
}

CALL(Win_create) {
    (void)more;
    MPI_Win window = MPI_WIN_NULL;
    mgen_window_open_empty(replay_comm_of(own, event), &window);
    made(own, event, window);
}

CALL(Win_allocate_shared) {
    (void)more;
    MPI_Win window = MPI_WIN_NULL;
    void *memory = NULL;
    MPI_Win_allocate_shared(0, 1, MPI_INFO_NULL, replay_comm_of(own, event), &memory, &window);
    made(own, event, window);
}

CALL(Win_free) {
    (void)more;
    MPI_Win window = window_of(own, event);
    MPI_Win_free(&window);
    made(own, event, MPI_WIN_NULL);
}

/* Calls of a window, with these arguments before it. */
#define EPOCH(name, ...)                                                                           \
    CALL(name) {                                                                                   \
        (void)more;                                                                                \
        MPI_##name(__VA_ARGS__ window_of(own, event));                                             \
    }
#define PEER replay_peer_of(event->peer),

EPOCH(Win_fence, 0, )
EPOCH(Win_complete, )
EPOCH(Win_wait, )
EPOCH(Win_lock_all, 0, )
EPOCH(Win_unlock_all, )
EPOCH(Win_flush_all, )
EPOCH(Win_flush_local_all, )
EPOCH(Win_unlock, PEER)
EPOCH(Win_flush, PEER)
EPOCH(Win_flush_local, PEER)

CALL(Win_lock) {
    int kind = event->more > 0 && more[0] != 0 ? MPI_LOCK_EXCLUSIVE : MPI_LOCK_SHARED;
    MPI_Win_lock(kind, replay_peer_of(event->peer), 0, window_of(own, event));
}

#define GROUP(name)                                                                                \
    CALL(name) {                                                                                   \
        MPI_Group all = MPI_GROUP_NULL;                                                            \
        MPI_Win_get_group(window_of(own, event), &all);                                            \
        MPI_Group group = replay_group(own, all, more, event->more);                               \
        MPI_##name(group, 0, window_of(own, event));                                               \
        MPI_Group_free(&group);                                                                    \
        MPI_Group_free(&all);                                                                      \
    }

GROUP(Win_post)
GROUP(Win_start)

#define MOVE(name, later)                                                                          \
    CALL(name) {                                                                                   \
        (void)more;                                                                                \
        struct amount of = replay_amount(own, event);                                              \
        MPI_##name(NULL, of.count, of.type, replay_peer_of(event->peer), 0, of.count, of.type,     \
                   window_of(own, event));                                                         \
    }                                                                                              \
    CALL(later) {                                                                                  \
        (void)more;                                                                                \
        MPI_Request request = MPI_REQUEST_NULL;                                                    \
        struct amount of = replay_amount(own, event);                                              \
        MPI_##later(NULL, of.count, of.type, replay_peer_of(event->peer), 0, of.count, of.type,    \
                    window_of(own, event), &request);                                              \
        replay_keep(own, event, request);                                                          \
    }

MOVE(Put, Rput)
MOVE(Get, Rget)

/* `bytes` come back for those that `more` holds. Without any it is a get. */
CALL(Get_accumulate) {
    replay_needs(own, event, 1);
    struct amount of = replay_amount(own, event);
    struct amount sent = replay_amount_of(own, more[0], 1);
    MPI_Get_accumulate(NULL, sent.count, sent.type, NULL, of.count, of.type,
                       replay_peer_of(event->peer), 0, of.count, of.type,
                       more[0] > 0 ? MPI_REPLACE : MPI_NO_OP, window_of(own, event));
}

CALL(Rget_accumulate) {
    replay_needs(own, event, 1);
    MPI_Request request = MPI_REQUEST_NULL;
    struct amount of = replay_amount(own, event);
    struct amount sent = replay_amount_of(own, more[0], 1);
    MPI_Rget_accumulate(NULL, sent.count, sent.type, NULL, of.count, of.type,
                        replay_peer_of(event->peer), 0, of.count, of.type,
                        more[0] > 0 ? MPI_REPLACE : MPI_NO_OP, window_of(own, event), &request);
    replay_keep(own, event, request);
}
