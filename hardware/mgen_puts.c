/* The one-sided calls of mgen.h over MPI RMA, with passive targets.
 *
 * Every rank has a window of counters, one for each tag, and of memory in which puts without data
 * land. A put is an MPI_Put. At the next call of this rank that may block, a flush completes it,
 * and an addition to the counter of its tag follows. A put of at most 8 bytes without data is the
 * addition alone, which carries 8 bytes. A poll reads the rank's own counter, and lets the library
 * make progress meanwhile. */
#include "over_mpi.h"
#include <stdint.h>
#include <stdlib.h>

enum { TAGS = 65536, LEAST_LANDING = 1 << 20, PATIENCE = 10000 };

struct notice {
    int dest;
    int tag;
    int is_exposed; /* the data went to memory that the program exposed */
};

static struct {
    MPI_Win counters;
    MPI_Win exposed;
    volatile int64_t *arrived; /* by tag, other ranks write it */
    int64_t taken[TAGS];       /* by tag, polled so far */
    size_t landing;            /* bytes behind the counters */
    struct notice *waiting;
    size_t waiting_count;
    size_t waiting_room;
    int is_ready;
} puts = {.counters = MPI_WIN_NULL, .exposed = MPI_WIN_NULL};

static const int64_t ONE = 1;

int MGEN_rdma_available(void) {
    return puts.is_ready;
}

