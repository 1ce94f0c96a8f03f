#define _GNU_SOURCE
#include "words.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void take(struct words *words, const char *line, char *text) {
    if (strncmp(line, "times ", 6) == 0) {
        words->times = text;
    } else if (strncmp(line, "start ", 6) == 0) {
        words->start_s = strtod(text, NULL);
    } else if (strncmp(line, "algorithm ", 10) == 0 &&
               words->algorithm_count < WORD_ALGORITHMS_MAX) {
        words->algorithms[words->algorithm_count++] = text;
    } else if (strncmp(line, "argument ", 9) == 0 && words->argument_count < WORDS_MAX - 1) {
        words->arguments[words->argument_count++] = text;
    }
}

int weft_read_words(struct words *words, int argc, char **argv) {
    FILE *file = argc == 2 ? fopen(argv[1], "r") : NULL;
    if (file == NULL) {
        return 0;
    }
    size_t room = 0;
    for (char *line = NULL; getline(&line, &room, file) > 0; line = NULL, room = 0) {
        line[strcspn(line, "\n")] = '\0';
        char *text = strchr(line, ' ');
        take(words, line, text != NULL ? text + 1 : line + strlen(line));
    }
    fclose(file);
    return 1;
}

int weft_write_time(const struct words *words, const char *metric, double seconds) {
    FILE *file = fopen(words->times, "a");
    return file != NULL && fprintf(file, "%s %.17g\n", metric, seconds) > 0 && fclose(file) == 0;
}
