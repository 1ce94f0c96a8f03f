/* strtok with a place of its own in every rank. */
#include "of_a_rank.h"
#include <string.h>

OF_A_RANK char *strtok(char *text, const char *separators) {
    static char *rest;
    return strtok_r(text, separators, &rest);
}
