/* Rank 0 sets up a group by a bitmap, without any communicator, and sends a message to its members.
 * Then it changes the group. Ranks outside the group compute.
 *
 * Source: R. Yamada, S. Fukuma, S. Mori, "An Implementation of Dynamic Multicast Function under MPI
 * Environment and its Parameter Optimization", 2020.
 * Arguments:
 *   message size in bytes
 *   ring, or the d of the algorithm hybrid d, or all for d = members; or the path of a file
 *   with rules by size and members, which has a / in it
 *   members, rank 0 among them; 0 for all ranks (0)
 *   groups, one after another (1)
 *   seconds from one group to the next, in which all ranks compute (0)
 *   seed of the members, drawn anew for each group (1)
 *   seconds that an exchange costs more than a message one way (0)
 *   bytes of each message by which the other ranks disturb the group (0), and how many each of them
 *   sends to others, one after another (0)
 * Metrics: setup_time_s, from the start until the last member has the bitmap; multicast_time_s,
 *   from the start until the last one has all of the message too. Means over the groups. */
#include "arguments.h"
#include "multicast.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TAG = 0, OTHER_TAG = 2 };

typedef struct {
    int bytes;
    const char *algorithm;
    const char *rules; /* NULL if the algorithm is always the same */
    int d;             /* of hybrid d; 0 for a ring */
    int members;
    int groups;
    double pause_s;
    unsigned long seed;
    double exchange_s;
    int other_bytes;
    int other_messages;
} Plan;

static unsigned long drawn(unsigned long *state) {
    *state = (*state * 6364136223846793005UL + 1442695040888963407UL) & 0xffffffffffffffffUL;
    return *state >> 33;
}

/* Rank 0 and `count` - 1 others: all ranks draw the same ones. */
static int choose(int *ranks, int size, int count, unsigned long *state) {
    for (int i = 0; i < size; i++) {
        ranks[i] = i;
    }
    for (int i = 1; i < count && count < size; i++) {
        int other = i + (int)(drawn(state) % (unsigned long)(size - i));
        int kept = ranks[i];
        ranks[i] = ranks[other];
        ranks[other] = kept;
    }
    return count;
}

static int contains(const int *ranks, int count, int rank) {
    for (int i = 0; i < count; i++) {
        if (ranks[i] == rank) {
            return 1;
        }
    }
    return 0;
}

/* The d of hybrid d; 0 where the algorithm is another one. */
static int d_of(MGEN_Arguments *given, int place, const Plan *plan) {
    if (strcmp(plan->algorithm, "all") == 0) {
        return plan->members;
    }
    if (strcmp(plan->algorithm, "ring") == 0 || strchr(plan->algorithm, '/') != NULL) {
        return 0;
    }
    return MGEN_Argument_int(given, place, "d, if it is not ring, all or the path of rules", 1, 0);
}

/* The times of one group at this member, added up. */
static void take_part(const Plan *plan, int id, const int *ranks, int count, double *sums_s) {
    int rank;
    MGEN_Comm_rank(MGEN_COMM_WORLD, &rank);
    double start_s = MGEN_Wtime();
    MGEN_Multicast group = rank == 0 ? MGEN_Multicast_begin(MGEN_COMM_WORLD, TAG, id, ranks, count)
                                     : MGEN_Multicast_join(MGEN_COMM_WORLD, TAG);
    sums_s[0] += MGEN_Wtime() - start_s;
    group.exchange_s = plan->exchange_s;
    if (plan->rules != NULL) {
        MGEN_Multicast_by_rules(&group, plan->rules, NULL, (size_t)plan->bytes);
    } else if (plan->d == 0) {
        MGEN_Multicast_ring(&group, NULL, (size_t)plan->bytes);
    } else {
        MGEN_Multicast_hybrid(&group, plan->d, NULL, (size_t)plan->bytes);
    }
    sums_s[1] += MGEN_Wtime() - start_s;
    MGEN_Multicast_end(&group);
}

/* Ranks outside the group exchange messages among themselves, each time over another distance. */
static void disturb(const Plan *plan, const int *ranks, int count, unsigned long state) {
    int rank;
    int size;
    MGEN_Comm_rank(MGEN_COMM_WORLD, &rank);
    MGEN_Comm_size(MGEN_COMM_WORLD, &size);
    /* Behind the members stand all others, and `state` is the same at all ranks. */
    int others = size - count;
    int own = count;
    while (own < size && ranks[own] != rank) {
        own++;
    }
    for (int i = 0; i < plan->other_messages && others > 1; i++) {
        int distance = 1 + (int)(drawn(&state) % (unsigned long)(others - 1));
        int to = ranks[count + (own - count + distance) % others];
        int from = ranks[count + (own - count + others - distance) % others];
        MGEN_Sendrecv(NULL, plan->other_bytes, MGEN_BYTE, to, OTHER_TAG, NULL, plan->other_bytes,
                      MGEN_BYTE, from, OTHER_TAG, MGEN_COMM_WORLD, MGEN_STATUS_IGNORE);
    }
}

int MGEN_Main(int argc, char **argv) {
    int rank;
    int size;
    double sums_s[2] = {0, 0};
    MGEN_Comm_rank(MGEN_COMM_WORLD, &rank);
    MGEN_Comm_size(MGEN_COMM_WORLD, &size);
    MGEN_Arguments given = {argc, argv, 0};
    Plan plan = {
        .bytes = MGEN_Argument_int(&given, 1, "message size in bytes", 0, -1),
        .algorithm = argc > 2 ? argv[2] : "",
        .members = MGEN_Argument_int(&given, 3, "members", 0, 0),
        .groups = MGEN_Argument_int(&given, 4, "groups", 1, 1),
        .pause_s = MGEN_Argument_seconds(&given, 5, "seconds from one group to the next", 0),
        .seed = MGEN_Argument_seed(&given, 6, 1),
        .exchange_s = MGEN_Argument_seconds(&given, 7, "seconds that an exchange costs more", 0),
        .other_bytes = MGEN_Argument_int(&given, 8, "bytes of the other ranks' messages", 0, 0),
        .other_messages = MGEN_Argument_int(&given, 9, "messages of each other rank", 0, 0)};
    plan.members = plan.members == 0 ? size : plan.members;
    plan.d = d_of(&given, 2, &plan);
    if (given.wrong > 0) {
        return 2;
    }
    if (plan.members > size) {
        if (rank == 0) {
            fprintf(stderr, "group_multicast has 1 to %d members, not %d\n", size, plan.members);
        }
        return 2;
    }
    char *rules = NULL;
    if (strchr(plan.algorithm, '/') != NULL) {
        rules = MGEN_Multicast_read_rules(plan.algorithm);
    }
    plan.rules = rules;
    int *ranks = malloc((size_t)size * sizeof *ranks);
    unsigned long state = plan.seed;
    for (int id = 0; id < plan.groups; id++) {
        int count = choose(ranks, size, plan.members, &state);
        if (id > 0) {
            MGEN_Comp(plan.pause_s);
            MGEN_Barrier(MGEN_COMM_WORLD);
        }
        if (contains(ranks, count, rank)) {
            take_part(&plan, id, ranks, count, sums_s);
        } else {
            disturb(&plan, ranks, count, state);
        }
    }
    free(ranks);
    free(rules);
    MGEN_Sample("setup_time_s", sums_s[0] / plan.groups);
    MGEN_Sample("multicast_time_s", sums_s[1] / plan.groups);
    return 0;
}