static int everywhere(int ok) {
    MPI_Allreduce(MPI_IN_PLACE, &ok, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    return ok;
}

int mgen_puts_begin(size_t largest) {
    MPI_Info info;
    void *base = NULL;
    puts.landing = largest > LEAST_LANDING ? largest : LEAST_LANDING;
    MPI_Info_create(&info);
    MPI_Info_set(info, "accumulate_ordering", "none");
    MPI_Info_set(info, "accumulate_ops", "same_op");
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    int code = MPI_Win_allocate((MPI_Aint)(TAGS * sizeof(int64_t) + puts.landing), 1, info,
                                MPI_COMM_WORLD, &base, &puts.counters);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
    MPI_Info_free(&info);
    if (!everywhere(code == MPI_SUCCESS)) {
        return 0;
    }
    puts.arrived = base;
    for (int tag = 0; tag < TAGS; tag++) {
        puts.arrived[tag] = 0;
    }
    MPI_Win_lock_all(MPI_MODE_NOCHECK, puts.counters);
    MPI_Win_sync(puts.counters);
    MPI_Barrier(MPI_COMM_WORLD);
    puts.is_ready = 1;
    return 1;
}

void mgen_puts_end(void) {
    free(puts.waiting);
    if (puts.exposed != MPI_WIN_NULL) {
        MPI_Win_unlock_all(puts.exposed);
        MPI_Win_free(&puts.exposed);
    }
    if (puts.is_ready) {
        MPI_Win_unlock_all(puts.counters);
        MPI_Win_free(&puts.counters);
    }
}

int MGEN_rdma_expose(void *memory, size_t bytes) {
    if (!puts.is_ready) {
        mgen_fail("one-sided communication is not available (option --one-sided)");
    }
    if (puts.exposed != MPI_WIN_NULL) {
        MPI_Win_unlock_all(puts.exposed);
        MPI_Win_free(&puts.exposed);
    }
    int code =
        MPI_Win_create(memory, (MPI_Aint)bytes, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &puts.exposed);
    MPI_Win_lock_all(MPI_MODE_NOCHECK, puts.exposed);
    return code;
}

/* Adds one to the target's counter of the tag. */
static void count_put(int dest, int tag) {
    MPI_Accumulate(&ONE, 1, MPI_INT64_T, dest, (MPI_Aint)(sizeof(int64_t) * (size_t)tag), 1,
                   MPI_INT64_T, MPI_SUM, puts.counters);
}

void mgen_notify(void) {
    for (size_t i = 0; i < puts.waiting_count; i++) {
        const struct notice *one = &puts.waiting[i];
        MPI_Win_flush(one->dest, one->is_exposed ? puts.exposed : puts.counters);
        count_put(one->dest, one->tag);
    }
    puts.waiting_count = 0;
}

void mgen_puts_settle(void) {
    mgen_notify();
    if (puts.is_ready) {
        MPI_Win_flush_all(puts.counters);
    }
}

static void notify_later(struct notice notice) {
    if (notice.tag < 0) {
        return;
    }
    if (puts.waiting_count == puts.waiting_room) {
        puts.waiting_room = 2 * puts.waiting_room + 16;
        puts.waiting = realloc(puts.waiting, puts.waiting_room * sizeof *puts.waiting);
        if (puts.waiting == NULL) {
            mgen_fail("no memory for a put");
        }
    }
    puts.waiting[puts.waiting_count++] = notice;
}

static void check(int tag) {
    if (!puts.is_ready) {
        mgen_fail("one-sided communication is not available (option --one-sided)");
    }
    if (tag >= TAGS) {
        mgen_fail("over MPI the largest tag of a put is 65535");
    }
}

/* A handle holds the rank, and whether the put or get uses exposed memory. */
static MGEN_acp_handle handle_of(int rank, int is_exposed) {
    return 2L * rank + is_exposed + 1;
}

static void whole_put(int dest, const void *data, int size, size_t offset, MPI_Win window) {
    MPI_Put(data, size, MPI_BYTE, dest, (MPI_Aint)offset, size, MPI_BYTE, window);
}

MGEN_acp_handle MGEN_rdma_put(int dest, int size, int tag) {
    check(tag);
    if (size <= (int)sizeof ONE && tag >= 0) {
        count_put(dest, tag);
        return handle_of(dest, 0);
    }
    const char *data = mgen_real(NULL, (size_t)size + 1, SCRATCH_SENT);
    size_t done = 0;
    do {
        size_t left = (size_t)size - done;
        size_t part = left < puts.landing ? left : puts.landing;
        whole_put(dest, data + done, (int)part, TAGS * sizeof(int64_t), puts.counters);
        done += part;
    } while (done < (size_t)size);
    notify_later((struct notice){.dest = dest, .tag = tag});
    return handle_of(dest, 0);
}

MGEN_acp_handle MGEN_rdma_get(int source, int size, int tag) {
    check(tag);
    char *data = mgen_real(NULL, (size_t)size, SCRATCH_RECEIVED);
    for (size_t done = 0; done < (size_t)size; done += puts.landing) {
        size_t left = (size_t)size - done;
        int part = (int)(left < puts.landing ? left : puts.landing);
        MPI_Get(data + done, part, MPI_BYTE, source, (MPI_Aint)(TAGS * sizeof(int64_t)), part,
                MPI_BYTE, puts.counters);
    }
    return handle_of(source, 0);
}

void MGEN_rdma_poll(int tag) {
    check(tag);
    if (tag < 0) {
        mgen_fail("a put with a negative tag cannot be polled");
    }
    mgen_notify();
    for (int tries = 1;; tries++) {
        MPI_Win_sync(puts.counters);
        if (puts.arrived[tag] > puts.taken[tag]) {
            puts.taken[tag]++;
            return;
        }
        int found = 0;
        MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &found, MPI_STATUS_IGNORE);
        if (tries % PATIENCE == 0) {
            /* An MPI may hold back what is not flushed, and other ranks may wait for it. */
            MPI_Win_flush_all(puts.counters);
        }
    }
}

void MGEN_rdma_complete(MGEN_acp_handle handle) {
    int rank = (int)((handle - 1) / 2);
    mgen_notify();
    MPI_Win_flush(rank, (handle - 1) % 2 ? puts.exposed : puts.counters);
}

static void check_exposed(int tag) {
    check(tag);
    if (puts.exposed == MPI_WIN_NULL) {
        mgen_fail("no memory is exposed: call MGEN_rdma_expose and a barrier first");
    }
}

MGEN_acp_handle MGEN_rdma_put_data(int dest, const void *data, int size, size_t offset, int tag) {
    check_exposed(tag);
    whole_put(dest, data, size, offset, puts.exposed);
    notify_later((struct notice){.dest = dest, .tag = tag, .is_exposed = 1});
    return handle_of(dest, 1);
}

MGEN_acp_handle MGEN_rdma_get_data(int source, void *data, int size, size_t offset, int tag) {
    check_exposed(tag);
    MPI_Get(data, size, MPI_BYTE, source, (MPI_Aint)offset, size, MPI_BYTE, puts.exposed);
    return handle_of(source, 1);
}
