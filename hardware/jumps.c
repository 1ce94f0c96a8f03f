/* Where the time of a program jumps between two message sizes. */
#include "jumps.h"
#include <math.h>
#include <stdlib.h>

/* A jump is a change by at least this share that no straight line explains. */
static const double LEAST_JUMP = 0.25;
/* A smaller rise may be a step of the clock. */
static const double LEAST_RISE_S = 1e-7;
/* A jump is located where its two sizes are so near to each other. */
static const double NEAR = 0.01;

static int by_bytes(const void *left, const void *right) {
    const struct timed *a = left;
    const struct timed *b = right;
    return (a->bytes > b->bytes) - (a->bytes < b->bytes);
}

/* What the line through two neighbours says of `bytes`. */
static double extended(const struct timed *left, const struct timed *right, int bytes) {
    double slope = (right->time_s - left->time_s) / (right->bytes - left->bytes);
    return left->time_s + (slope > 0 ? slope : 0) * (bytes - left->bytes);
}

/* Whether the time rises from `at` to the next size by more than the lines on both sides of the
 * two say, or falls, which no line of times does. Without a third size on a side, the line there
 * begins at no time for no bytes: no message of such a size takes longer. */
static int is_jump(const struct timed *sizes, int count, int at) {
    static const struct timed nothing = {0, 0.0};
    const struct timed *low = &sizes[at];
    const struct timed *high = &sizes[at + 1];
    if (fabs(high->time_s - low->time_s) < LEAST_RISE_S) {
        return 0;
    }
    if (low->time_s > (1 + LEAST_JUMP) * high->time_s) {
        return 1;
    }
    const struct timed *before = at > 0 ? low - 1 : &nothing;
    double risen = low->bytes > before->bytes ? extended(before, low, high->bytes) : low->time_s;
    if (high->time_s <= (1 + LEAST_JUMP) * risen) {
        return 0;
    }
    const struct timed *after = at + 2 < count ? high + 1 : NULL;
    return after == NULL || extended(high, after, low->bytes) > (1 + LEAST_JUMP) * low->time_s;
}

static int is_among(const int *sizes, int count, int bytes) {
    int at = 0;
    while (at < count && sizes[at] != bytes) {
        at++;
    }
    return at < count;
}

int weft_jumps_between(struct timed *sizes, int count, int *between, int found, int most) {
    qsort(sizes, (size_t)count, sizeof *sizes, by_bytes);
    for (int at = 0; at + 1 < count && found < most; at++) {
        int low = sizes[at].bytes;
        int high = sizes[at + 1].bytes;
        int middle = low > 0 ? (int)lround(sqrt((double)low * high)) : high / 2;
        int is_known = sizes[at].time_s > 0 && sizes[at + 1].time_s > 0;
        int is_open = is_known && middle > low && high - low > NEAR * low;
        if (is_open && is_jump(sizes, count, at) && !is_among(between, found, middle)) {
            between[found++] = middle;
        }
    }
    return found;
}
