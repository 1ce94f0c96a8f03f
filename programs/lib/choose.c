/* Which algorithm a collective uses. Rules have the form `conditions: algorithm; conditions:
 * algorithm; algorithm`. The first rule whose conditions all hold decides. Spaces separate
 * conditions:
 *
 * - `bytes<=N`: the bytes of a broadcast or reduction. Other collectives count the bytes of a
 *   block: what one rank contributes, gets, or sends to one other rank.
 * - `all_bytes<=N`: bytes times ranks.
 * - `ranks<=N`: the number of ranks.
 * - `power_of_two`: the number of ranks is a power of two.
 * - `elements<ranks`: there are fewer elements than ranks.
 * - `elements<power`: there are fewer elements than the largest power of two up to the number of
 *   ranks. */
#include "collective.h"
#include <string.h>

static const char *const NAMES[] = {"barrier", "bcast",   "reduce",    "allreduce",
                                    "gather",  "scatter", "allgather", "alltoall"};

struct sizes {
    size_t elements;
    size_t bytes;
    size_t ranks;
};

static int is_word(const char *text, size_t length, const char *word) {
    return strlen(word) == length && strncmp(text, word, length) == 0;
}

static int holds(const char *condition, size_t length, const struct sizes *sizes) {
    const struct {
        const char *name;
        size_t value;
    } bounded[] = {{"bytes<=", sizes->bytes},
                   {"all_bytes<=", sizes->bytes * sizes->ranks},
                   {"ranks<=", sizes->ranks}};
    size_t power = (size_t)mgen_collective_power((int)sizes->ranks);
    for (size_t i = 0; i < sizeof bounded / sizeof *bounded; i++) {
        size_t named = strlen(bounded[i].name);
        if (length > named && strncmp(condition, bounded[i].name, named) == 0) {
            uint64_t bound = 0;
            if (!mgen_whole_number(condition + named, length - named, UINT64_MAX, &bound)) {
                mgen_fail("a rule for its algorithm has a bound that is not a whole number");
            }
            return bounded[i].value <= bound;
        }
    }
    if (is_word(condition, length, "power_of_two")) {
        return sizes->ranks == power;
    }
    if (is_word(condition, length, "elements<ranks")) {
        return sizes->elements < sizes->ranks;
    }
    if (is_word(condition, length, "elements<power")) {
        return sizes->elements < power;
    }
    mgen_fail("a rule for its algorithm has an unknown condition");
    return 0;
}

/* Whether all conditions before the colon at `end` hold. */
static int all_hold(const char *at, const char *end, const struct sizes *sizes) {
    while (at < end) {
        size_t length = strcspn(at, " :");
        if (length > 0 && !holds(at, length, sizes)) {
            return 0;
        }
        at += length + 1;
    }
    return 1;
}

static struct choice named(const char *text, size_t length) {
    struct choice choice = {""};
    if (length >= sizeof choice.name) {
        mgen_fail("the name of its algorithm is too long");
    }
    memcpy(choice.name, text, length);
    return choice;
}

static struct choice first_that_holds(const char *rules, const struct sizes *sizes) {
    for (const char *at = rules; *at != '\0';) {
        const char *end = at + strcspn(at, ";");
        const char *colon = at + strcspn(at, ":;");
        const char *name = colon < end ? colon + 1 : at;
        if (colon == end || all_hold(at, colon, sizes)) {
            name += strspn(name, " ");
            return named(name, (size_t)(end - name));
        }
        at = *end == ';' ? end + 1 + strspn(end + 1, " ") : end;
    }
    mgen_fail("no rule for its algorithm holds for this size");
    return named("", 0);
}

struct choice mgen_collective_by_rules(const char *collective, const char *rules, size_t elements,
                                       size_t bytes, int ranks) {
    struct sizes sizes = {elements, bytes, (size_t)ranks};
    struct choice choice = first_that_holds(rules, &sizes);
    mgen_chosen(collective, choice.name, bytes, ranks);
    return choice;
}

/* One algorithm, whatever the size; a library's table has rules for some number of ranks. */
static int is_one(const char *option, const char *rules) {
    return rules == NULL && strcspn(option, ":;") == strlen(option);
}

int mgen_collective_is_fixed(enum collective which) {
    const char *option = mgen_algorithm(NAMES[which]);
    return is_one(option, mgen_collective_rules(option, which, 1));
}

struct choice mgen_collective_choice(const char *option, enum collective which, size_t elements,
                                     size_t bytes, MGEN_Comm comm) {
    int ranks = 1;
    MGEN_Comm_size(comm, &ranks);
    const char *rules = mgen_collective_rules(option, which, ranks);
    if (is_one(option, rules)) {
        return named(option, strlen(option));
    }
    return mgen_collective_by_rules(NAMES[which], rules == NULL ? option : rules, elements, bytes,
                                    ranks);
}

struct choice mgen_collective_choose(enum collective which, size_t elements, size_t bytes,
                                     MGEN_Comm comm) {
    return mgen_collective_choice(mgen_algorithm(NAMES[which]), which, elements, bytes, comm);
}
