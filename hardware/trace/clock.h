/* The clock of the recorder, in ticks of its own. */
#ifndef WEFT_TRACE_CLOCK_H
#define WEFT_TRACE_CLOCK_H

#include <stdint.h>
#include <time.h>
#if defined(__x86_64__)
#include <x86intrin.h>
#endif

/* The same time in both measures. */
struct clock_span {
    int64_t ticks;
    int64_t nanoseconds;
};

/* CLOCK_COUNTER where the counter of the processor is the clock. */
extern clockid_t clock_id;
enum { CLOCK_COUNTER = -1 };

/* The time of the processor, or that of the wall, by the counter that the kernel trusts, if any. */
void clock_choose(int of_processor);
/* Since the choice. */
struct clock_span clock_span(void);

static inline int64_t clock_ticks(void) {
#if defined(__x86_64__)
    if (clock_id == CLOCK_COUNTER) {
        return (int64_t)__rdtsc();
    }
#endif
    struct timespec time;
    clock_gettime(clock_id, &time);
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

#endif
