/* Requests, messages, communicators, files and windows by the numbers that the trace has for them.
 * A library may give several complete sends the same handle, so a handle may stand for several
 * requests at once. */
#include "trace.h"
#include <stdlib.h>
#include <string.h>

/* All ranks are 0, the rank alone is 1. */
enum { BUCKETS = 4096, FIRST_COMM = 2 };

struct object {
    uintptr_t handle;
    int next; /* of the same bucket, or of those that are free; -1 at the end */
    int is_persistent;
    struct event started; /* of a message: how it was probed */
    const MPI_Comm *promised;
    /* Of a communicator. */
    int is_inter;
    int others_at;
};

struct objects {
    struct object *items;
    int count;
    int free;
    int first[BUCKETS];
};

static struct objects requests;
static struct objects messages;
static struct objects comms;
static struct objects files;
static struct objects windows;

static int *bucket(struct objects *all, uintptr_t handle) {
    return &all->first[(handle ^ handle >> 12) % BUCKETS];
}

/* -1 in a call inside another one. */
static int add(struct objects *all, uintptr_t handle) {
    if (trace_is_inside()) {
        return -1;
    }
    if (all->count == 0) {
        all->free = -1;
        memset(all->first, -1, sizeof all->first);
    }
    int number = all->free;
    if (number >= 0) {
        all->free = all->items[number].next;
    } else {
        number = all->count++;
        if ((number & (number - 1)) == 0) {
            size_t room = number > 0 ? 2 * (size_t)number : 1;
            all->items = realloc(all->items, room * sizeof *all->items);
        }
    }
    int *first = bucket(all, handle);
    all->items[number] = (struct object){.handle = handle, .next = *first};
    *first = number;
    return number;
}

/* Where the number of a handle stands; NULL if there is none. */
static int *find(struct objects *all, uintptr_t handle) {
    int *place = all->count > 0 && !trace_is_inside() ? bucket(all, handle) : NULL;
    while (place != NULL && *place >= 0 && all->items[*place].handle != handle) {
        place = &all->items[*place].next;
    }
    return place != NULL && *place >= 0 ? place : NULL;
}

static int take(struct objects *all, uintptr_t handle) {
    int *place = find(all, handle);
    if (place == NULL) {
        return -1;
    }
    int number = *place;
    *place = all->items[number].next;
    all->items[number].next = all->free;
    all->free = number;
    return number;
}

int trace_request(MPI_Request request) {
    return add(&requests, (uintptr_t)request);
}

static struct object *comm_of(int number) {
    return number >= FIRST_COMM && number - FIRST_COMM < comms.count
               ? &comms.items[number - FIRST_COMM]
               : NULL;
}

/* A copy of an intercommunicator is one. */
static void inherit(MPI_Comm parent, int number) {
    const struct object *from = comm_of(trace_comm(parent));
    struct object *to = comm_of(number);
    if (from != NULL && to != NULL) {
        to->is_inter = from->is_inter;
        to->others_at = from->others_at;
    }
}

int trace_comm_copied(MPI_Comm parent, MPI_Comm comm) {
    int number = trace_comm_made(comm);
    inherit(parent, number);
    return number;
}

int trace_inter_made(MPI_Comm comm, int others_at) {
    int number = trace_comm_made(comm);
    struct object *made = comm_of(number);
    if (made != NULL) {
        made->is_inter = 1;
        made->others_at = others_at;
    }
    return number;
}

int trace_is_inter(int number) {
    const struct object *known = comm_of(number);
    return known != NULL && known->is_inter;
}

int trace_peer_in(int number, int rank) {
    int peer = trace_peer(rank);
    return peer >= 0 && trace_is_inter(number) ? peer + comm_of(number)->others_at : peer;
}

/* Until then the communicator goes by the place where it will be. */
int trace_comm_promised(MPI_Comm parent, const MPI_Comm *comm) {
    int number = FIRST_COMM + add(&comms, (uintptr_t)comm);
    inherit(parent, number);
    return number;
}

