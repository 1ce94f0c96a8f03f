/* Processes that a program starts. A simulator denies them: the program goes on as it likes, and
 * the point says what was denied. */
#define _GNU_SOURCE
#include "of_a_rank.h"
#include <dlfcn.h>
#include <errno.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* Of simulated.c. */
void mgen_note(const char *what);

/* The function of the C library that one of these replaces. */
#define OF_THE_LIBRARY(name)                                                                       \
    __typeof__(&name) of_the_library;                                                              \
    *(void **)&of_the_library = dlsym(RTLD_NEXT, #name)

#define NO_PROCESS(call)                                                                           \
    "the program called " call                                                                     \
    ", which weft denies: a simulated program starts no process; leave "                           \
    "that out of the program, or measure it with hardware"

OF_A_RANK pid_t fork(void) {
    OF_THE_LIBRARY(fork);
    pid_t made = of_the_library();
    if (made < 0 && errno == EPERM) {
        mgen_note(NO_PROCESS("fork"));
    }
    return made;
}

OF_A_RANK int system(const char *command) {
    OF_THE_LIBRARY(system);
    errno = 0;
    int code = of_the_library(command);
    if (errno == EPERM) {
        mgen_note(NO_PROCESS("system"));
    }
    return code;
}

OF_A_RANK FILE *popen(const char *command, const char *mode) {
    OF_THE_LIBRARY(popen);
    FILE *made = of_the_library(command, mode);
    /* glibc says ENOMEM wherever no process starts. */
    if (made == NULL && (errno == ENOMEM || errno == EPERM)) {
        mgen_note(NO_PROCESS("popen"));
    }
    return made;
}

#define SPAWN(name)                                                                                \
    OF_A_RANK int name(pid_t *made, const char *path, const posix_spawn_file_actions_t *actions,   \
                       const posix_spawnattr_t *attributes, char *const arguments[],               \
                       char *const environment[]) {                                                \
        OF_THE_LIBRARY(name);                                                                      \
        int code = of_the_library(made, path, actions, attributes, arguments, environment);        \
        if (code == EPERM) {                                                                       \
            mgen_note(NO_PROCESS(#name));                                                          \
        }                                                                                          \
        return code;                                                                               \
    }

SPAWN(posix_spawn)
SPAWN(posix_spawnp)
