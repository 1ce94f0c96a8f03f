/* Communicators that are made and freed. However they are made, a trace has them as splits of the
 * one before: the color is the place there of their first member, the key the place of each. Behind
 * these it has their topology. */
#include "trace.h"
#include <stdlib.h>

enum { OF_SPLIT = 3 };

/* Of a grid, how many ranks each dimension has and whether it is periodic; of a graph, how many
 * sources a rank has, these and its destinations. Returns how many numbers there are. */
static int put_topology(MPI_Comm comm, struct neighbours all, int64_t *to) {
    int kind = MPI_UNDEFINED;
    int rank = 0;
    int dimensions = all.in / 2;
    int *numbers = malloc(((size_t)all.in + (size_t)all.out + 1) * 2 * sizeof *numbers);
    int *others = numbers + all.in + all.out + 1;
    int count = 0;
    PMPI_Topo_test(comm, &kind);
    if (kind == MPI_CART) {
        PMPI_Cart_get(comm, dimensions, numbers, numbers + dimensions, others);
        for (int i = 0; i < dimensions; i++) {
            to[count++] = numbers[i];
            to[count++] = numbers[dimensions + i] != 0;
        }
    } else if (kind == MPI_GRAPH || kind == MPI_DIST_GRAPH) {
        if (kind == MPI_GRAPH) {
            PMPI_Comm_rank(comm, &rank);
            PMPI_Graph_neighbors(comm, rank, all.in, numbers);
            PMPI_Graph_neighbors(comm, rank, all.out, numbers + all.in);
        } else {
            PMPI_Dist_graph_neighbors(comm, all.in, numbers, others, all.out, numbers + all.in,
                                      others + all.in);
        }
        to[count++] = all.in;
        for (int i = 0; i < all.in + all.out; i++) {
            to[count++] = numbers[i];
        }
    }
    free(numbers);
    return count;
}

