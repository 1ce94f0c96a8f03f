/* Numbers among the arguments of a program: see arguments.h. */
#include "arguments.h"
#include "collective.h"
#include <ctype.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int mgen_whole_number(const char *text, size_t length, uint64_t most, uint64_t *number) {
    uint64_t value = 0;
    for (size_t i = 0; i < length; i++) {
        if (!isdigit((unsigned char)text[i])) {
            return 0;
        }
        uint64_t digit = (uint64_t)(text[i] - '0');
        if (value > (most - digit) / 10) {
            return 0;
        }
        value = value * 10 + digit;
    }
    *number = value;
    return length > 0;
}

static int is_missing(const MGEN_Arguments *given, int place) {
    return place >= given->count;
}

static void refuse(MGEN_Arguments *given, int place, const char *what, const char *allowed) {
    int rank = 0;
    MGEN_Comm_rank(MGEN_COMM_WORLD, &rank);
    if (rank == 0 && is_missing(given, place)) {
        fprintf(stderr, "argument %d (%s) is missing; allowed: %s\n", place, what, allowed);
    } else if (rank == 0) {
        fprintf(stderr, "argument %d (%s) is '%s'; allowed: %s\n", place, what, given->words[place],
                allowed);
    }
    given->wrong++;
}

/* Whether argv[place] is a whole number up to `most`. */
static int is_whole(const MGEN_Arguments *given, int place, uint64_t most, uint64_t *number) {
    const char *text = is_missing(given, place) ? "" : given->words[place];
    return mgen_whole_number(text, strlen(text), most, number);
}

int MGEN_Argument_int(MGEN_Arguments *given, int place, const char *what, int least, int missing) {
    if (is_missing(given, place) && missing >= least) {
        return missing;
    }
    uint64_t number = 0;
    if (!is_whole(given, place, INT_MAX, &number) || (int)number < least) {
        char allowed[64];
        snprintf(allowed, sizeof allowed, "a whole number from %d to %d", least, INT_MAX);
        refuse(given, place, what, allowed);
        return missing;
    }
    return (int)number;
}

uint64_t MGEN_Argument_seed(MGEN_Arguments *given, int place, uint64_t missing) {
    uint64_t number = missing;
    if (!is_missing(given, place) && !is_whole(given, place, UINT64_MAX, &number)) {
        refuse(given, place, "seed", "a whole number from 0 to 18446744073709551615");
    }
    return number;
}

double MGEN_Argument_seconds(MGEN_Arguments *given, int place, const char *what, double missing) {
    if (is_missing(given, place) && missing >= 0) {
        return missing;
    }
    const char *text = is_missing(given, place) ? "" : given->words[place];
    char *end = NULL;
    double number = strtod(text, &end);
    if (end == text || *end != '\0' || !isfinite(number) || number < 0) {
        refuse(given, place, what, "seconds of at least 0, such as 2.5e-6");
        return missing;
    }
    return number;
}
