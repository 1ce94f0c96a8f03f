/* Reads the trace, a piece at a time, and finds what its numbers stand for. */
#include "replay.h"
#include <fcntl.h>
#include <unistd.h>

/* Bytes of the trace that a rank holds at a time: all ranks do so at once. */
enum { CHUNK = 8192 };

void replay_stop(const struct replay *own, const char *what) {
    char where[64];
    snprintf(where, sizeof where, "event %" PRId64 " of its trace", own->number + 1);
    mgen_label(where);
    mgen_fail(what);
}

void *replay_memory(const struct replay *own, void *held, size_t bytes) {
    void *made = realloc(held, bytes > 0 ? bytes : 1);
    if (made == NULL) {
        replay_stop(own, "there is no memory for it");
    }
    return made;
}

int64_t *replay_object(const struct replay *own, struct objects *objects, int64_t number,
                       int64_t empty) {
    if (number < 0 || number >= MOST_NUMBERS) {
        replay_stop(own, "it names a request, a communicator, a file or a window out of range");
    }
    if (number >= objects->count) {
        int64_t count = number + 8;
        objects->items = replay_memory(own, objects->items, (size_t)count * sizeof *objects->items);
        for (int64_t i = objects->count; i < count; i++) {
            objects->items[i] = empty;
        }
        objects->count = count;
    }
    return &objects->items[number];
}

/* Reads from a place of the file. It is open only while it is read: there may be more ranks than
 * files that a process may have open. */
void replay_read_at(const struct replay *own, void *to, size_t bytes, int64_t place) {
    int file = open(own->path, O_RDONLY);
    if (file < 0 || pread(file, to, bytes, (off_t)place) != (ssize_t)bytes) {
        replay_stop(own, "the trace cannot be read, or is cut");
    }
    close(file);
}

const void *replay_next(struct replay *own, size_t bytes) {
    size_t left = own->held - own->used;
    if (left < bytes) {
        if ((int64_t)(bytes - left) > own->end - own->place) {
            replay_stop(own, "the trace is cut");
        }
        if (own->room < bytes || own->room < CHUNK) {
            own->room = bytes < CHUNK ? CHUNK : bytes;
            char *made = replay_memory(own, NULL, own->room);
            memcpy(made, own->chunk + own->used, left);
            free(own->chunk);
            own->chunk = made;
        } else {
            memmove(own->chunk, own->chunk + own->used, left);
        }
        int64_t rest = own->end - own->place;
        size_t more = own->room - left;
        more = (int64_t)more > rest ? (size_t)rest : more;
        replay_read_at(own, own->chunk + left, more, own->place);
        own->place += (int64_t)more;
        own->held = left + more;
        own->used = 0;
    }
    const void *found = own->chunk + own->used;
    own->used += bytes;
    return found;
}

MPI_Comm replay_comm_of(struct replay *own, const struct event *event) {
    int64_t *found = replay_object(own, &own->comms, event->comm, MPI_COMM_NULL);
    if (*found == MPI_COMM_NULL) {
        replay_stop(own, "it uses a communicator that no event has made");
    }
    return (MPI_Comm)*found;
}

int replay_peer_of(int64_t peer) {
    return peer == NOBODY ? MPI_PROC_NULL : peer == ANY ? MPI_ANY_SOURCE : (int)peer;
}

int replay_tag_of(int64_t tag) {
    return tag == ANY ? MPI_ANY_TAG : (int)tag;
}

static MPI_Datatype replay_type_of(struct replay *own, int64_t element) {
    struct types *types = &own->types;
    int64_t place = 0;
    for (int64_t end = types->count; place < end;) {
        int64_t middle = place + (end - place) / 2;
        if (types->items[middle].element < element) {
            place = middle + 1;
        } else {
            end = middle;
        }
    }
    if (place == types->count || types->items[place].element != element) {
        struct type made = {element, MPI_DATATYPE_NULL};
        MPI_Type_contiguous((int)element, MPI_BYTE, &made.type);
        MPI_Type_commit(&made.type);
        size_t behind = (size_t)(types->count - place) * sizeof made;
        types->count++;
        types->items = replay_memory(own, types->items, (size_t)types->count * sizeof made);
        memmove(types->items + place + 1, types->items + place, behind);
        types->items[place] = made;
    }
    return types->items[place].type;
}

struct amount replay_amount_of(struct replay *own, int64_t bytes, int64_t element) {
    for (int64_t larger = 2; element == 1 && bytes / element > INT32_MAX && larger <= 65536;
         larger++) {
        element = bytes % larger == 0 && bytes / larger <= INT32_MAX ? larger : 1;
    }
    if (bytes < 0 || bytes % element != 0 || bytes / element > INT32_MAX) {
        replay_stop(own, "so many bytes are no number of elements; give element_bytes");
    }
    return (struct amount){(int)(bytes / element), replay_type_of(own, element)};
}

struct amount replay_amount(struct replay *own, const struct event *event) {
    return replay_amount_of(own, event->bytes, event->element);
}

void replay_keep(struct replay *own, const struct event *event, MPI_Request request) {
    int64_t *place = replay_object(own, &own->requests, event->request, MPI_REQUEST_NULL);
    if (*place != MPI_REQUEST_NULL) {
        replay_stop(own, "its request is still in use");
    }
    *place = request;
}

void replay_needs(const struct replay *own, const struct event *event, int64_t count) {
    if (event->more < count) {
        replay_stop(own, "its column more is too short");
    }
}
