/* Whether this process had a processor whenever it needed one. */
#include "processor.h"
#include <stdio.h>
#include <sys/resource.h>

long weft_processor_losses(void) {
    struct rusage usage;
    return getrusage(RUSAGE_SELF, &usage) == 0 ? usage.ru_nivcsw : 0;
}

/* Linux: nanoseconds on a processor, nanoseconds of waiting for one, and how often it got one. */
double weft_processor_waited_s(void) {
    double waited_ns = 0.0;
    FILE *file = fopen("/proc/self/schedstat", "r");
    if (file == NULL) {
        return 0.0;
    }
    if (fscanf(file, "%*s %lf", &waited_ns) != 1) {
        waited_ns = 0.0;
    }
    fclose(file);
    return 1e-9 * waited_ns;
}
