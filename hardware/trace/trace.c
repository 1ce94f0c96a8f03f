/* Records the calls that a rank makes of MPI, and how long it computes between them, into one file
 * for each rank. `weft trace record` preloads it into any program of MPI, whose calls it passes on
 * by the names PMPI_… that MPI has for this purpose.
 *
 * Environment: WEFT_TRACE is the folder, WEFT_TRACE_CLOCK is `wall`, or `cpu` for the time of the
 * processor. With WEFT_TRACE_PART nothing is recorded before weft_trace_begin: the engine
 * `hardware` records one repetition of a program and none of its own calls.
 *
 * A file has a head (magic, the clock's ticks and nanoseconds between its first and its last call,
 * the tick at which recording begins, ranks, this rank, the boot of its node, the names of calls:
 * the program's, and behind a `/` the trace's if it has another one) and the events. An event is
 * the place of its call, a byte that says which of its numbers differ from the last one of the same
 * call, ticks that the recorder took behind the last event, ticks of computing, ticks in the call
 * (and in looks before it that found nothing), and these numbers, seven bits a byte, signs in the
 * lowest.
 *
 * A library may make calls of MPI inside a call, above all where it reads and writes files. Only
 * what the program calls is recorded. */
#include "trace.h"
#include "clock.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A buffer, and the most that an event without `more` takes. */
enum { BUFFER = 1 << 20, LARGEST = 128 };
/* A byte has room for the calls, and for the end of the file. */
enum { END = 255 };
_Static_assert((int)CALL_COUNT < (int)END, "a byte has no room for so many calls");
enum {
    PEER = 1,
    BYTES = 2,
    TAG = 4,
    COMM = 8,
    REQUEST = 16,
    ELEMENT = 32,
    MORE = 64,
    OF_FILE = 128
};

static unsigned char *buffer;
static size_t used;
static int file = -1;
static int64_t begun; /* when the rank began to compute */
static int64_t computed;
static int64_t entered; /* when the call under way began, or the part of it that is not written */
static int64_t inside;
static int64_t lost;    /* to the recorder, since the last event */
static int64_t started; /* when recording began */
static struct event before[CALL_COUNT];
/* How many calls of a thread are under way, one inside the other. */
static _Thread_local int depth __attribute__((tls_model("initial-exec")));
/* Whether nothing is recorded before weft_trace_begin. */
static int is_awaited;
/* The first call that traces do not have. */
static const char *unseen;

static void fail(const char *what) {
    fprintf(stderr, "weft trace: %s: %s\n", what, strerror(errno));
    PMPI_Abort(MPI_COMM_WORLD, 1);
}

static void flush(void) {
    for (size_t done = 0; done < used;) {
        ssize_t wrote = write(file, buffer + done, used - done);
        if (wrote < 0) {
            fail("cannot write the trace");
            break;
        }
        done += (size_t)wrote;
    }
    used = 0;
}

static void put(int64_t number) {
    uint64_t rest = ((uint64_t)number << 1) ^ (uint64_t)(number >> 63);
    while (rest >= 128) {
        buffer[used++] = (unsigned char)(rest | 128);
        rest >>= 7;
    }
    buffer[used++] = (unsigned char)rest;
}

void trace_enter(void) {
    if (depth++ == 0) {
        entered = clock_ticks();
        computed += entered - begun;
    }
}

int trace_is_inside(void) {
    return depth > 1;
}

void trace_pass(void) {
    if (--depth == 0) {
        begun = clock_ticks();
        inside += begun - entered;
    }
}

/* The time that it takes to write is part of nothing. */
void trace_leave(struct event event) {
    trace_write(event);
    if (--depth == 0) {
        begun = clock_ticks();
        lost = begun - entered;
    }
}

