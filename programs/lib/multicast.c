/* Multicast to groups that a bitmap sets up: see multicast.h. */
#include "multicast.h"
#include "collective.h"
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Binomial tree. */
enum { RADIX = 2 };

/* The message that sets a group up: this, then the bitmap of all ranks. */
struct setup {
    int id;
    int master;
    int size;
    int ranks;
};

/* The call that this rank is in. No other rank has to call the same. */
static void enter(const char *call) {
#ifdef MGEN_OVER_MPI
    (void)call;
#else
    mgen_enter(call, MGEN_COMM_SELF, -1);
#endif
}

static void leave(void) {
#ifndef MGEN_OVER_MPI
    mgen_leave();
#endif
}

#define FAIL(...)                                                                                  \
    do {                                                                                           \
        char failure_[256];                                                                        \
        snprintf(failure_, sizeof failure_, __VA_ARGS__);                                          \
        mgen_fail(failure_);                                                                       \
    } while (0)

static void *allocated(size_t bytes) {
    void *memory = calloc(bytes > 0 ? bytes : 1, 1);
    if (memory == NULL) {
        mgen_fail("a multicast has no memory for the members of its group");
    }
    return memory;
}

static size_t setup_bytes(int ranks) {
    return sizeof(struct setup) + ((size_t)ranks + CHAR_BIT - 1) / CHAR_BIT;
}

static unsigned char *bitmap_of(struct setup *setup) {
    return (unsigned char *)(setup + 1);
}

static int is_member(struct setup *setup, int rank) {
    return bitmap_of(setup)[rank / CHAR_BIT] >> (rank % CHAR_BIT) & 1;
}

/* The bitmap of a list, which must name the master, and every rank at most once. */
static struct setup *setup_of(MGEN_Comm comm, int id, const int *ranks, int count) {
    int size;
    int master;
    MGEN_Comm_size(comm, &size);
    MGEN_Comm_rank(comm, &master);
    if (count < 1) {
        FAIL("group %d has no members; its master, rank %d, has to be one", id, master);
    }
    struct setup *setup = allocated(setup_bytes(size));
    *setup = (struct setup){id, master, count, size};
    for (int i = 0; i < count; i++) {
        if (ranks[i] < 0 || ranks[i] >= size) {
            FAIL("group %d: rank %d does not exist; ranks are 0 to %d", id, ranks[i], size - 1);
        }
        if (is_member(setup, ranks[i])) {
            FAIL("group %d: rank %d is in the list twice", id, ranks[i]);
        }
        bitmap_of(setup)[ranks[i] / CHAR_BIT] |= (unsigned char)(1u << (ranks[i] % CHAR_BIT));
    }
    if (!is_member(setup, master)) {
        FAIL("group %d: its master, rank %d, is not in the list of members", id, master);
    }
    return setup;
}

/* What this rank derives from a bitmap. */
static MGEN_Multicast derived(MGEN_Comm comm, int tag, struct setup *setup) {
    MGEN_Multicast group = {.comm = comm, .tag = tag, .id = setup->id, .size = 1, .number = -1};
    int rank;
    MGEN_Comm_rank(comm, &rank);
    group.ranks = allocated((size_t)setup->size * sizeof *group.ranks);
    group.ranks[0] = setup->master;
    for (int other = 0; other < setup->ranks && group.size <= setup->size; other++) {
        if (other != setup->master && is_member(setup, other)) {
            if (group.size < setup->size) {
                group.ranks[group.size] = other;
            }
            group.size++;
        }
    }
    for (int number = 0; number < group.size && number < setup->size; number++) {
        if (group.ranks[number] == rank) {
            group.number = number;
        }
    }
    if (group.size != setup->size || group.number < 0) {
        FAIL("the bitmap of group %d says %d members, rank %d among them, but does not "
             "say which: setting up a group needs payload: delivered",
             group.id, setup->size, rank);
    }
    return group;
}

static struct group messages_of(const MGEN_Multicast *group, int tag) {
    return (struct group){group->comm, group->number, group->size, tag};
}

static void pass_on(const MGEN_Multicast *group, const struct setup *setup) {
    struct group messages = messages_of(group, group->tag);
    struct tree tree = mgen_collective_knomial(group->number, group->size, RADIX);
    for (int i = 0; i < tree.child_count; i++) {
        mgen_collective_send(&messages, setup, setup_bytes(setup->ranks),
                             group->ranks[tree.children[i]]);
    }
}

MGEN_Multicast MGEN_Multicast_begin(MGEN_Comm comm, int tag, int id, const int *ranks, int count) {
    enter("MGEN_Multicast_begin");
    struct setup *setup = setup_of(comm, id, ranks, count);
    MGEN_Multicast group = derived(comm, tag, setup);
    pass_on(&group, setup);
    free(setup);
    leave();
    return group;
}

