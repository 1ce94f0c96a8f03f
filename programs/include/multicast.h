/* Multicast to groups that change often, without any call about communicators.
 *
 * A master sets a group up by a bitmap: bit r is set if rank r of the communicator is a member. The
 * bitmap travels down a binomial tree. Whoever receives it derives from it the members, their
 * logical numbers and its own place in the tree, and passes it on. The master is number 0; the
 * other members follow in the order of their ranks.
 *
 * A rank that belongs to the next group calls MGEN_Multicast_join, which waits for the bitmap.
 * Other ranks take no part and may compute. Several groups may exist at the same time if no rank
 * but a master is in two of them: a rank is in one group until it has ended it, and a master puts
 * it into another one only then. The program sees to that.
 *
 * Source: R. Yamada, S. Fukuma, S. Mori, "An Implementation of Dynamic Multicast Function under MPI
 * Environment and its Parameter Optimization", 2020: sections 2 and 3. */
#ifndef MGEN_MULTICAST_H
#define MGEN_MULTICAST_H

#include "mgen.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A group, as one of its members knows it. */
typedef struct {
    MGEN_Comm comm;
    int tag;
    int id;     /* what the master calls the group */
    int size;   /* members */
    int number; /* of this member */
    int *ranks; /* in `comm`, of all members by their numbers */
    /* How much more an exchange costs than a message one way, for networks whose model does not
     * say so. MGEN_Multicast_hybrid computes for so long before each exchange; 0 unless set. */
    double exchange_s;
} MGEN_Multicast;

/* The master sets up the group `id` of `count` ranks of `comm`, itself among them. Messages have
 * the tags `tag` and `tag` + 1, which nothing else may use. */
MGEN_Multicast MGEN_Multicast_begin(MGEN_Comm comm, int tag, int id, const int *ranks, int count);
/* Another member waits for the bitmap. */
MGEN_Multicast MGEN_Multicast_join(MGEN_Comm comm, int tag);
/* The member leaves the group. No message is sent. */
void MGEN_Multicast_end(MGEN_Multicast *group);

/* All members call the same one. The master's `bytes` at `buffer` arrive at all others. If `buffer`
 * is NULL, the same messages are sent without data. */

/* The p pieces of the message go down a binomial tree; then each piece goes round a ring. */
void MGEN_Multicast_ring(const MGEN_Multicast *group, void *buffer, size_t bytes);
/* Scatters d pieces over the first d members, sends each piece down a binomial tree to every d-th
 * member, and lets every d consecutive members exchange their pieces by recursive doubling. d is a
 * power of two that divides p. With d = 1 it is a binomial tree; with d = p, a scatter and
 * recursive doubling. */
void MGEN_Multicast_hybrid(const MGEN_Multicast *group, int d, void *buffer, size_t bytes);
/* Why no hybrid of `d` exists for `members` members; NULL if it does. */
const char *MGEN_Multicast_refusal(int members, int d);

/* By a table, such as `snakemake tuning/<machine>.yaml` writes: `bytes<=8192 ranks<=8: 1; ring`.
 * The first rule whose conditions all hold decides; `ranks` are members. It names `ring` or a d;
 * where that does not divide the number of members, the largest power of two below it that does is
 * taken. The rules of a file are allocated. */
char *MGEN_Multicast_read_rules(const char *path);
void MGEN_Multicast_by_rules(const MGEN_Multicast *group, const char *rules, void *buffer,
                             size_t bytes);

/* All ranks of `comm` call it after their last group. If a message of a multicast was never
 * received, the run ends and names the ranks that should have received one. */
void MGEN_Multicast_finish(MGEN_Comm comm, int tag);

#ifdef __cplusplus
}
#endif

#endif
