/* Random numbers of the C library with a state of its own in every rank, and with the same numbers.
 */
#define _GNU_SOURCE
#include "of_a_rank.h"
#include <stdlib.h>
#include <string.h>

enum { STATE_BYTES = 128 };
static char state[STATE_BYTES];
static char *current;
static struct random_data numbers;

static struct random_data *begun(void) {
    if (current == NULL) {
        current = state;
        initstate_r(1, state, STATE_BYTES, &numbers);
    }
    return &numbers;
}

OF_A_RANK long random(void) {
    int found = 0;
    random_r(begun(), &found);
    return found;
}

OF_A_RANK void srandom(unsigned seed) {
    srandom_r(seed, begun());
}

OF_A_RANK char *initstate(unsigned seed, char *own, size_t bytes) {
    char *before = (begun(), current);
    if (initstate_r(seed, own, bytes, &numbers) != 0) {
        return NULL;
    }
    current = own;
    return before;
}

OF_A_RANK char *setstate(char *own) {
    char *before = (begun(), current);
    if (setstate_r(own, &numbers) != 0) {
        return NULL;
    }
    current = own;
    return before;
}

OF_A_RANK int rand(void) {
    return (int)random();
}

OF_A_RANK void srand(unsigned seed) {
    srandom(seed);
}