void trace_write(struct event event) {
    if (file < 0 || trace_is_inside()) {
        return;
    }
    int64_t left = clock_ticks();
    inside += left - entered;
    entered = left;
    if (used + LARGEST + 10 * (size_t)event.more_count > BUFFER) {
        flush();
    }
    struct event *last = &before[event.call];
    int differs = (event.peer != last->peer ? PEER : 0) | (event.bytes != last->bytes ? BYTES : 0) |
                  (event.tag != last->tag ? TAG : 0) | (event.comm != last->comm ? COMM : 0) |
                  (event.request != last->request ? REQUEST : 0) |
                  (event.element != last->element ? ELEMENT : 0) |
                  (event.more_count > 0 ? MORE : 0) | (event.file != last->file ? OF_FILE : 0);
    buffer[used++] = (unsigned char)event.call;
    buffer[used++] = (unsigned char)differs;
    put(lost);
    put(computed);
    put(inside);
    const int64_t numbers[] = {event.peer, event.bytes,   event.tag,
                               event.comm, event.request, event.element};
    for (int i = 0; i < 6; i++) {
        if (differs & 1 << i) {
            put(numbers[i]);
        }
    }
    if (differs & OF_FILE) {
        put(event.file);
    }
    if (differs & MORE) {
        put(event.more_count);
    }
    for (int i = 0; i < event.more_count; i++) {
        if (used + 10 > BUFFER) {
            flush();
        }
        put(event.more[i]);
    }
    *last = event;
    computed = inside = lost = 0;
}

void trace_unseen(const char *call) {
    if (unseen == NULL && !trace_is_inside()) {
        unseen = call;
    }
}

/* Ranks whose nodes were booted at once are on one node, and see one counter. */
static void put_boot(void) {
    char boot[64] = "";
    FILE *found = fopen("/proc/sys/kernel/random/boot_id", "r");
    if (found != NULL) {
        size_t count = fread(boot, 1, sizeof boot - 1, found);
        boot[count] = '\0';
        boot[strcspn(boot, "\n")] = '\0';
        fclose(found);
    }
    size_t length = strlen(boot);
    put((int64_t)length);
    memcpy(buffer + used, boot, length);
    used += length;
}

static void head(int ranks, int rank) {
    static const char *const names[] = {
#define X(name) #name,
#define AS(name, in_trace) #name "/" #in_trace,
#include "calls.h"
#undef X
#undef AS
    };
    memcpy(buffer, "weft-re4", 8);
    used = 8 + sizeof(struct clock_span) + sizeof started;
    memset(buffer + 8, 0, used - 8);
    put(ranks);
    put(rank);
    put_boot();
    put(CALL_COUNT);
    for (int i = 0; i < CALL_COUNT; i++) {
        size_t length = strlen(names[i]);
        put((int64_t)length);
        memcpy(buffer + used, names[i], length);
        used += length;
    }
}

/* Until then every call counts as one inside another, which is passed on only. */
void weft_trace_begin(void) {
    if (is_awaited) {
        is_awaited = 0;
        depth--;
        begun = started = clock_ticks();
    }
}

static void begin(void) {
    const char *folder = getenv("WEFT_TRACE");
    const char *clock = getenv("WEFT_TRACE_CLOCK");
    int rank = 0;
    int ranks = 0;
    char path[4096];
    if (folder == NULL) {
        return;
    }
    clock_choose(clock != NULL && strcmp(clock, "cpu") == 0);
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    PMPI_Comm_size(MPI_COMM_WORLD, &ranks);
    snprintf(path, sizeof path, "%s/rank-%d.rec", folder, rank);
    buffer = malloc(BUFFER);
    file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    if (file < 0 || buffer == NULL) {
        fail("cannot create the file of a rank; WEFT_TRACE names the folder");
        return;
    }
    head(ranks, rank);
    is_awaited = getenv("WEFT_TRACE_PART") != NULL;
    depth += is_awaited;
    begun = started = clock_ticks();
}

int MPI_Init(int *argc, char ***argv) {
    int code = PMPI_Init(argc, argv);
    begin();
    return code;
}

int MPI_Init_thread(int *argc, char ***argv, int required, int *provided) {
    int code = PMPI_Init_thread(argc, argv, required, provided);
    begin();
    return code;
}

/* The end of a file is the first call that was not seen, or nothing: a file without an end is cut.
 */
void weft_trace_end(void) {
    if (file < 0) {
        return;
    }
    trace_enter();
    trace_leave((struct event){.call = CALL_Compute, .peer = NOBODY, .element = 1, .request = -1});
    const char *call = unseen == NULL ? "" : unseen;
    size_t length = strlen(call);
    buffer[used++] = END;
    put((int64_t)length);
    memcpy(buffer + used, call, length);
    used += length;
    flush();
    const struct clock_span span = clock_span();
    const int64_t times[] = {span.ticks, span.nanoseconds, started};
    if (pwrite(file, times, sizeof times, 8) != sizeof times) {
        fail("cannot write the trace");
    }
    close(file);
    file = -1;
}

int MPI_Finalize(void) {
    weft_trace_end();
    return PMPI_Finalize();
}
