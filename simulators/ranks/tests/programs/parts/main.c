/* Several files: a macro from outside, a header of its own, and the state of the C library. */
#include "mgen.h"
#include "sum.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

int MGEN_Main(int argc, char **argv) {
    int rank = atoi(argv[argc - 1]), bad = 0;
    char text[] = "a b c";
    srand((unsigned)rank + 1);
    srand48(5);
    int first = rand(), next;
    double real = drand48();
    char *word = strtok(text, " ");
    errno = 7;
    MGEN_Comp(0);
    next = rand();
    srand((unsigned)rank + 1);
    bad += rand() != first || rand() != next;
    srand48(5);
    bad += drand48() != real;
    word = strtok(NULL, " ");
    bad += word == NULL || strcmp(word, "b") != 0;
    bad += errno != 7;
    errno = 9;
    return sum(FACTOR) + 100 * bad;
}
