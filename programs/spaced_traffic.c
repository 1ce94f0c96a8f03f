/* Every node sends messages at intervals, to all others in turn or to random ones, and notes how
 * long the heads of messages take. The first half of the ranks send, the second half receive: with
 * rank r and rank r + half on one node (rank_to_node linear, ranks_per_node 2), no node waits for
 * its own other half. The delays need clocks that agree, as those of simulated ranks do.
 *
 * Source: M. Hirota, T. Yoshinaga, T. Baba, "Performance of Adaptive Router on the A-NET
 * Multicomputer", 1996: Figures 10 and 11.
 * Arguments: message size in bytes, at least 8; uniform or random; seconds between two messages of
 *   a node; messages of each node; seed (1). Nodes begin at random times within an interval.
 * Messages carry the time at which they were sent, so the option payload must be delivered.
 * Metrics: delay_mean_s and delay_max_s, from a send until the head is there. */
#include "arguments.h"
#include "mgen.h"
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A message holds a time. */
#define MGEN_SIZE_LEAST 8
#define MGEN_RANKS_LEAST 4
#define MGEN_RANKS_MULTIPLE 2

typedef struct {
    int bytes;
    int is_random;
    double interval_s;
    int messages;
    uint64_t seed;
    int nodes;
} Plan;

/* The finaliser of splitmix64 over seed, node and message: a number that each rank can find. */
static uint64_t drawn(const Plan *plan, int node, int message) {
    uint64_t z = (plan->seed << 40) + ((uint64_t)node << 20) + (uint64_t)message + 1;
    z *= UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

static int destination(const Plan *plan, int node, int message) {
    uint64_t others = (uint64_t)plan->nodes - 1;
    uint64_t step =
        plan->is_random ? drawn(plan, node, message) % others : (uint64_t)message % others;
    return (int)((uint64_t)node + 1 + step) % plan->nodes;
}

static void send_all(const Plan *plan, int node) {
    char *buffer = calloc((size_t)plan->bytes, 1);
    double share = (double)(drawn(plan, node, -1) >> 11) / (double)(UINT64_C(1) << 53);
    MGEN_Comp(share * plan->interval_s);
    for (int message = 0; message < plan->messages; message++) {
        double now = MGEN_Wtime();
        memcpy(buffer, &now, sizeof now);
        MGEN_Send(buffer, plan->bytes, MGEN_BYTE, plan->nodes + destination(plan, node, message), 0,
                  MGEN_COMM_WORLD);
        MGEN_Comp(plan->interval_s);
    }
    free(buffer);
}

/* The sum of the delays of all messages for a node; `count` and `longest_s` get the others. */
static double receive_all(const Plan *plan, int node, int *count, double *longest_s) {
    char *buffer = calloc((size_t)plan->bytes, 1);
    double sum_s = 0;
    *count = 0;
    for (int from = 0; from < plan->nodes; from++) {
        for (int message = 0; message < plan->messages; message++) {
            *count += from != node && destination(plan, from, message) == node;
        }
    }
    for (int number = 0; number < *count; number++) {
        MGEN_Request rest;
        MGEN_Recv_head(buffer, plan->bytes, MGEN_BYTE, MGEN_ANY_SOURCE, 0, MGEN_COMM_WORLD, &rest);
        double head = MGEN_Wtime();
        MGEN_Wait(&rest, MGEN_STATUS_IGNORE);
        double sent;
        memcpy(&sent, buffer, sizeof sent);
        sum_s += head - sent;
        *longest_s = head - sent > *longest_s ? head - sent : *longest_s;
    }
    free(buffer);
    return sum_s;
}

/* The messages that add up the results must not meet those that are measured: every rank waits for
 * this long since its start. */
static void wait_for_others(double start_s, const Plan *plan) {
    double left_s = start_s + (plan->messages + 1) * plan->interval_s + 1e-3 - MGEN_Wtime();
    MGEN_Comp(left_s > 0 ? left_s : 0);
}

int MGEN_Main(int argc, char **argv) {
    int rank;
    int size;
    MGEN_Comm_rank(MGEN_COMM_WORLD, &rank);
    MGEN_Comm_size(MGEN_COMM_WORLD, &size);
    MGEN_Arguments given = {argc, argv, 0};
    const char *order = argc > 2 ? argv[2] : "";
    Plan plan = {.bytes = MGEN_Argument_int(&given, 1, "message size in bytes", MGEN_SIZE_LEAST, 0),
                 .is_random = strcmp(order, "random") == 0,
                 .interval_s = MGEN_Argument_seconds(&given, 3, "seconds between two messages", -1),
                 .messages = MGEN_Argument_int(&given, 4, "messages of each node", 0, -1),
                 .seed = MGEN_Argument_seed(&given, 5, 1),
                 .nodes = size / 2};
    if (given.wrong > 0) {
        return 2;
    }
    if (size < MGEN_RANKS_LEAST || size % MGEN_RANKS_MULTIPLE != 0 ||
        (!plan.is_random && strcmp(order, "uniform") != 0)) {
        if (rank == 0) {
            fprintf(stderr, "spaced_traffic needs an even number of at least 4 ranks, and uniform "
                            "or random\n");
        }
        return 2;
    }
    double start_s = MGEN_Wtime();
    double mine[2] = {0, 0};
    double all[2];
    if (rank < plan.nodes) {
        send_all(&plan, rank);
    } else {
        int count = 0;
        double longest_s = 0;
        mine[0] = receive_all(&plan, rank - plan.nodes, &count, &longest_s);
        mine[1] = count;
        MGEN_Sample("delay_max_s", longest_s);
    }
    wait_for_others(start_s, &plan);
    MGEN_Reduce(mine, all, 2, MGEN_DOUBLE, MGEN_SUM, 0, MGEN_COMM_WORLD);
    if (rank == 0 && all[1] > 0) {
        MGEN_Sample("delay_mean_s", all[0] / all[1]);
    }
    return 0;
}
