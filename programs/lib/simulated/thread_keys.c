/* What a thread keeps under a key. A rank is a thread here; all ranks run in one. */
#include "of_a_rank.h"
#include <errno.h>
#include <pthread.h>

enum { KEYS = 64 };

static const void *values[KEYS];
static unsigned keys;

/* The C library calls the destructor when a thread ends; what a rank keeps ends with the process.
 */
OF_A_RANK int pthread_key_create(pthread_key_t *key, void (*destructor)(void *)) {
    (void)destructor;
    if (keys == KEYS) {
        return EAGAIN;
    }
    *key = keys++;
    return 0;
}

OF_A_RANK int pthread_key_delete(pthread_key_t key) {
    return key < keys ? 0 : EINVAL;
}

OF_A_RANK void *pthread_getspecific(pthread_key_t key) {
    return key < KEYS ? (void *)values[key] : NULL;
}

OF_A_RANK int pthread_setspecific(pthread_key_t key, const void *value) {
    if (key >= keys) {
        return EINVAL;
    }
    values[key] = value;
    return 0;
}