int trace_request_of_comm(MPI_Request request, const MPI_Comm *comm) {
    int number = add(&requests, (uintptr_t)request);
    if (number >= 0) {
        requests.items[number].promised = comm;
    }
    return number;
}

static void keep_promise(const MPI_Comm *comm) {
    int *place = comm == NULL ? NULL : find(&comms, (uintptr_t)comm);
    if (place != NULL) {
        int number = *place;
        int *first = bucket(&comms, (uintptr_t)*comm);
        *place = comms.items[number].next;
        comms.items[number].handle = (uintptr_t)*comm;
        comms.items[number].next = *first;
        *first = number;
    }
}

int trace_complete(MPI_Request request) {
    int *place = request == MPI_REQUEST_NULL ? NULL : find(&requests, (uintptr_t)request);
    if (place == NULL) {
        if (request != MPI_REQUEST_NULL) {
            trace_unseen("a nonblocking call that weft does not know");
        }
        return -1;
    }
    keep_promise(requests.items[*place].promised);
    if (!requests.items[*place].is_persistent) {
        return take(&requests, (uintptr_t)request);
    }
    struct event *started = &requests.items[*place].started;
    int number = started->request;
    started->request = -1;
    return number >= 0 ? *place : -1;
}

void trace_persistent(MPI_Request request, struct event event) {
    int number = add(&requests, (uintptr_t)request);
    if (number < 0) {
        return;
    }
    struct object *made = &requests.items[number];
    made->is_persistent = 1;
    made->started = event;
    made->started.request = -1;
    size_t bytes = (size_t)event.more_count * sizeof *event.more;
    made->started.more = bytes > 0 ? memcpy(malloc(bytes), event.more, bytes) : NULL;
}

const struct event *trace_started(MPI_Request request) {
    int *place = find(&requests, (uintptr_t)request);
    if (place == NULL || !requests.items[*place].is_persistent) {
        return NULL;
    }
    requests.items[*place].started.request = *place;
    return &requests.items[*place].started;
}

void trace_message(MPI_Message message, struct event probed) {
    int number = add(&messages, (uintptr_t)message);
    if (number >= 0) {
        messages.items[number].started = probed;
    }
}

struct event trace_message_received(MPI_Message message) {
    int number = take(&messages, (uintptr_t)message);
    return number >= 0 ? messages.items[number].started : (struct event){.peer = NOBODY};
}

void trace_forget(MPI_Request request) {
    int *place = find(&requests, (uintptr_t)request);
    if (place != NULL && requests.items[*place].is_persistent) {
        free((void *)requests.items[*place].started.more);
    }
    take(&requests, (uintptr_t)request);
}

int trace_comm(MPI_Comm comm) {
    if (comm == MPI_COMM_WORLD) {
        return 0;
    }
    if (comm == MPI_COMM_SELF) {
        return 1;
    }
    int *place = find(&comms, (uintptr_t)comm);
    if (place == NULL) {
        trace_unseen("a communicator that a call has made which traces do not have");
        return 0;
    }
    return FIRST_COMM + *place;
}

int trace_comm_made(MPI_Comm comm) {
    return comm == MPI_COMM_NULL ? -1 : FIRST_COMM + add(&comms, (uintptr_t)comm);
}

void trace_comm_freed(MPI_Comm comm) {
    take(&comms, (uintptr_t)comm);
}

int trace_file(MPI_File file) {
    int *place = find(&files, (uintptr_t)file);
    return place == NULL ? 0 : 1 + *place;
}

int trace_file_opened(MPI_File file) {
    return file == MPI_FILE_NULL ? 0 : 1 + add(&files, (uintptr_t)file);
}

void trace_file_closed(MPI_File file) {
    take(&files, (uintptr_t)file);
}

int trace_window_made(MPI_Win window) {
    return window == MPI_WIN_NULL ? 0 : 1 + add(&windows, (uintptr_t)window);
}

int trace_window(MPI_Win window, const char *call) {
    int *place = find(&windows, (uintptr_t)window);
    if (place == NULL) {
        trace_unseen(call);
        return 0;
    }
    return 1 + *place;
}

void trace_window_freed(MPI_Win window) {
    take(&windows, (uintptr_t)window);
}
