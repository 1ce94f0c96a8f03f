/* The end of a rank: exit, and what was registered to run then. All ranks are one process, so exit
 * of the C library would end all of them. Static objects of C++ register their destructors here,
 * too. */
#define _GNU_SOURCE
#include "mgen_threads.h"
#include <dlfcn.h>
#include <stdlib.h>

/* Of simulated.c. */
_Noreturn void mgen_exit(int code);
void mgen_at_end(void (*run)(void));

struct handler {
    void (*function)(void *);
    void *argument;
};

static struct handler *handlers;
static size_t registered, held;

/* The last that was registered runs first; a handler may register others. */
static void run_handlers(void) {
    while (registered > 0) {
        struct handler last = handlers[--registered];
        last.function(last.argument);
    }
    free(handlers);
    handlers = NULL;
    held = 0;
}

OF_A_RANK int __cxa_atexit(void (*function)(void *), void *argument, void *object) {
    (void)object;
    if (registered == held) {
        size_t more = held == 0 ? 16 : 2 * held;
        struct handler *grown = realloc(handlers, more * sizeof *grown);
        if (grown == NULL) {
            return -1;
        }
        handlers = grown;
        held = more;
    }
    handlers[registered++] = (struct handler){function, argument};
    mgen_at_end(run_handlers);
    return 0;
}

/* What ends with a thread that is not the first of its rank. */
struct of_thread {
    struct handler handler;
    struct of_thread *before;
};

static __thread struct of_thread *last_of_thread;

static void run_of_thread(void) {
    while (last_of_thread != NULL) {
        struct of_thread *last = last_of_thread;
        last_of_thread = last->before;
        last->handler.function(last->handler.argument);
        free(last);
    }
}

OF_A_RANK int __cxa_thread_atexit(void (*function)(void *), void *argument, void *object) {
    if (mgen_own_thread() == 1) {
        return __cxa_atexit(function, argument, object);
    }
    struct of_thread *made = malloc(sizeof *made);
    if (made == NULL) {
        return -1;
    }
    *made = (struct of_thread){{function, argument}, last_of_thread};
    last_of_thread = made;
    mgen_at_thread_end = run_of_thread;
    return 0;
}

static void without_argument(void *function) {
    void (*handler)(void);
    *(void **)&handler = function;
    handler();
}

OF_A_RANK int atexit(void (*function)(void)) {
    void *argument = *(void **)&function;
    return __cxa_atexit(without_argument, argument, NULL);
}

/* A program of MGEN ends by returning from MGEN_Main: the simulator reports its exit. */
extern int main(int, char **) __attribute__((weak));

OF_A_RANK _Noreturn void exit(int code) {
    if (main == NULL) {
        void (*of_the_library)(int);
        *(void **)&of_the_library = dlsym(RTLD_NEXT, "exit");
        of_the_library(code);
    }
    mgen_exit(code);
}
