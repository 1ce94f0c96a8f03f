/* Command line of the runners. */
#ifndef WEFT_OPTIONS_H
#define WEFT_OPTIONS_H

#include <stddef.h>

enum { ALGORITHMS_MAX = 16 };

/* Which threads of a rank may call MPI, as MPI's constants of the same names. */
enum thread_level { SINGLE, FUNNELED, SERIALIZED, MULTIPLE, THREAD_LEVELS };

extern const char *const weft_thread_levels[THREAD_LEVELS];

struct options {
    const char *output;        /* file that receives the samples */
    const char *program;       /* shared object of a plain MPI program; NULL for one of MGEN */
    const char *folder;        /* where the program runs; NULL for where the runner does */
    int repetitions;           /* samples per size, unless the budget is spent before */
    int min_repetitions;       /* samples per size, even if that overspends the budget */
    int warmup;                /* unrecorded repetitions per size */
    int rounds;                /* parts of the samples of a size; between two, other sizes come */
    int locate_jumps;          /* whether to measure more sizes where the time jumps */
    double budget_s;           /* time to spend per size */
    unsigned deadline_s;       /* the program ends itself after so many seconds; 0: it never does */
    int one_sided;             /* whether the program puts or gets */
    enum thread_level threads; /* with which MPI begins */
    int *sizes;                /* message sizes in bytes, in the order to measure */
    int size_count;            /* 0 if the program has no sizes */
    int largest;
    const char *algorithms[ALGORITHMS_MAX]; /* "<collective>=<algorithm>" */
    int algorithm_count;
    char **arguments; /* arguments of the program that is measured */
    int argument_count;
};

/* Fills `options` from the command line. Returns 0, or -1 with the reason in `error`. */
int weft_options_parse(int argc, char **argv, struct options *options, char *error,
                       size_t error_size);

/* The program's argv at one size: `name`, the size, then its arguments. An argument with
 * {message_bytes} holds the size in that place; then no separate size is passed. A negative size
 * means that there is none. The list ends with NULL; free it with weft_options_free_words. Returns
 * NULL if memory is missing. */
char **weft_options_words(const struct options *options, const char *name, int size, int *count);
void weft_options_free_words(char **words);

#endif
