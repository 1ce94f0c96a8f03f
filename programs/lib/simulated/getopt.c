/* Options of the command line, with the variables of each rank: ranks may read theirs by turns. As
 * in the GNU C library, words that are no options move behind those that are, unless the list of
 * letters begins with '+' or POSIXLY_CORRECT is set. */
#define _GNU_SOURCE
#include "of_a_rank.h"
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

OF_A_RANK char *optarg;
OF_A_RANK int optind = 1;
OF_A_RANK int opterr = 1;
OF_A_RANK int optopt = '?';

/* The rest of a word with several letters. */
static char *rest;
/* Words from `skipped` to `seen` are no options. */
static int skipped, seen;
static int is_begun;

struct given {
    int count;
    char **words;
    const char *letters;
    const struct option *names;
    int *index;
    int allows_one_dash;
    int is_silent;
    enum { MOVE, STOP, RETURN } others;
};

static void reverse(char **words, int from, int to) {
    for (to--; from < to; from++, to--) {
        char *word = words[from];
        words[from] = words[to];
        words[to] = word;
    }
}

/* Moves the words that are no options behind the options that were read since. */
static void move_skipped(char **words) {
    if (skipped < seen && seen < optind) {
        reverse(words, skipped, seen);
        reverse(words, seen, optind);
        reverse(words, skipped, optind);
    }
    skipped += optind - seen;
    seen = optind;
}

static int is_option(const char *word) {
    return word[0] == '-' && word[1] != '\0';
}

static void complain(const struct given *given, const char *what, const char *dashes,
                     const char *name, int length) {
    if (opterr && !given->is_silent) {
        fprintf(stderr, "%s: %s -- '%s%.*s'\n", given->words[0], what, dashes, length, name);
    }
}

/* What a missing argument returns. */
static int missing(const struct given *given) {
    return given->letters[0] == ':' ? ':' : '?';
}

static int next_argument(const struct given *given) {
    if (optind >= given->count) {
        return 0;
    }
    optarg = given->words[optind++];
    return 1;
}

static int read_letter(const struct given *given) {
    char letter = *rest++;
    const char *known = letter == ':' || letter == ';' ? NULL : strchr(given->letters, letter);
    if (*rest == '\0') {
        rest = NULL;
        optind++;
    }
    if (known == NULL) {
        complain(given, "invalid option", "", &letter, 1);
        optopt = letter;
        return '?';
    }
    if (known[1] != ':') {
        return letter;
    }
    if (rest != NULL) {
        optarg = rest;
        rest = NULL;
        optind++;
    } else if (known[2] != ':' && !next_argument(given)) {
        complain(given, "option requires an argument", "", &letter, 1);
        optopt = letter;
        return missing(given);
    }
    return letter;
}

/* The option of this name, or the only one that begins so; -1 if there is none, -2 if there are
 * several. */
static int find_name(const struct given *given, const char *name, size_t length) {
    int found = -1;
    for (int i = 0; given->names[i].name != NULL; i++) {
        const struct option *each = &given->names[i];
        if (strncmp(each->name, name, length) != 0) {
            continue;
        }
        if (strlen(each->name) == length) {
            return i;
        }
        const struct option *before = &given->names[found < 0 ? i : found];
        int same = before->has_arg == each->has_arg && before->flag == each->flag &&
                   before->val == each->val;
        found = found == -1 ? i : same ? found : -2;
    }
    return found;
}

static int read_name(const struct given *given, const char *dashes, char *name) {
    size_t length = strcspn(name, "=");
    int at = find_name(given, name, length);
    optind++;
    rest = NULL;
    if (at < 0) {
        const char *what = at == -1 ? "unrecognized option" : "ambiguous option";
        complain(given, what, dashes, name, (int)length);
        optopt = 0;
        return '?';
    }
    const struct option *found = &given->names[at];
    if (name[length] == '=' && found->has_arg == no_argument) {
        complain(given, "option does not allow an argument", dashes, name, (int)length);
        optopt = found->val;
        return '?';
    }
    if (name[length] == '=') {
        optarg = name + length + 1;
    } else if (found->has_arg == required_argument && !next_argument(given)) {
        complain(given, "option requires an argument", dashes, name, (int)length);
        optopt = found->val;
        return missing(given);
    }
    if (given->index != NULL) {
        *given->index = at;
    }
    if (found->flag == NULL) {
        return found->val;
    }
    *found->flag = found->val;
    return 0;
}

/* Goes to the next word that is an option. Returns 0 if there is none. */
static int next_word(const struct given *given) {
    if (given->others == MOVE) {
        move_skipped(given->words);
        while (optind < given->count && !is_option(given->words[optind])) {
            optind++;
        }
        seen = optind;
    }
    if (optind < given->count && strcmp(given->words[optind], "--") == 0) {
        optind++;
        if (given->others == MOVE) {
            move_skipped(given->words);
            optind = skipped;
        }
        return 0;
    }
    if (optind < given->count && (given->others == RETURN || is_option(given->words[optind]))) {
        return 1;
    }
    if (given->others == MOVE) {
        optind = skipped;
    }
    return 0;
}

static int begins_a_name(const struct given *given, const char *word) {
    if (given->names == NULL || !is_option(word)) {
        return 0;
    }
    if (word[1] == '-') {
        return 1;
    }
    int is_letter = strchr(given->letters, word[1]) != NULL;
    size_t length = strcspn(word + 1, "=");
    return given->allows_one_dash && (word[2] != '\0' || !is_letter) &&
           (find_name(given, word + 1, length) >= 0 || !is_letter);
}

static int next_option(struct given given) {
    if (optind == 0 || !is_begun) {
        optind = optind == 0 ? 1 : optind;
        skipped = seen = optind;
        rest = NULL;
        is_begun = 1;
    }
    given.others = getenv("POSIXLY_CORRECT") != NULL ? STOP : MOVE;
    if (given.letters[0] == '+' || given.letters[0] == '-') {
        given.others = given.letters[0] == '+' ? STOP : RETURN;
        given.letters++;
    }
    given.is_silent = given.letters[0] == ':';
    optarg = NULL;
    if (rest != NULL && *rest != '\0') {
        return read_letter(&given);
    }
    if (!next_word(&given)) {
        return -1;
    }
    char *word = given.words[optind];
    if (!is_option(word)) {
        optarg = word;
        optind++;
        return 1;
    }
    if (begins_a_name(&given, word)) {
        int dashes = word[1] == '-' ? 2 : 1;
        return read_name(&given, dashes == 2 ? "--" : "-", word + dashes);
    }
    rest = word + 1;
    return read_letter(&given);
}

OF_A_RANK int getopt(int count, char *const *words, const char *letters) {
    return next_option((struct given){.count = count, .words = (char **)words, .letters = letters});
}

OF_A_RANK int getopt_long(int count, char *const *words, const char *letters,
                          const struct option *names, int *index) {
    return next_option((struct given){count, (char **)words, letters, names, index, 0, 0, MOVE});
}

OF_A_RANK int getopt_long_only(int count, char *const *words, const char *letters,
                               const struct option *names, int *index) {
    return next_option((struct given){count, (char **)words, letters, names, index, 1, 0, MOVE});
}
