/* Rank 1 does what the first argument says, after a call. */
#define _GNU_SOURCE
#include "mgen.h"

#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static volatile int sink;

static int deep(int depth) {
    volatile char frame[4096];
    frame[0] = (char)depth;
    return deep(depth + 1) + frame[0];
}

static void loop(void) {
    for (;;) {
        sink++;
    }
}

static void *in_a_thread(void *nothing) {
    (void)nothing;
    sink = MGEN_Wtime() > 1.0;
    return NULL;
}

/* A library finds these functions in the C library, and not those of the rank. */
static void begin_as_libraries_do(void) {
    pthread_t thread;
    __typeof__(&pthread_create) create;
    __typeof__(&pthread_join) join;
    *(void **)&create = dlsym(RTLD_NEXT, "pthread_create");
    *(void **)&join = dlsym(RTLD_NEXT, "pthread_join");
    create(&thread, NULL, in_a_thread, NULL);
    join(thread, NULL);
}

static void block_signals(void) {
    sigset_t all;
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, NULL);
}

static void take_memory(void) {
    for (;;) {
        char *memory = malloc(1 << 20);
        memset(memory, 1, 1 << 20);
        usleep(100);
    }
}

int MGEN_Main(int argc, char **argv) {
    const char *what = argc > 1 ? argv[1] : "";
    int rank;
    MGEN_Comm_rank(MGEN_COMM_WORLD, &rank);
    MGEN_Barrier(MGEN_COMM_WORLD);
    while (strcmp(what, "barriers") == 0) {
        MGEN_Barrier(MGEN_COMM_WORLD);
    }
    if (rank != 1) {
        return 0;
    }
    if (strcmp(what, "loop") == 0) {
        loop();
    } else if (strcmp(what, "clock") == 0) {
        while (MGEN_Wtime() >= 0.0) {
            sink++;
        }
    } else if (strcmp(what, "crash") == 0) {
        *(volatile int *)16 = 1;
    } else if (strcmp(what, "divide") == 0) {
        sink = 100 / sink;
    } else if (strcmp(what, "overflow") == 0) {
        sink = deep(0);
    } else if (strcmp(what, "abort") == 0) {
        abort();
    } else if (strcmp(what, "mgen_abort") == 0) {
        MGEN_Abort(MGEN_COMM_WORLD, 7);
    } else if (strcmp(what, "exit") == 0) {
        exit(0);
    } else if (strcmp(what, "_exit") == 0) {
        _exit(3);
    } else if (strcmp(what, "return") == 0) {
        return 5;
    } else if (strcmp(what, "nobody") == 0) {
        MGEN_Send(NULL, 8, MGEN_BYTE, 99, 0, MGEN_COMM_WORLD);
    } else if (strcmp(what, "thread") == 0) {
        begin_as_libraries_do();
    } else if (strcmp(what, "deadlock") == 0) {
        MGEN_Recv(NULL, 8, MGEN_BYTE, 0, 17, MGEN_COMM_WORLD, MGEN_STATUS_IGNORE);
    } else if (strcmp(what, "print") == 0) {
        for (int line = 0; line < 5000; line++) {
            printf("line %d of a long text\n", line);
        }
    } else if (strcmp(what, "flood") == 0) {
        for (;;) {
            puts("a line that is printed again and again and again");
        }
    } else if (strcmp(what, "sleep") == 0) {
        sleep(1000);
    } else if (strcmp(what, "block") == 0) {
        block_signals();
        sleep(1000);
    } else if (strcmp(what, "memory") == 0) {
        take_memory();
    } else if (strcmp(what, "fork") == 0) {
        if (fork() == 0) {
            sleep(1000);
            _exit(0);
        }
    } else if (strcmp(what, "read") == 0) {
        return getchar() == EOF ? 0 : 6;
    } else if (strcmp(what, "double_free") == 0) {
        char *memory = malloc(100);
        free(memory);
        sink = memory != NULL;
        free(memory);
    }
    return 0;
}
