/* The call of the system by which atomics, latches, barriers and semaphores of C++20 wait for other
 * threads. The kernel would stop the whole simulator. */
#define _GNU_SOURCE
#include "mgen_threads.h"
#include <dlfcn.h>
#include <errno.h>
#include <linux/futex.h>
#include <stdarg.h>
#include <sys/syscall.h>
#include <unistd.h>

static long failed(int code) {
    errno = code;
    return -1;
}

/* A time of FUTEX_WAIT counts from now, that of FUTEX_WAIT_BITSET is one of a clock. */
static long futex(unsigned *place, int what, unsigned value, const struct timespec *time) {
    int command = what & FUTEX_CMD_MASK;
    clockid_t clock = what & FUTEX_CLOCK_REALTIME ? CLOCK_REALTIME : CLOCK_MONOTONIC;
    if (command == FUTEX_WAKE || command == FUTEX_WAKE_BITSET) {
        mgen_reach("std::atomic::notify");
        long woken = 0;
        while (woken < (int)value && mgen_wake_at(place, 1) != 0) {
            woken++;
        }
        return woken;
    }
    if ((command != FUTEX_WAIT || time != NULL) && command != FUTEX_WAIT_BITSET) {
        return failed(ENOSYS);
    }
    mgen_reach("std::atomic::wait");
    if (*(volatile unsigned *)place != value) {
        return failed(EAGAIN);
    }
    return mgen_wait_at("std::atomic::wait", place, clock, time) ? 0 : failed(ETIMEDOUT);
}

enum { ARGUMENTS = 6 };

OF_A_RANK long syscall(long number, ...) {
    long arguments[ARGUMENTS];
    va_list rest;
    va_start(rest, number);
    for (int i = 0; i < ARGUMENTS; i++) {
        arguments[i] = va_arg(rest, long);
    }
    va_end(rest);
    if (number == SYS_futex) {
        return futex((unsigned *)arguments[0], (int)arguments[1], (unsigned)arguments[2],
                     (const struct timespec *)arguments[3]);
    }
    long (*of_the_library)(long, ...);
    *(void **)&of_the_library = dlsym(RTLD_NEXT, "syscall");
    return of_the_library(number, arguments[0], arguments[1], arguments[2], arguments[3],
                          arguments[4], arguments[5]);
}
