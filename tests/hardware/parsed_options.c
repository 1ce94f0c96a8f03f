/* Prints what the runners read in each line of the input, whose words are behind unit separators.
 */
#include "options.h"
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORDS_MAX = 64, LINE_MAX_BYTES = 65536 };

static void print(const struct options *options) {
    int count = 0;
    int size = options->size_count > 0 ? options->sizes[0] : -1;
    char **words = weft_options_words(options, "program", size, &count);
    printf("%d %d %d %g", options->repetitions, options->min_repetitions, options->warmup,
           options->budget_s);
    for (int i = 0; i < options->size_count; i++) {
        printf(",%d", options->sizes[i]);
    }
    printf(" %d\n", count);
    weft_options_free_words(words);
}

int main(void) {
    static char line[LINE_MAX_BYTES];
    while (fgets(line, sizeof line, stdin) != NULL) {
        char *argv[WORDS_MAX + 1] = {"runner"};
        int argc = 1;
        struct options options;
        char error[256];
        line[strcspn(line, "\n")] = '\0';
        for (char *rest = strchr(line, '\x1f'); rest != NULL && argc < WORDS_MAX;
             rest = strchr(rest, '\x1f')) {
            *rest++ = '\0';
            argv[argc++] = rest;
        }
        optind = 0;
        if (weft_options_parse(argc, argv, &options, error, sizeof error) == 0) {
            print(&options);
        } else {
            printf("%s\n", error);
        }
        free(options.sizes);
    }
    return 0;
}
