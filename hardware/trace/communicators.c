/* Communicators that are made and freed. However they are made, a trace has them as splits of the
 * one before: the color is the place there of their first member, the key the place of each. */
#include "trace.h"

static void made(int call, MPI_Comm parent, MPI_Comm comm) {
    int color = -1;
    int rank = 0;
    if (comm != MPI_COMM_NULL) {
        int zero = 0;
        MPI_Group own;
        MPI_Group all;
        PMPI_Comm_rank(comm, &rank);
        PMPI_Comm_group(comm, &own);
        PMPI_Comm_group(parent, &all);
        PMPI_Group_translate_ranks(own, 1, &zero, all, &color);
        PMPI_Group_free(&own);
        PMPI_Group_free(&all);
    }
    int64_t more[] = {trace_comm_made(comm), color, rank};
    trace_leave((struct event){.call = call,
                               .peer = NOBODY,
                               .element = 1,
                               .request = -1,
                               .comm = trace_comm(parent),
                               .more_count = 3,
                               .more = more});
}

#define MAKES(name, call, parameters, arguments)                                                   \
    int MPI_##name(MPI_Comm parent, parameters, MPI_Comm *comm) {                                  \
        trace_enter();                                                                             \
        int code = PMPI_##name(parent, arguments, comm);                                           \
        made(CALL_##call, parent, *comm);                                                          \
        return code;                                                                               \
    }
#define ALL(...) __VA_ARGS__

MAKES(Comm_split, Comm_split, ALL(int color, int key), ALL(color, key))
MAKES(Comm_split_type, Comm_split_type_AS_Comm_split, ALL(int kind, int key, MPI_Info info),
      ALL(kind, key, info))
MAKES(Comm_create, Comm_create_AS_Comm_split, MPI_Group group, group)
MAKES(Cart_create, Cart_create_AS_Comm_split,
      ALL(int count, const int *sizes, const int *periods, int reorder),
      ALL(count, sizes, periods, reorder))
MAKES(Cart_sub, Cart_sub_AS_Comm_split, const int *kept, kept)
MAKES(Graph_create, Graph_create_AS_Comm_split,
      ALL(int count, const int *index, const int *edges, int reorder),
      ALL(count, index, edges, reorder))
MAKES(Dist_graph_create_adjacent, Dist_graph_create_adjacent_AS_Comm_split,
      ALL(int in, const int *from, const int *in_weights, int out, const int *to,
          const int *out_weights, MPI_Info info, int reorder),
      ALL(in, from, in_weights, out, to, out_weights, info, reorder))
MAKES(Dist_graph_create, Dist_graph_create_AS_Comm_split,
      ALL(int count, const int *from, const int *degrees, const int *to, const int *weights,
          MPI_Info info, int reorder),
      ALL(count, from, degrees, to, weights, info, reorder))

int MPI_Comm_dup(MPI_Comm parent, MPI_Comm *comm) {
    trace_enter();
    int code = PMPI_Comm_dup(parent, comm);
    int64_t more[] = {trace_comm_made(*comm)};
    trace_leave((struct event){.call = CALL_Comm_dup,
                               .peer = NOBODY,
                               .element = 1,
                               .request = -1,
                               .comm = trace_comm(parent),
                               .more_count = 1,
                               .more = more});
    return code;
}

int MPI_Comm_free(MPI_Comm *comm) {
    trace_enter();
    struct event event = {.call = CALL_Comm_free, .peer = NOBODY, .element = 1, .request = -1};
    event.comm = trace_comm(*comm);
    trace_comm_freed(*comm);
    int code = PMPI_Comm_free(comm);
    trace_leave(event);
    return code;
}
