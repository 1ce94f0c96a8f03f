/* Several ping-pongs at the same time. In each pair the first rank begins, the second one replies.
 *
 * Source: M. Hirota, T. Yoshinaga, T. Baba, "Performance of Adaptive Router on the A-NET
 * Multicomputer", 1996: Figures 3 and 4, 7 and 8, 9.
 * Arguments:
 *   message size in bytes
 *   pairs of ranks like 0-3,2-7, or reverse_flip: rank r with the last rank minus r
 *   seconds from the receipt of a message until its reply is sent
 *   whole: both sides wait for all of the message; count_stops_at_head: the first rank stops its
 *     clock when the head of the reply is there; reply_at_head: the second rank replies when the
 *     head is there, beside its own DMA
 *   round trips (1)
 *   seconds from the end of a round trip until the next one begins (0)
 *   number of the round trip that counts, from 1; 0 for all (0)
 * Metrics: round_trip_time_s, the mean of all pairs, if messages carry data;
 * round_trip_max_time_s, the slowest pair. */
#include "arguments.h"
#include "mgen.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef enum { WHOLE, COUNT_STOPS_AT_HEAD, REPLY_AT_HEAD } Reading;

typedef struct {
    int bytes;
    double turn_s;
    Reading reading;
    int rounds;
    double pause_s;
    int counted;
} Plan;

/* The other rank of this one's pair, or -1; `begins` says whether this one begins. Returns 0 if the
 * text is not a list of pairs of ranks. */
static int find_peer(const char *pairs, int rank, int size, int *peer, int *begins) {
    *peer = -1;
    if (strcmp(pairs, "reverse_flip") == 0) {
        *begins = rank < size / 2;
        *peer = size - 1 - rank == rank ? -1 : size - 1 - rank;
        return 1;
    }
    for (char *end = NULL;; pairs = end + 1) {
        long first = strtol(pairs, &end, 10);
        if (end == pairs || first < 0 || first >= size || *end != '-') {
            return 0;
        }
        pairs = end + 1;
        long second = strtol(pairs, &end, 10);
        if (end == pairs || second < 0 || second >= size || second == first) {
            return 0;
        }
        if (*peer < 0 && (rank == first || rank == second)) {
            *begins = rank == first;
            *peer = (int)(rank == first ? second : first);
        }
        if (*end == '\0') {
            return 1;
        }
        if (*end != ',') {
            return 0;
        }
    }
}

static int reading_of(const char *word, Reading *reading) {
    static const char *words[] = {"whole", "count_stops_at_head", "reply_at_head"};
    for (int i = 0; i < 3; i++) {
        if (strcmp(word, words[i]) == 0) {
            *reading = (Reading)i;
            return 1;
        }
    }
    return 0;
}

static double round_trip(int peer, const Plan *plan) {
    MGEN_Comm world = MGEN_COMM_WORLD;
    MGEN_Request rest;
    double start = MGEN_Wtime();
    MGEN_Send(NULL, plan->bytes, MGEN_BYTE, peer, 0, world);
    if (plan->reading != COUNT_STOPS_AT_HEAD) {
        MGEN_Recv(NULL, plan->bytes, MGEN_BYTE, peer, 0, world, MGEN_STATUS_IGNORE);
        return MGEN_Wtime() - start;
    }
    MGEN_Recv_head(NULL, plan->bytes, MGEN_BYTE, peer, 0, world, &rest);
    double time_s = MGEN_Wtime() - start;
    MGEN_Wait(&rest, MGEN_STATUS_IGNORE);
    return time_s;
}

static void reply(int peer, const Plan *plan) {
    MGEN_Comm world = MGEN_COMM_WORLD;
    MGEN_Request rest = MGEN_REQUEST_NULL;
    if (plan->reading == REPLY_AT_HEAD) {
        MGEN_Recv_head(NULL, plan->bytes, MGEN_BYTE, peer, 0, world, &rest);
    } else {
        MGEN_Recv(NULL, plan->bytes, MGEN_BYTE, peer, 0, world, MGEN_STATUS_IGNORE);
    }
    MGEN_Comp(plan->turn_s);
    MGEN_Send(NULL, plan->bytes, MGEN_BYTE, peer, 0, world);
    MGEN_Wait(&rest, MGEN_STATUS_IGNORE);
}

/* The messages that add up the results must not meet those that are measured: every rank waits for
 * this long since its start, which is longer than the round trips. */
static void wait_for_others(double start_s, const Plan *plan) {
    double until_s = plan->rounds * (plan->pause_s + plan->turn_s + 1e-3);
    double left_s = start_s + until_s - MGEN_Wtime();
    MGEN_Comp(left_s > 0 ? left_s : 0);
}

/* The mean of what the ranks that begin have measured. A rank counts as `whole` and one more if it
 * begins, so that the sum shows whether the values of every rank have arrived. */
static void report(double sum_s, int count, int rank, int size) {
    double whole = size + 1.0;
    double mine[2] = {count > 0 ? sum_s / count : 0, whole + (count > 0)};
    double all[2];
    MGEN_Reduce(mine, all, 2, MGEN_DOUBLE, MGEN_SUM, 0, MGEN_COMM_WORLD);
    double begun = all[1] - size * whole;
    if (rank == 0 && begun > 0) {
        MGEN_Sample("round_trip_time_s", all[0] / begun);
    }
    if (count > 0) {
        MGEN_Sample("round_trip_max_time_s", mine[0]);
    }
}

int MGEN_Main(int argc, char **argv) {
    int rank;
    int size;
    int begins = 0;
    Plan plan;
    MGEN_Comm_rank(MGEN_COMM_WORLD, &rank);
    MGEN_Comm_size(MGEN_COMM_WORLD, &size);
    if (argc < 5 || !reading_of(argv[4], &plan.reading)) {
        if (rank == 0) {
            fprintf(stderr, "pingpong_pairs needs a size, pairs, seconds and a word: whole, "
                            "count_stops_at_head or reply_at_head\n");
        }
        return 2;
    }
    MGEN_Arguments given = {argc, argv, 0};
    plan.bytes = MGEN_Argument_int(&given, 1, "message size in bytes", 0, -1);
    plan.turn_s = MGEN_Argument_seconds(&given, 3, "seconds until the reply", -1);
    plan.rounds = MGEN_Argument_int(&given, 5, "round trips", 1, 1);
    plan.pause_s = MGEN_Argument_seconds(&given, 6, "seconds until the next round trip", 0);
    plan.counted = MGEN_Argument_int(&given, 7, "round trip that counts", 0, 0);
    if (given.wrong > 0) {
        return 2;
    }
    int peer;
    if (!find_peer(argv[2], rank, size, &peer, &begins) || plan.counted > plan.rounds) {
        if (rank == 0) {
            fprintf(stderr,
                    "pingpong_pairs: '%s' are not pairs of ranks from 0 to %d, such as 0-3,2-7, or "
                    "there is no round trip %d of %d\n",
                    argv[2], size - 1, plan.counted, plan.rounds);
        }
        return 2;
    }
    double start_s = MGEN_Wtime();
    double sum_s = 0;
    int count = 0;
    for (int round = 1; peer >= 0 && round <= plan.rounds; round++) {
        if (!begins) {
            reply(peer, &plan);
            continue;
        }
        double time_s = round_trip(peer, &plan);
        MGEN_Comp(plan.pause_s);
        if (plan.counted == 0 || plan.counted == round) {
            sum_s += time_s;
            count++;
        }
    }
    wait_for_others(start_s, &plan);
    report(sum_s, count, rank, size);
    return 0;
}
