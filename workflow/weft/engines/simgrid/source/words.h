/* What a program in SMPI gets to read, from a file of lines, each a word and a text; and the times
 * that it leaves.
 *
 *   start SECONDS      when a program of MGEN begins
 *   times FILE         receives a line `METRIC SECONDS` for each time of each rank
 *   algorithm C=NAME   how the collective C works
 *   argument TEXT      of the program, its name first
 */
#ifndef WEFT_WORDS_H
#define WEFT_WORDS_H

enum { WORDS_MAX = 4096, WORD_ALGORITHMS_MAX = 64 };

struct words {
    double start_s;
    char *times;
    char *algorithms[WORD_ALGORITHMS_MAX];
    int algorithm_count;
    char *arguments[WORDS_MAX]; /* ends with NULL, like argv */
    int argument_count;
};

/* Reads the file that the only argument of `main` names; false if there is none. */
int weft_read_words(struct words *words, int argc, char **argv);

/* Appends a time; ranks are of one process, so that no line mixes with another. False if the file
 * cannot be written. */
int weft_write_time(const struct words *words, const char *metric, double seconds);

#endif
