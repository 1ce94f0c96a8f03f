/* What reductions by parts share: each rank sums a part of the elements. */
#ifndef MGEN_REDUCTION_H
#define MGEN_REDUCTION_H

#include "collective.h"

/* One reduction in progress. `sum` holds this rank's part of the result, `part` what it receives.
 */
struct reduction {
    struct group group;
    char *sum;
    char *part;
    int count;
    size_t size;
    MGEN_Datatype type;
    MGEN_Op op;
    int root; /* ranks are counted from here */
};

/* Where block `index` of `blocks` begins, in elements. */
int mgen_reduction_begin_of(const struct reduction *all, int blocks, int index);
/* From a rank to the rank relative to the root, and back. */
int mgen_reduction_relative(const struct reduction *all);
int mgen_reduction_real(const struct reduction *all, int relative);
void mgen_reduction_combine(const struct reduction *all, int first, int end);
/* Sends the elements [first, end) to `dest`, and receives the elements [from, until) from `source`:
 * into `part` if they are to be combined, else to their place. Ranks are relative
 * to the root. */
void mgen_reduction_exchange(const struct reduction *all, int first, int end, int dest, int from,
                             int until, int source, int is_combined);
/* Recursive halving among the first `power` ranks: rank r ends with the sum of block r. */
void mgen_reduction_halving(const struct reduction *all, int power);
/* Ranks from `power` on send their values to the rank `power` below, which adds them. Returns
 * whether this rank goes on. */
int mgen_reduction_fold(const struct reduction *all, int power);

#endif