MGEN_Multicast MGEN_Multicast_join(MGEN_Comm comm, int tag) {
    int size;
    enter("MGEN_Multicast_join");
    MGEN_Comm_size(comm, &size);
    struct setup *setup = allocated(setup_bytes(size));
    MGEN_Recv(setup, (int)setup_bytes(size), MGEN_BYTE, MGEN_ANY_SOURCE, tag, comm,
              MGEN_STATUS_IGNORE);
    if (setup->ranks != size) {
        FAIL("the bitmap of group %d is for %d ranks instead of %d: setting up a group needs "
             "payload: delivered, and no other message with tag %d",
             setup->id, setup->ranks, size, tag);
    }
    MGEN_Multicast group = derived(comm, tag, setup);
    pass_on(&group, setup);
    free(setup);
    leave();
    return group;
}

void MGEN_Multicast_end(MGEN_Multicast *group) {
    free(group->ranks);
    *group = (MGEN_Multicast){.comm = MGEN_COMM_NULL, .number = -1};
}

void MGEN_Multicast_ring(const MGEN_Multicast *group, void *buffer, size_t bytes) {
    struct group messages = messages_of(group, group->tag + 1);
    struct members all = {&messages, group->number, group->size, group->ranks, 0, 0};
    enter("MGEN_Multicast_ring");
    mgen_collective_scatter_pieces(&all, buffer, bytes);
    mgen_collective_ring_pieces(&all, buffer, bytes);
    leave();
}

const char *MGEN_Multicast_refusal(int members, int d) {
    if (d < 1 || members % d != 0) {
        return "d has to divide the number of members, so that all groups of d are whole";
    }
    if ((d & (d - 1)) != 0) {
        return "d has to be a power of two, because pieces are collected by recursive doubling";
    }
    return NULL;
}

/* The master ends the run; the others wait for that, so that there is one message. */
static void refuse(const MGEN_Multicast *group, int d, const char *refusal) {
    if (group->number == 0) {
        FAIL("group %d of %d members, d = %d: %s", group->id, group->size, d, refusal);
    }
    struct group messages = messages_of(group, group->tag + 1);
    mgen_collective_receive(&messages, NULL, 0, group->ranks[0]);
}

/* One piece to every d-th member, down a binomial tree of such members. */
static void broadcast(const MGEN_Multicast *group, const struct group *messages, int d, void *piece,
                      size_t bytes) {
    int first = group->number % d;
    struct tree tree = mgen_collective_knomial(group->number / d, group->size / d, RADIX);
    if (tree.parent >= 0) {
        mgen_collective_receive(messages, piece, bytes, group->ranks[first + tree.parent * d]);
    }
    for (int i = 0; i < tree.child_count; i++) {
        mgen_collective_send(messages, piece, bytes, group->ranks[first + tree.children[i] * d]);
    }
}

void MGEN_Multicast_hybrid(const MGEN_Multicast *group, int d, void *buffer, size_t bytes) {
    const char *refusal = MGEN_Multicast_refusal(group->size, d);
    enter("MGEN_Multicast_hybrid");
    if (refusal != NULL) {
        refuse(group, d, refusal);
    }
    struct group messages = messages_of(group, group->tag + 1);
    int own = group->number % d;
    const int *ranks = group->ranks + (group->number - own);
    struct members near = {&messages, own, d, ranks, 0, group->exchange_s};
    if (group->number < d) {
        mgen_collective_scatter_pieces(&near, buffer, bytes);
    }
    size_t first;
    size_t piece = mgen_collective_piece(bytes, d, own, &first);
    broadcast(group, &messages, d, mgen_collective_at(buffer, first), piece);
    mgen_collective_double_pieces(&near, buffer, bytes);
    leave();
}

/* Removes a message that waits here. Returns who sent it, or -1 if there is none. */
static int left_over(MGEN_Comm comm, int tag) {
    int found;
    int bytes;
    MGEN_Status status;
    MGEN_Iprobe(MGEN_ANY_SOURCE, tag, comm, &found, &status);
    if (!found) {
        return -1;
    }
    MGEN_Get_count(&status, MGEN_BYTE, &bytes);
    void *memory = allocated((size_t)bytes);
    int source = status.MGEN_SOURCE;
    MGEN_Recv(memory, bytes, MGEN_BYTE, source, tag, comm, MGEN_STATUS_IGNORE);
    free(memory);
    return source;
}

/* Over MPI, rank 0 ends the run for all; until it has, no other rank goes on. */
void MGEN_Multicast_finish(MGEN_Comm comm, int tag) {
    int rank;
    int size;
    MGEN_Comm_rank(comm, &rank);
    MGEN_Comm_size(comm, &size);
    MGEN_Barrier(comm);
    int sender = left_over(comm, tag);
    sender = sender >= 0 ? sender : left_over(comm, tag + 1);
    int *senders = allocated((size_t)size * sizeof *senders);
    MGEN_Gather(&sender, 1, MGEN_INT, senders, 1, MGEN_INT, 0, comm);
    char names[160] = "";
    for (int other = 0; rank == 0 && other < size; other++) {
        size_t used = strlen(names);
        if (senders[other] >= 0 && used + 40 < sizeof names) {
            snprintf(names + used, sizeof names - used, "%srank %d (from rank %d)",
                     used > 0 ? ", " : "", other, senders[other]);
        }
    }
    if (names[0] != '\0') {
        enter("MGEN_Multicast_finish"); /* not the call before it */
        FAIL("at the end, multicasts were not received: %s", names);
    }
    free(senders);
    MGEN_Barrier(comm);
}
