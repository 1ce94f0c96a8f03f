/* Numbers among the arguments of a program. What is no number, or too small or too large, is
 * refused: rank 0 writes which argument it is, what stands there and what is allowed. The program
 * reads all of its arguments and then ends if one of them is wrong:
 *
 *     MGEN_Arguments given = {argc, argv, 0};
 *     int bytes = MGEN_Argument_int(&given, 1, "message size in bytes", 0, -1);
 *     if (given.wrong > 0) {
 *         return 2;
 *     }
 *
 * A program that takes only some message sizes or numbers of ranks defines which. weft reads these
 * numbers in its source, and refuses others before anything runs:
 *
 *     #define MGEN_SIZE_MULTIPLE 8
 *     #define MGEN_RANKS_LEAST 2
 *
 * There are LEAST, MOST and MULTIPLE of SIZE, in bytes, and of RANKS.
 */
#ifndef MGEN_ARGUMENTS_H
#define MGEN_ARGUMENTS_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    int count;    /* argc */
    char **words; /* argv */
    int wrong;    /* arguments refused so far */
} MGEN_Arguments;

/* argv[place], a whole number of at least `least`. `missing` is what it is where the program was
 * started without it; if that is below `least`, it may not be missing. `what` says in the message
 * which argument it is. */
int MGEN_Argument_int(MGEN_Arguments *given, int place, const char *what, int least, int missing);
/* The same for a seed, which has 64 bits. */
uint64_t MGEN_Argument_seed(MGEN_Arguments *given, int place, uint64_t missing);
/* The same for seconds, of at least 0. */
double MGEN_Argument_seconds(MGEN_Arguments *given, int place, const char *what, double missing);

#ifdef __cplusplus
}
#endif

#endif
