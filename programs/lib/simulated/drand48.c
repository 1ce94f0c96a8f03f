/* The numbers of drand48 and its relatives with a state of its own in every rank. */
#define _GNU_SOURCE
#include "of_a_rank.h"
#include <stdlib.h>
#include <string.h>

static struct drand48_data numbers;

OF_A_RANK double drand48(void) {
    double found = 0;
    drand48_r(&numbers, &found);
    return found;
}

OF_A_RANK double erand48(unsigned short own[3]) {
    double found = 0;
    erand48_r(own, &numbers, &found);
    return found;
}

OF_A_RANK long lrand48(void) {
    long found = 0;
    lrand48_r(&numbers, &found);
    return found;
}

OF_A_RANK long nrand48(unsigned short own[3]) {
    long found = 0;
    nrand48_r(own, &numbers, &found);
    return found;
}

OF_A_RANK long mrand48(void) {
    long found = 0;
    mrand48_r(&numbers, &found);
    return found;
}

OF_A_RANK long jrand48(unsigned short own[3]) {
    long found = 0;
    jrand48_r(own, &numbers, &found);
    return found;
}

OF_A_RANK void srand48(long seed) {
    srand48_r(seed, &numbers);
}

OF_A_RANK unsigned short *seed48(unsigned short seed[3]) {
    static unsigned short before[3];
    memcpy(before, numbers.__x, sizeof before);
    seed48_r(seed, &numbers);
    return before;
}

OF_A_RANK void lcong48(unsigned short parameters[7]) {
    lcong48_r(parameters, &numbers);
}
