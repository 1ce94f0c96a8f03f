/* Memory for messages, from the begin of a cache line on. `malloc` of many C libraries gives two
 * buffers of a power of two such places that one begins 16 bytes behind the other within their
 * pages. Then some processors copy between them up to 25 times as slowly: their `rep movsb` takes
 * each write for one that the next read may need. */
#ifndef MGEN_BUFFERS_H
#define MGEN_BUFFERS_H

#include <stddef.h>
#include <stdlib.h>

enum { MGEN_CACHE_LINE = 64 };

/* At least `bytes` bytes, and one where `bytes` is 0; NULL if there are not so many. For `free`. In
 * a simulator they are zeros, which programs read where messages carry no data. Pages that nobody
 * touches take no memory. */
static inline void *MGEN_Buffer(size_t bytes) {
    size_t lines = bytes / MGEN_CACHE_LINE + 1;
#ifdef MGEN_OVER_MPI
    return aligned_alloc(MGEN_CACHE_LINE, lines * MGEN_CACHE_LINE);
#else
    return calloc(lines, MGEN_CACHE_LINE);
#endif
}

#endif
