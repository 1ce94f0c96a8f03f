/* Replays a trace: every rank makes the calls that the trace holds of it, in their order, and
 * computes between them as long as the trace says. Messages carry no data. The simulator expands
 * collectives by the algorithms that the options choose.
 *
 * Argument: a trace as weft prepares it for simulators (docs/traces.md). Metrics: program_time_s.
 */
#include "replay.h"

enum { NAME = 32 };

struct head {
    char magic[8];
    int64_t ranks;
    int64_t names;
};

/* The function of a call; no table, which every rank would have a copy of. */
static handler *handler_of(const char *name) {
#define NAMED(known)                                                                               \
    if (strcmp(name, #known) == 0) {                                                               \
        return do_##known;                                                                         \
    }
    CALLS(NAMED)
    return NULL;
}

/* Reads the list of names and where this rank's events lie. */
static void begin(struct replay *own) {
    struct head head;
    replay_read_at(own, &head, sizeof head, 0);
    if (memcmp(head.magic, "weft-tr1", sizeof head.magic) != 0) {
        replay_stop(own, "the file is no trace as weft prepares it");
    }
    if (head.ranks != own->size) {
        char text[96];
        snprintf(text, sizeof text, "the trace has %" PRId64 " ranks, the run %d", head.ranks,
                 own->size);
        replay_stop(own, text);
    }
    own->names = head.names;
    own->calls = replay_memory(own, NULL, (size_t)head.names * sizeof *own->calls);
    for (int64_t i = 0; i < head.names; i++) {
        char name[NAME];
        replay_read_at(own, name, sizeof name, (int64_t)sizeof head + i * NAME);
        name[NAME - 1] = '\0';
        own->calls[i] = handler_of(name);
        if (own->calls[i] == NULL) {
            char text[96];
            snprintf(text, sizeof text, "there is no replay of %s", name);
            replay_stop(own, text);
        }
    }
    int64_t bounds[2];
    replay_read_at(own, bounds, sizeof bounds,
                   (int64_t)sizeof head + head.names * NAME + own->rank * (int64_t)sizeof bounds);
    own->place = bounds[0];
    own->end = bounds[1];
    *replay_object(own, &own->comms, 0, MPI_COMM_NULL) = MPI_COMM_WORLD;
    *replay_object(own, &own->comms, 1, MPI_COMM_NULL) = MPI_COMM_SELF;
    /* Buffered sends need the room of their data, which a replay does not have. */
    MPI_Buffer_attach(NULL, INT32_MAX);
    const struct type first[] = {{1, MPI_BYTE}, {2, MPI_SHORT}, {4, MPI_INT}, {8, MPI_LONG}};
    own->types.items = replay_memory(own, NULL, sizeof first);
    own->types.count = sizeof first / sizeof *first;
    memcpy(own->types.items, first, sizeof first);
}

static void once(struct replay *own) {
    const struct event event = *(const struct event *)replay_next(own, sizeof event);
    const int64_t *more = event.more > 0 ? replay_next(own, (size_t)event.more * sizeof *more)
                                         : (const int64_t *)own->chunk;
    if (event.call < 0 || event.call >= own->names || event.element < 1) {
        replay_stop(own, "the trace is damaged");
    }
    handler *call = own->calls[event.call];
    if (event.compute_s > 0 && call != do_Device_compute) {
        MGEN_Comp(event.compute_s);
    }
    call(own, &event, more);
    own->number++;
}

int main(int argc, char **argv) {
    struct replay own = {.path = argc > 1 ? argv[1] : ""};
    MPI_Init(&argc, &argv);
    mgen_without_data();
    MPI_Comm_rank(MPI_COMM_WORLD, &own.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &own.size);
    begin(&own);
    while (own.place < own.end || own.used < own.held) {
        once(&own);
    }
    free(own.chunk);
    free(own.calls);
    free(own.requests.items);
    free(own.handles.items);
    free(own.comms.items);
    free(own.files.items);
    free(own.windows.items);
    free(own.types.items);
    free(own.waited);
    MPI_Finalize();
    return 0;
}
