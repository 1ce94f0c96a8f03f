/* Each recorded call looks at the clock twice. The counter of the processor takes a third of the
 * time that the clock of the system takes. */
#include "clock.h"
#include <stdio.h>
#include <string.h>

clockid_t clock_id = CLOCK_MONOTONIC;
static struct clock_span first;

/* The kernel keeps its own time by the counter only if that runs evenly and alike on all
 * processors. */
static int is_counter_trusted(void) {
    int is_trusted = 0;
#if defined(__x86_64__)
    char name[8] = "";
    FILE *file = fopen("/sys/devices/system/clocksource/clocksource0/current_clocksource", "r");
    if (file != NULL) {
        is_trusted = fgets(name, sizeof name, file) != NULL && strcmp(name, "tsc\n") == 0;
        fclose(file);
    }
#endif
    return is_trusted;
}

static int64_t nanoseconds_of(clockid_t id) {
    struct timespec time;
    clock_gettime(id, &time);
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

/* Both clocks at one time. A rank may lose its processor between two looks, so the nearest of some
 * counts. */
static struct clock_span look(void) {
    struct clock_span found = {0, 0};
    int64_t nearest = INT64_MAX;
    for (int i = 0; i < 16; i++) {
        int64_t before = clock_ticks();
        int64_t nanoseconds = nanoseconds_of(CLOCK_MONOTONIC);
        int64_t apart = clock_ticks() - before;
        if (apart < nearest) {
            nearest = apart;
            found = (struct clock_span){before + apart / 2, nanoseconds};
        }
    }
    return found;
}

void clock_choose(int of_processor) {
    if (of_processor) {
        clock_id = CLOCK_THREAD_CPUTIME_ID;
    } else if (is_counter_trusted()) {
        clock_id = CLOCK_COUNTER;
    }
    if (clock_id == CLOCK_COUNTER) {
        first = look();
    }
}

struct clock_span clock_span(void) {
    if (clock_id != CLOCK_COUNTER) {
        return (struct clock_span){1, 1};
    }
    struct clock_span last = look();
    return (struct clock_span){last.ticks - first.ticks, last.nanoseconds - first.nanoseconds};
}
