/* Where the time of a program jumps between two message sizes. */
#ifndef WEFT_JUMPS_H
#define WEFT_JUMPS_H

/* A message size with its time; a time of 0 or less is unknown. */
struct timed {
    int bytes;
    double time_s;
};

/* Sorts `sizes` and adds to the `found` sizes of `between` one for each pair of neighbours between
 * which the time jumps, unless it is there, up to `most` in all: their geometric mean. A jump
 * within 1 % of its size is located, and gets none. Returns how many there are. */
int weft_jumps_between(struct timed *sizes, int count, int *between, int found, int most);

#endif
