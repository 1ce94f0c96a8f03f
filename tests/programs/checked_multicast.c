/* Groups that a schedule names, with data that every member checks byte by byte. Returns 3 where
 * something is wrong.
 *
 * Arguments: size; groups like 4:0,2,5;ring:3,1 in their order, each with its algorithm and its
 * members, the master first; `timed` for a barrier between a group and its message, if all groups
 * have all ranks; then the seconds of exchange_s; `unread` if the last group's members do not take
 * part. Metric: data_time_s, of the last message. */
#include "multicast.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TAG = 7, FREE_TAG = 9, MOST = 64 };

typedef struct {
    char algorithm[16];
    int ranks[MOST];
    int count;
} Group;

static int read_groups(const char *text, Group *groups) {
    int count = 0;
    while (*text != '\0' && count < MOST) {
        Group *group = &groups[count++];
        size_t length = strcspn(text, ":");
        memcpy(group->algorithm, text, length);
        group->algorithm[length] = '\0';
        group->count = 0;
        for (text += length; *text == ':' || *text == ',';) {
            char *end;
            long rank = strtol(text + 1, &end, 10);
            if (end > text + 1) {
                group->ranks[group->count++] = (int)rank;
            }
            text = end > text + 1 ? end : text + 1;
        }
        text += *text == ';';
    }
    return count;
}

static int has(const Group *group, int rank) {
    for (int i = 0; i < group->count; i++) {
        if (group->ranks[i] == rank) {
            return 1;
        }
    }
    return 0;
}

/* The group before or after `at` that has this rank, or -1. */
static int next_with(const Group *groups, int count, int at, int step, int rank) {
    for (at += step; at >= 0 && at < count; at += step) {
        if (has(&groups[at], rank)) {
            return at;
        }
    }
    return -1;
}

static unsigned char byte_of(int id, size_t at) {
    return (unsigned char)((at * 2654435761u >> 7) ^ (unsigned)(id * 131 + 17));
}

/* Whether the logical numbers are as they must be: the master, then the others in rising order. */
static int wrong_numbers(const MGEN_Multicast *group, const Group *asked, int id, int rank) {
    int wrong = group->id != id || group->size != asked->count ||
                group->ranks[0] != asked->ranks[0] || group->ranks[group->number] != rank;
    for (int number = 1; number < group->size; number++) {
        wrong |= !has(asked, group->ranks[number]);
        wrong |= number > 1 && group->ranks[number - 1] >= group->ranks[number];
    }
    return wrong;
}

static int deliver(const MGEN_Multicast *group, const char *algorithm, size_t bytes) {
    unsigned char *data = malloc(bytes + 1);
    for (size_t at = 0; at < bytes; at++) {
        data[at] = group->number == 0 ? byte_of(group->id, at) : 0xee;
    }
    if (strcmp(algorithm, "ring") == 0) {
        MGEN_Multicast_ring(group, data, bytes);
    } else {
        MGEN_Multicast_hybrid(group, atoi(algorithm), data, bytes);
    }
    int wrong = 0;
    for (size_t at = 0; at < bytes; at++) {
        wrong += data[at] != byte_of(group->id, at);
    }
    free(data);
    return wrong;
}

int MGEN_Main(int argc, char **argv) {
    static Group groups[MOST];
    int rank;
    int wrong = 0;
    MGEN_Comm world = MGEN_COMM_WORLD;
    MGEN_Comm_rank(world, &rank);
    size_t bytes = (size_t)atol(argv[1]);
    int count = read_groups(argv[2], groups);
    int timed = argc > 3 && strcmp(argv[3], "timed") == 0;
    int unread = argc > 3 && strcmp(argv[3], "unread") == 0;
    for (int id = 0; id < count; id++) {
        Group *asked = &groups[id];
        /* The master waits until members of earlier groups have said that they are free. */
        int is_master = asked->count > 0 && asked->ranks[0] == rank;
        for (int i = 1; is_master && i < asked->count; i++) {
            if (next_with(groups, count, id, -1, asked->ranks[i]) >= 0 && !unread) {
                MGEN_Recv(NULL, 0, MGEN_BYTE, asked->ranks[i], FREE_TAG, world, MGEN_STATUS_IGNORE);
            }
        }
        if (is_master || (has(asked, rank) && !(unread && id == count - 1))) {
            MGEN_Multicast group =
                is_master ? MGEN_Multicast_begin(world, TAG, id, asked->ranks, asked->count)
                          : MGEN_Multicast_join(world, TAG);
            wrong += wrong_numbers(&group, asked, id, rank);
            group.exchange_s = argc > 4 ? atof(argv[4]) : 0;
            if (timed) {
                MGEN_Barrier(world);
            }
            double start_s = MGEN_Wtime();
            wrong += unread && id == count - 1 ? 0 : deliver(&group, asked->algorithm, bytes);
            if (id == count - 1) {
                MGEN_Sample("data_time_s", MGEN_Wtime() - start_s);
            }
            MGEN_Multicast_end(&group);
            int next = next_with(groups, count, id, 1, rank);
            if (next >= 0 && groups[next].ranks[0] != rank && !unread) {
                MGEN_Send(NULL, 0, MGEN_BYTE, groups[next].ranks[0], FREE_TAG, world);
            }
        }
    }
    MGEN_Multicast_finish(world, TAG);
    if (wrong) {
        fprintf(stderr, "rank %d: %d wrong bytes or numbers\n", rank, wrong);
    }
    return wrong ? 3 : 0;
}
