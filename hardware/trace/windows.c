/* Windows, and one-sided calls. Of data and places in a window a trace has no more than the bytes.
 * An accumulation moves as many as a put. */
#include "counts.h"
#include "trace.h"
#include <stdlib.h>

static struct event of_window(int call, int window, int peer) {
    return (struct event){
        .call = call, .peer = trace_peer(peer), .element = 1, .request = -1, .file = window};
}

static void made(int call, MPI_Comm comm, MPI_Win window) {
    struct event event = of_window(call, trace_window_made(window), MPI_PROC_NULL);
    event.comm = trace_comm(comm);
    trace_leave(event);
}

int FOR_COUNT(MPI_Win_create)(void *base, MPI_Aint bytes, UNIT unit, MPI_Info info, MPI_Comm comm,
                              MPI_Win *window) {
    trace_enter();
    int code = FOR_COUNT(PMPI_Win_create)(base, bytes, unit, info, comm, window);
    made(CALL_Win_create, comm, *window);
    return code;
}

#define ALLOCATES(name, call)                                                                      \
    int FOR_COUNT(MPI_##name)(MPI_Aint bytes, UNIT unit, MPI_Info info, MPI_Comm comm, void *base, \
                              MPI_Win *window) {                                                   \
        trace_enter();                                                                             \
        int code = FOR_COUNT(PMPI_##name)(bytes, unit, info, comm, base, window);                  \
        made(call, comm, *window);                                                                 \
        return code;                                                                               \
    }

ALLOCATES(Win_allocate, CALL_Win_allocate_AS_Win_create)
ALLOCATES(Win_allocate_shared, CALL_Win_allocate_shared)

/* A window may be older than what is recorded: the runner of weft's programs makes one. */
static void one_sided(int call, const char *name, MPI_Count count, MPI_Datatype type, int rank,
                      MPI_Win window, MPI_Request *request) {
    struct event event = of_window(call, trace_window(window, name), rank);
    event.bytes = trace_bytes(count, type);
    event.element = trace_element(type);
    event.request = request != NULL ? trace_request(*request) : -1;
    trace_leave(event);
}

#define THERE MPI_Aint place, COUNT count, MPI_Datatype type
#define MOVES(name, later, own_call, later_call, parameters, arguments)                            \
    int FOR_COUNT(MPI_##name)(parameters, MPI_Win window) {                                        \
        trace_enter();                                                                             \
        int code = FOR_COUNT(PMPI_##name)(arguments, window);                                      \
        one_sided(own_call, "MPI_" #name, count, type, rank, window, NULL);                        \
        return code;                                                                               \
    }                                                                                              \
    int FOR_COUNT(MPI_##later)(parameters, MPI_Win window, MPI_Request * request) {                \
        trace_enter();                                                                             \
        int code = FOR_COUNT(PMPI_##later)(arguments, window, request);                            \
        one_sided(later_call, "MPI_" #later, count, type, rank, window, request);                  \
        return code;                                                                               \
    }
#define ALL(...) __VA_ARGS__

MOVES(Put, Rput, CALL_Put, CALL_Rput,
      ALL(const void *own, COUNT own_count, MPI_Datatype own_type, int rank, THERE),
      ALL(own, own_count, own_type, rank, place, count, type))
MOVES(Get, Rget, CALL_Get, CALL_Rget,
      ALL(void *own, COUNT own_count, MPI_Datatype own_type, int rank, THERE),
      ALL(own, own_count, own_type, rank, place, count, type))
MOVES(Accumulate, Raccumulate, CALL_Accumulate_AS_Put, CALL_Raccumulate_AS_Rput,
      ALL(const void *own, COUNT own_count, MPI_Datatype own_type, int rank, THERE, MPI_Op op),
      ALL(own, own_count, own_type, rank, place, count, type, op))

/* Data go there and others come back. */
static void exchanged(int call, const char *name, int64_t sent, int64_t bytes, int rank,
                      MPI_Win window, MPI_Request *request) {
    const int64_t more[] = {sent};
    struct event event = of_window(call, trace_window(window, name), rank);
    event.bytes = bytes;
    event.request = request != NULL ? trace_request(*request) : -1;
    event.more_count = 1;
    event.more = more;
    trace_leave(event);
}

#define BACK void *result, COUNT result_count, MPI_Datatype result_type

int FOR_COUNT(MPI_Get_accumulate)(const void *own, COUNT own_count, MPI_Datatype own_type, BACK,
                                  int rank, THERE, MPI_Op op, MPI_Win window) {
    trace_enter();
    int code = FOR_COUNT(PMPI_Get_accumulate)(own, own_count, own_type, result, result_count,
                                              result_type, rank, place, count, type, op, window);
    exchanged(CALL_Get_accumulate, "MPI_Get_accumulate",
              op == MPI_NO_OP ? 0 : trace_bytes(own_count, own_type), trace_bytes(count, type),
              rank, window, NULL);
    return code;
}

int FOR_COUNT(MPI_Rget_accumulate)(const void *own, COUNT own_count, MPI_Datatype own_type, BACK,
                                   int rank, THERE, MPI_Op op, MPI_Win window,
                                   MPI_Request *request) {
    trace_enter();
    int code =
        FOR_COUNT(PMPI_Rget_accumulate)(own, own_count, own_type, result, result_count, result_type,
                                        rank, place, count, type, op, window, request);
    exchanged(CALL_Rget_accumulate, "MPI_Rget_accumulate",
              op == MPI_NO_OP ? 0 : trace_bytes(own_count, own_type), trace_bytes(count, type),
              rank, window, request);
    return code;
}

#ifndef LARGE
int MPI_Fetch_and_op(const void *own, void *result, MPI_Datatype type, int rank, MPI_Aint place,
                     MPI_Op op, MPI_Win window) {
    trace_enter();
    int code = PMPI_Fetch_and_op(own, result, type, rank, place, op, window);
    exchanged(CALL_Fetch_and_op_AS_Get_accumulate, "MPI_Fetch_and_op",
              op == MPI_NO_OP ? 0 : trace_bytes(1, type), trace_bytes(1, type), rank, window, NULL);
    return code;
}

/* The new value goes there, and the one that it replaces. */
int MPI_Compare_and_swap(const void *own, const void *expected, void *result, MPI_Datatype type,
                         int rank, MPI_Aint place, MPI_Win window) {
    trace_enter();
    int code = PMPI_Compare_and_swap(own, expected, result, type, rank, place, window);
    exchanged(CALL_Compare_and_swap_AS_Get_accumulate, "MPI_Compare_and_swap", trace_bytes(2, type),
              trace_bytes(1, type), rank, window, NULL);
    return code;
}

int MPI_Win_create_dynamic(MPI_Info info, MPI_Comm comm, MPI_Win *window) {
    trace_enter();
    int code = PMPI_Win_create_dynamic(info, comm, window);
    made(CALL_Win_create_dynamic_AS_Win_create, comm, *window);
    return code;
}

int MPI_Win_free(MPI_Win *window) {
    trace_enter();
    struct event event =
        of_window(CALL_Win_free, trace_window(*window, "MPI_Win_free"), MPI_PROC_NULL);
    trace_window_freed(*window);
    int code = PMPI_Win_free(window);
    trace_leave(event);
    return code;
}

/* Ends and begins of what may be done, of all ranks or of one. */
#define EPOCH(name, rank, parameters, arguments)                                                   \
    int MPI_##name(parameters MPI_Win window) {                                                    \
        trace_enter();                                                                             \
        int code = PMPI_##name(arguments window);                                                  \
        trace_leave(of_window(CALL_##name, trace_window(window, "MPI_" #name), rank));             \
        return code;                                                                               \
    }
#define RANK int rank,

EPOCH(Win_fence, MPI_PROC_NULL, ALL(int assertion, ), ALL(assertion, ))
EPOCH(Win_complete, MPI_PROC_NULL, , )
EPOCH(Win_wait, MPI_PROC_NULL, , )
EPOCH(Win_lock_all, MPI_PROC_NULL, ALL(int assertion, ), ALL(assertion, ))
EPOCH(Win_unlock_all, MPI_PROC_NULL, , )
EPOCH(Win_flush_all, MPI_PROC_NULL, , )
EPOCH(Win_flush_local_all, MPI_PROC_NULL, , )
EPOCH(Win_unlock, rank, RANK, ALL(rank, ))
EPOCH(Win_flush, rank, RANK, ALL(rank, ))
EPOCH(Win_flush_local, rank, RANK, ALL(rank, ))

int MPI_Win_lock(int kind, int rank, int assertion, MPI_Win window) {
    trace_enter();
    int code = PMPI_Win_lock(kind, rank, assertion, window);
    const int64_t more[] = {kind == MPI_LOCK_EXCLUSIVE};
    struct event event = of_window(CALL_Win_lock, trace_window(window, "MPI_Win_lock"), rank);
    event.more_count = 1;
    event.more = more;
    trace_leave(event);
    return code;
}

int MPI_Win_test(MPI_Win window, int *done) {
    trace_enter();
    int code = PMPI_Win_test(window, done);
    if (*done) {
        trace_leave(of_window(CALL_Win_test_AS_Win_wait, trace_window(window, "MPI_Win_test"),
                              MPI_PROC_NULL));
    } else {
        trace_pass();
    }
    return code;
}

/* The group as ranks of the window. */
static void with_group(int call, int number, MPI_Group group, MPI_Win window) {
    int size = 0;
    MPI_Group all;
    PMPI_Group_size(group, &size);
    PMPI_Win_get_group(window, &all);
    int64_t *more = malloc((size_t)size * sizeof *more + sizeof *more);
    for (int i = 0; i < size; i++) {
        int place = 0;
        PMPI_Group_translate_ranks(group, 1, &i, all, &place);
        more[i] = place;
    }
    PMPI_Group_free(&all);
    struct event event = of_window(call, number, MPI_PROC_NULL);
    event.more_count = size;
    event.more = more;
    trace_leave(event);
    free(more);
}

#define GROUP(name)                                                                                \
    int MPI_##name(MPI_Group group, int assertion, MPI_Win window) {                               \
        trace_enter();                                                                             \
        int code = PMPI_##name(group, assertion, window);                                          \
        with_group(CALL_##name, trace_window(window, "MPI_" #name), group, window);                \
        return code;                                                                               \
    }

GROUP(Win_post)
GROUP(Win_start)
#endif
