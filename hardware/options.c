/* Command line of the measuring programs. */
#define _POSIX_C_SOURCE 200809L
#include "options.h"
#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>

enum { DEFAULT_REPETITIONS = 500, DEFAULT_MINIMUM = 10, DEFAULT_WARMUP = 20 };

static const struct option LONG_OPTIONS[] = {
    {"output", required_argument, NULL, 'o'},
    {"repetitions", required_argument, NULL, 'r'},
    {"min-repetitions", required_argument, NULL, 'm'},
    {"warmup", required_argument, NULL, 'w'},
    {"budget", required_argument, NULL, 'b'},
    {"deadline", required_argument, NULL, 'd'},
    {NULL, 0, NULL, 0},
};

/* Reads a whole number of at least `least` from `text`. Returns 0, or -1 if it is none. */
static int read_int(const char *text, int least, int *value) {
    char *end = NULL;
    errno = 0;
    long number = strtol(text, &end, 10);
    if (end == text || *end != '\0' || errno != 0 || number < least || number > INT_MAX) {
        return -1;
    }
    *value = (int)number;
    return 0;
}

static int read_seconds(const char *text, double *value) {
    char *end = NULL;
    double number = strtod(text, &end);
    if (end == text || *end != '\0' || !isfinite(number) || number < 0) {
        return -1;
    }
    *value = number;
    return 0;
}

static int read_option(int letter, const char *text, struct options *options) {
    int seconds = 0;
    switch (letter) {
    case 'o':
        options->output = text;
        return 0;
    case 'r':
        return read_int(text, 1, &options->repetitions);
    case 'm':
        return read_int(text, 1, &options->min_repetitions);
    case 'w':
        return read_int(text, 0, &options->warmup);
    case 'b':
        return read_seconds(text, &options->budget_s);
    case 'd':
        if (read_int(text, 0, &seconds) != 0) {
            return -1;
        }
        options->deadline_s = (unsigned)seconds;
        return 0;
    default:
        return -1;
    }
}

static int read_sizes(int count, char **texts, struct options *options, char *error,
                      size_t error_size) {
    options->sizes = calloc((size_t)count, sizeof *options->sizes);
    if (options->sizes == NULL) {
        snprintf(error, error_size, "no memory for %d sizes", count);
        return -1;
    }
    for (int i = 0; i < count; i++) {
        if (read_int(texts[i], 0, &options->sizes[i]) != 0) {
            snprintf(error, error_size, "'%s' is no message size from 0 to %d bytes", texts[i],
                     INT_MAX);
            return -1;
        }
        if (options->sizes[i] > options->largest) {
            options->largest = options->sizes[i];
        }
    }
    options->size_count = count;
    return 0;
}

int options_parse(int argc, char **argv, struct options *options, char *error, size_t error_size) {
    *options = (struct options){.repetitions = DEFAULT_REPETITIONS,
                                .min_repetitions = DEFAULT_MINIMUM,
                                .warmup = DEFAULT_WARMUP,
                                .budget_s = 1.0};
    opterr = 0;
    for (int letter; (letter = getopt_long(argc, argv, "", LONG_OPTIONS, NULL)) != -1;) {
        if (read_option(letter, optarg, options) != 0) {
            snprintf(error, error_size, "option '%s' is unknown or its value is wrong",
                     argv[letter == '?' ? optind - 1 : optind - 2]);
            return -1;
        }
    }
    if (options->output == NULL || optind == argc) {
        snprintf(error, error_size,
                 "usage: %s --output FILE [--repetitions N] [--min-repetitions N] [--warmup N] "
                 "[--budget SECONDS] [--deadline SECONDS] BYTES...",
                 argv[0]);
        return -1;
    }
    if (options->min_repetitions > options->repetitions) {
        options->min_repetitions = options->repetitions;
    }
    return read_sizes(argc - optind, argv + optind, options, error, error_size);
}
