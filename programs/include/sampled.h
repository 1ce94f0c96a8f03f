/* A loop of which a rank runs only the first `passes` passes where the option `compute: sampled`
 * says so. Each further pass takes the mean time of those, and its body does not run:
 *
 *     MGEN_SAMPLED_FOR (int i = 0, i < cells, i++, 100) {
 *         relax(i);
 *     }
 *
 * All executions of the loop by a rank count together. `begin` must hold no comma outside of
 * parentheses. The body must not call MPI, nor hold another such loop, nor leave this one by break,
 * return or goto; continue is allowed. Everywhere else this is a plain `for`. */
#ifndef MGEN_SAMPLED_H
#define MGEN_SAMPLED_H

#ifdef MGEN_OVER_MPI
#define MGEN_SAMPLED_FOR(begin, condition, step, passes) for (begin; condition; step)
#else

#ifdef __cplusplus
extern "C" {
#endif

/* The loop at `where` begins its next pass, or ends. Returns whether it goes on. */
int mgen_pass(const char *where, long passes, int goes_on);
/* Whether the body of the pass is left out. */
int mgen_skips(void);

#ifdef __cplusplus
}
#endif

#define MGEN_TEXT_OF(value) #value
#define MGEN_TEXT(value) MGEN_TEXT_OF(value)
#define MGEN_SAMPLED_FOR(begin, condition, step, passes)                                           \
    for (begin; mgen_pass(__FILE__ ":" MGEN_TEXT(__LINE__), passes, (condition) ? 1 : 0); step)    \
        if (mgen_skips()) {                                                                        \
        } else

#endif

#endif
