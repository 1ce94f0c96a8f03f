/* Command line of the runners. */
#define _GNU_SOURCE
#include "options.h"
#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEFAULT_REPETITIONS = 500, DEFAULT_MINIMUM = 10, DEFAULT_WARMUP = 20, DEFAULT_ROUNDS = 5 };

const char *const weft_thread_levels[THREAD_LEVELS] = {"single", "funneled", "serialized",
                                                       "multiple"};

static const struct option LONG_OPTIONS[] = {
    {"output", required_argument, NULL, 'o'},
    {"program", required_argument, NULL, 'p'},
    {"folder", required_argument, NULL, 'f'},
    {"repetitions", required_argument, NULL, 'r'},
    {"min-repetitions", required_argument, NULL, 'm'},
    {"warmup", required_argument, NULL, 'w'},
    {"rounds", required_argument, NULL, 'n'},
    {"locate-jumps", no_argument, NULL, 'j'},
    {"budget", required_argument, NULL, 'b'},
    {"deadline", required_argument, NULL, 'd'},
    {"sizes", required_argument, NULL, 's'},
    {"algorithm", required_argument, NULL, 'a'},
    {"one-sided", no_argument, NULL, '1'},
    {"threads", required_argument, NULL, 't'},
    {NULL, 0, NULL, 0},
};

/* Reads a whole number of at least `least` from `text`. Returns 0, or -1 if the text is wrong. */
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

static int read_level(const char *text, enum thread_level *level) {
    for (*level = SINGLE; *level < THREAD_LEVELS; ++*level) {
        if (strcmp(weft_thread_levels[*level], text) == 0) {
            return 0;
        }
    }
    return -1;
}

/* Reads sizes such as "8,64,1024". Writes the first wrong one to `wrong`. */
static int read_sizes(char *text, struct options *options, const char **wrong) {
    int count = 1;
    for (const char *at = text; *at != '\0'; at++) {
        count += *at == ',';
    }
    options->sizes = calloc((size_t)count, sizeof *options->sizes);
    char *rest = text;
    for (int i = 0; options->sizes != NULL && i < count; i++) {
        *wrong = strsep(&rest, ",");
        if (read_int(*wrong, 0, &options->sizes[i]) != 0) {
            return -1;
        }
        if (options->sizes[i] > options->largest) {
            options->largest = options->sizes[i];
        }
    }
    options->size_count = count;
    return options->sizes != NULL ? 0 : -1;
}

static int read_option(int letter, char *text, struct options *options) {
    int seconds = 0;
    switch (letter) {
    case 'o':
        options->output = text;
        return 0;
    case 'p':
        options->program = text;
        return 0;
    case 'f':
        options->folder = text;
        return 0;
    case 'r':
        return read_int(text, 1, &options->repetitions);
    case 'm':
        return read_int(text, 1, &options->min_repetitions);
    case 'w':
        return read_int(text, 0, &options->warmup);
    case 'n':
        return read_int(text, 1, &options->rounds);
    case 'j':
        options->locate_jumps = 1;
        return 0;
    case 'b':
        return read_seconds(text, &options->budget_s);
    case 'd':
        if (read_int(text, 0, &seconds) != 0) {
            return -1;
        }
        options->deadline_s = (unsigned)seconds;
        return 0;
    case 'a':
        if (options->algorithm_count == ALGORITHMS_MAX || strchr(text, '=') == NULL) {
            return -1;
        }
        options->algorithms[options->algorithm_count++] = text;
        return 0;
    case '1':
        options->one_sided = 1;
        return 0;
    case 't':
        return read_level(text, &options->threads);
    default:
        return -1;
    }
}

int weft_options_parse(int argc, char **argv, struct options *options, char *error,
                       size_t error_size) {
    const char *wrong = NULL;
    *options = (struct options){.repetitions = DEFAULT_REPETITIONS,
                                .min_repetitions = DEFAULT_MINIMUM,
                                .warmup = DEFAULT_WARMUP,
                                .rounds = DEFAULT_ROUNDS,
                                .threads = FUNNELED,
                                .budget_s = 1.0};
    opterr = 0;
    for (int letter; (letter = getopt_long(argc, argv, "+", LONG_OPTIONS, NULL)) != -1;) {
        if (letter == 's' && read_sizes(optarg, options, &wrong) != 0) {
            snprintf(error, error_size, "'%s' is not a message size from 0 to %d bytes", wrong,
                     INT_MAX);
            return -1;
        }
        if (letter != 's' && read_option(letter, optarg, options) != 0) {
            snprintf(error, error_size, "option '%s' is unknown or its value is wrong",
                     argv[letter == '?' ? optind - 1 : optind - 2]);
            return -1;
        }
    }
    if (options->output == NULL) {
        snprintf(error, error_size,
                 "usage: %s --output FILE [--sizes BYTES,...] [--repetitions N] "
                 "[--min-repetitions N] [--warmup N] [--rounds N] [--locate-jumps] "
                 "[--budget SECONDS] [--deadline SECONDS] [--one-sided] [--threads LEVEL] "
                 "[--algorithm COLLECTIVE=NAME] [ARGUMENT...]",
                 argv[0]);
        return -1;
    }
    if (options->min_repetitions > options->repetitions) {
        options->min_repetitions = options->repetitions;
    }
    options->arguments = argv + optind;
    options->argument_count = argc - optind;
    return 0;
}

static const char SIZE[] = "{message_bytes}";

/* `text` with every {message_bytes} replaced. */
static char *with_size(const char *text, int size) {
    char *made = NULL;
    size_t length = 0;
    FILE *stream = open_memstream(&made, &length);
    for (const char *found; stream != NULL && (found = strstr(text, SIZE)) != NULL;
         text = found + sizeof SIZE - 1) {
        fprintf(stream, "%.*s%d", (int)(found - text), text, size);
    }
    if (stream != NULL) {
        fputs(text, stream);
        fclose(stream);
    }
    return made;
}

char **weft_options_words(const struct options *options, const char *name, int size, int *count) {
    int is_named = 0;
    for (int i = 0; i < options->argument_count; i++) {
        is_named |= strstr(options->arguments[i], SIZE) != NULL;
    }
    char **words = calloc((size_t)options->argument_count + 3, sizeof *words);
    if (words == NULL) {
        return NULL;
    }
    *count = 0;
    words[(*count)++] = strdup(name);
    if (size >= 0 && !is_named) {
        words[(*count)++] = with_size(SIZE, size);
    }
    for (int i = 0; i < options->argument_count; i++) {
        words[(*count)++] = with_size(options->arguments[i], size);
    }
    return words;
}

void weft_options_free_words(char **words) {
    for (char **word = words; word != NULL && *word != NULL; word++) {
        free(*word);
    }
    free(words);
}
