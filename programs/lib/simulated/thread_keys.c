/* What a thread keeps under a key. All threads of all ranks are one thread of the process. */
#include "mgen_threads.h"
#include <errno.h>

/* The library calls destructors again as often if they keep something. */
enum { KEYS = 64, ROUNDS = 4 };

static __thread const void *values[KEYS];
static void (*destructors[KEYS])(void *);
static unsigned keys;

static void end_keys(void) {
    int has_ended = 0;
    for (int round = 0; round < ROUNDS && !has_ended; round++) {
        has_ended = 1;
        for (unsigned key = 0; key < keys; key++) {
            void *value = (void *)values[key];
            values[key] = NULL;
            if (value != NULL && destructors[key] != NULL) {
                destructors[key](value);
                has_ended = 0;
            }
        }
    }
}

OF_A_RANK int pthread_key_create(pthread_key_t *key, void (*destructor)(void *)) {
    if (keys == KEYS) {
        return EAGAIN;
    }
    destructors[keys] = destructor;
    *key = keys++;
    return 0;
}

OF_A_RANK int pthread_key_delete(pthread_key_t key) {
    if (key >= keys) {
        return EINVAL;
    }
    destructors[key] = NULL;
    return 0;
}

OF_A_RANK void *pthread_getspecific(pthread_key_t key) {
    return key < KEYS ? (void *)values[key] : NULL;
}

OF_A_RANK int pthread_setspecific(pthread_key_t key, const void *value) {
    if (key >= keys) {
        return EINVAL;
    }
    values[key] = value;
    mgen_at_end_of_keys = end_keys;
    return 0;
}