static void made(int call, MPI_Comm parent, MPI_Comm comm) {
    if (trace_is_inter(trace_comm(parent))) {
        trace_unseen("a communicator that is made of parts of an intercommunicator");
    }
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
    struct neighbours all = {0, 0};
    if (comm != MPI_COMM_NULL) {
        all = trace_neighbours(comm);
    }
    int64_t *more = malloc((OF_SPLIT + 1 + (size_t)all.in + (size_t)all.out) * sizeof *more);
    more[0] = trace_comm_made(comm);
    more[1] = color;
    more[2] = rank;
    int count = OF_SPLIT;
    if (comm != MPI_COMM_NULL) {
        count += put_topology(comm, all, more + OF_SPLIT);
    } else if (call == CALL_Graph_create_AS_Dist_graph_create_adjacent) {
        more[count++] = 0; /* a rank outside of the graph has no sources */
    }
    trace_leave((struct event){.call = call,
                               .peer = NOBODY,
                               .element = 1,
                               .request = -1,
                               .comm = trace_comm(parent),
                               .more_count = count,
                               .more = more});
    free(more);
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
MAKES(Cart_create, Cart_create, ALL(int count, const int *sizes, const int *periods, int reorder),
      ALL(count, sizes, periods, reorder))
MAKES(Cart_sub, Cart_sub_AS_Cart_create, const int *kept, kept)
MAKES(Graph_create, Graph_create_AS_Dist_graph_create_adjacent,
      ALL(int count, const int *index, const int *edges, int reorder),
      ALL(count, index, edges, reorder))
MAKES(Dist_graph_create_adjacent, Dist_graph_create_adjacent,
      ALL(int in, const int *from, const int *in_weights, int out, const int *to,
          const int *out_weights, MPI_Info info, int reorder),
      ALL(in, from, in_weights, out, to, out_weights, info, reorder))
MAKES(Dist_graph_create, Dist_graph_create_AS_Dist_graph_create_adjacent,
      ALL(int count, const int *from, const int *degrees, const int *to, const int *weights,
          MPI_Info info, int reorder),
      ALL(count, from, degrees, to, weights, info, reorder))

/* Its members alone make it; `more` has their places in the one before. */
int MPI_Comm_create_group(MPI_Comm parent, MPI_Group group, int tag, MPI_Comm *comm) {
    trace_enter();
    int code = PMPI_Comm_create_group(parent, group, tag, comm);
    if (*comm == MPI_COMM_NULL) {
        trace_pass();
        return code;
    }
    int size = 0;
    MPI_Group all;
    PMPI_Group_size(group, &size);
    PMPI_Comm_group(parent, &all);
    int64_t *more = malloc(((size_t)size + 1) * sizeof *more);
    more[0] = trace_comm_made(*comm);
    for (int i = 0; i < size; i++) {
        int place = 0;
        PMPI_Group_translate_ranks(group, 1, &i, all, &place);
        more[1 + i] = place;
    }
    PMPI_Group_free(&all);
    trace_leave((struct event){.call = CALL_Comm_create_group,
                               .peer = NOBODY,
                               .element = 1,
                               .request = -1,
                               .tag = tag,
                               .comm = trace_comm(parent),
                               .more_count = 1 + size,
                               .more = more});
    free(more);
    return code;
}

/* Of these ranks of all, first those of `first`; both are freed. */
static void joined(int call, int number, int tag, MPI_Group first, MPI_Group second) {
    MPI_Group all;
    MPI_Group groups[] = {first, second};
    int sizes[2] = {0, 0};
    PMPI_Group_size(first, &sizes[0]);
    PMPI_Group_size(second, &sizes[1]);
    int64_t *more = malloc(((size_t)sizes[0] + (size_t)sizes[1] + 1) * sizeof *more);
    int count = 1;
    more[0] = number;
    PMPI_Comm_group(MPI_COMM_WORLD, &all);
    for (int side = 0; side < 2; side++) {
        for (int i = 0; i < sizes[side]; i++) {
            int place = 0;
            PMPI_Group_translate_ranks(groups[side], 1, &i, all, &place);
            more[count++] = place;
        }
        if (groups[side] != MPI_GROUP_EMPTY) {
            PMPI_Group_free(&groups[side]);
        }
    }
    PMPI_Group_free(&all);
    trace_leave((struct event){.call = call,
                               .peer = NOBODY,
                               .element = 1,
                               .request = -1,
                               .tag = tag,
                               .more_count = count,
                               .more = more});
    free(more);
}

/* The rank of all that comes first in a group. */
static int first_of(MPI_Group group) {
    int zero = 0;
    int place = 0;
    MPI_Group all;
    PMPI_Comm_group(MPI_COMM_WORLD, &all);
    PMPI_Group_translate_ranks(group, 1, &zero, all, &place);
    PMPI_Group_free(&all);
    return place;
}

/* The side whose first rank is the lower one comes first, so that both sides say the same. */
int MPI_Intercomm_create(MPI_Comm own, int leader, MPI_Comm peers, int other, int tag,
                         MPI_Comm *made) {
    trace_enter();
    int code = PMPI_Intercomm_create(own, leader, peers, other, tag, made);
    MPI_Group here;
    MPI_Group there;
    int size = 0;
    PMPI_Comm_group(*made, &here);
    PMPI_Comm_remote_group(*made, &there);
    PMPI_Comm_size(*made, &size);
    int is_first = first_of(here) < first_of(there);
    joined(CALL_Intercomm_create_AS_Comm_create_group, trace_inter_made(*made, is_first ? size : 0),
           tag, is_first ? here : there, is_first ? there : here);
    return code;
}

int MPI_Intercomm_merge(MPI_Comm inter, int is_high, MPI_Comm *made) {
    trace_enter();
    int code = PMPI_Intercomm_merge(inter, is_high, made);
    MPI_Group all;
    PMPI_Comm_group(*made, &all);
    joined(CALL_Intercomm_merge_AS_Comm_create_group, trace_comm_made(*made), 0, all,
           MPI_GROUP_EMPTY);
    return code;
}

static void copied(int call, MPI_Comm parent, int number, int request) {
    int64_t more[] = {number};
    trace_leave((struct event){.call = call,
                               .peer = NOBODY,
                               .element = 1,
                               .request = request,
                               .comm = trace_comm(parent),
                               .more_count = 1,
                               .more = more});
}

int MPI_Comm_dup(MPI_Comm parent, MPI_Comm *comm) {
    trace_enter();
    int code = PMPI_Comm_dup(parent, comm);
    copied(CALL_Comm_dup, parent, trace_comm_copied(parent, *comm), -1);
    return code;
}

int MPI_Comm_dup_with_info(MPI_Comm parent, MPI_Info info, MPI_Comm *comm) {
    trace_enter();
    int code = PMPI_Comm_dup_with_info(parent, info, comm);
    copied(CALL_Comm_dup_with_info_AS_Comm_dup, parent, trace_comm_copied(parent, *comm), -1);
    return code;
}

/* Where the program wants the new communicator, there is one when the request is complete. */
int MPI_Comm_idup(MPI_Comm parent, MPI_Comm *comm, MPI_Request *request) {
    trace_enter();
    int code = PMPI_Comm_idup(parent, comm, request);
    int number = trace_comm_promised(parent, comm);
    copied(CALL_Comm_idup, parent, number, trace_request_of_comm(*request, comm));
    return code;
}

static struct event freed(int call, MPI_Comm comm) {
    struct event event = {.call = call, .peer = NOBODY, .element = 1, .request = -1};
    event.comm = trace_comm(comm);
    trace_comm_freed(comm);
    return event;
}

int MPI_Comm_free(MPI_Comm *comm) {
    trace_enter();
    struct event event = freed(CALL_Comm_free, *comm);
    int code = PMPI_Comm_free(comm);
    trace_leave(event);
    return code;
}

int MPI_Comm_disconnect(MPI_Comm *comm) {
    trace_enter();
    struct event event = freed(CALL_Comm_disconnect_AS_Comm_free, *comm);
    int code = PMPI_Comm_disconnect(comm);
    trace_leave(event);
    return code;
}
