/* The loops of sampled.h. Only programs that have such loops get their state. */
#include "sampled.h"
#include "mgen_host.h"

#define WITHIN __attribute__((visibility("hidden")))

static int skips;

WITHIN int mgen_pass(const char *where, long passes, int goes_on) {
    skips = mgen_functions()->pass(where, passes, goes_on);
    return goes_on;
}

WITHIN int mgen_skips(void) {
    return skips;
}
