/* Persistent collectives, which a trace has as nonblocking ones when they start. */
#ifndef WEFT_TRACE_KEPT_H
#define WEFT_TRACE_KEPT_H

#include "counts.h"
#include "trace.h"

#define ALL(...) __VA_ARGS__

/* Libraries have these calls since MPI 4, whatever version their header names. One that does not
 * have them leaves the weak names without a function, and its programs call none of them. */
#define KEPT_BY(prefix, name, start_call, parameters, arguments, row, end)                         \
    int FOR_COUNT(P##prefix##_##name##_init)(parameters, MPI_Comm comm, MPI_Info info,             \
                                             MPI_Request * request) __attribute__((weak));         \
    int FOR_COUNT(prefix##_##name##_init)(parameters, MPI_Comm comm, MPI_Info info,                \
                                          MPI_Request * request) {                                 \
        trace_enter();                                                                             \
        int code = FOR_COUNT(P##prefix##_##name##_init)(arguments, comm, info, request);           \
        int call = start_call;                                                                     \
        struct event made = row;                                                                   \
        trace_persistent(*request, made);                                                          \
        end;                                                                                       \
        trace_pass();                                                                              \
        return code;                                                                               \
    }

/* Open MPI 4 has them by names of its own. */
#ifdef LARGE
#define KEPT(name, start_call, parameters, arguments, row, end)                                    \
    KEPT_BY(MPI, name, start_call, ALL(parameters), ALL(arguments), row, end)
#else
#define KEPT(name, start_call, parameters, arguments, row, end)                                    \
    KEPT_BY(MPI, name, start_call, ALL(parameters), ALL(arguments), row, end)                      \
    KEPT_BY(MPIX, name, start_call, ALL(parameters), ALL(arguments), row, end)
#endif

#endif
