/* The bytes of unequal blocks, as a trace has them in `more`. */
#ifndef WEFT_TRACE_BLOCKS_H
#define WEFT_TRACE_BLOCKS_H

#include "kept.h"
#include "trace.h"
#include <stdlib.h>

/* Blocks of one type, or each of its own. Without counts all are of one size. */
struct blocks {
    const COUNT *counts;
    COUNT each;
    MPI_Datatype type;
    const MPI_Datatype *types;
    int count;
};

/* The event with the numbers that it has, and the bytes of all blocks behind them. Its `more` is
 * memory to free. */
static inline struct event with_blocks(struct event event, struct blocks first,
                                       struct blocks second) {
    const struct blocks lists[] = {first, second};
    size_t room = (size_t)event.more_count + (size_t)first.count + (size_t)second.count;
    int64_t *more = malloc((room + 1) * sizeof *more);
    int count = 0;
    for (int i = 0; i < event.more_count; i++) {
        more[count++] = event.more[i];
    }
    for (int list = 0; list < 2; list++) {
        const struct blocks *of = &lists[list];
        for (int i = 0; i < of->count; i++) {
            more[count++] = trace_bytes(of->counts != NULL ? of->counts[i] : of->each,
                                        of->types != NULL ? of->types[i] : of->type);
        }
    }
    event.more_count = count;
    event.more = more;
    return event;
}

/* A collective of unequal blocks that waits, one with a request, and a persistent one. */
#define OF_BLOCKS(name, later, own_call, later_call, start_call, parameters, arguments, row)       \
    int FOR_COUNT(MPI_##name)(parameters, MPI_Comm comm) {                                         \
        trace_enter();                                                                             \
        int code = FOR_COUNT(PMPI_##name)(arguments, comm);                                        \
        int call = own_call;                                                                       \
        struct event made = row;                                                                   \
        trace_leave(made);                                                                         \
        free((void *)made.more);                                                                   \
        return code;                                                                               \
    }                                                                                              \
    int FOR_COUNT(MPI_##later)(parameters, MPI_Comm comm, MPI_Request * request) {                 \
        trace_enter();                                                                             \
        int code = FOR_COUNT(PMPI_##later)(arguments, comm, request);                              \
        int call = later_call;                                                                     \
        struct event made = row;                                                                   \
        made.request = trace_request(*request);                                                    \
        trace_leave(made);                                                                         \
        free((void *)made.more);                                                                   \
        return code;                                                                               \
    }                                                                                              \
    KEPT(name, start_call, ALL(parameters), ALL(arguments), row, free((void *)made.more))

#endif
