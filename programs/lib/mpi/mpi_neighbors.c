/* Bodies of collectives of neighbours: all messages at once, in the order of the neighbours. */
#include "mpi_calls.h"
#include "mpi_topology.h"

/* The neighbours of this rank; of a grid, those before and behind it in each dimension. */
struct neighbours {
    int in_count;
    int out_count;
    int *in;
    int *out;
};

static struct neighbours neighbours_of(MPI_Comm comm) {
    const struct topology *topology = mgen_comm(comm)->topology;
    struct neighbours found = {0};
    if (topology == NULL) {
        mgen_fail("the communicator has no topology");
    }
    if (topology->kind == MPI_CART) {
        found.in_count = found.out_count = 2 * topology->dimensions;
        found.in = mgen_memory((size_t)found.in_count * sizeof(int));
        for (int i = 0; i < topology->dimensions; i++) {
            mgen_cart_shift(topology, i, 1, &found.in[2 * i], &found.in[2 * i + 1]);
        }
        found.out = mgen_numbers(found.in, found.out_count);
        return found;
    }
    found.in_count = topology->in_count;
    found.out_count = topology->out_count;
    found.in = mgen_numbers(topology->in, found.in_count);
    found.out = mgen_numbers(topology->out, found.out_count);
    return found;
}

/* The block for a neighbour, or from one, by its number. */
typedef struct dense block_of(const struct call *call, int number, int is_sent);

static struct dense place(const void *buffer, MPI_Count places, int count, MPI_Datatype type,
                          int is_sent) {
    return mgen_dense(mgen_elements(buffer, places, type), count, type, is_sent);
}

static struct dense same_block(const struct call *call, int number, int is_sent) {
    if (is_sent) {
        return place(call->sent, 0, call->sent_count, call->sent_type, 1);
    }
    if (call->received_counts != NULL) {
        return place(call->received, call->received_places[number], call->received_counts[number],
                     call->received_type, 0);
    }
    return place(call->received, (MPI_Count)number * call->received_count, call->received_count,
                 call->received_type, 0);
}

static struct dense own_block(const struct call *call, int number, int is_sent) {
    if (!is_sent) {
        return same_block(call, number, 0);
    }
    if (call->sent_counts != NULL) {
        return place(call->sent, call->sent_places[number], call->sent_counts[number],
                     call->sent_type, 1);
    }
    return place(call->sent, (MPI_Count)number * call->sent_count, call->sent_count,
                 call->sent_type, 1);
}

static struct dense typed_block(const struct call *call, int number, int is_sent) {
    const void *buffer = is_sent ? call->sent : call->received;
    MPI_Aint offset = is_sent ? call->sent_offsets[number] : call->received_offsets[number];
    void *start = mgen_place(buffer, offset);
    return is_sent
               ? mgen_dense(start, call->sent_counts[number], call->sent_types[number], 1)
               : mgen_dense(start, call->received_counts[number], call->received_types[number], 0);
}

/* In a grid of one or two ranks in a dimension both neighbours are the same rank: what it sends to
 * the one before it comes from the one behind it. So the two directions have tags of their own. */
static int tag_of(const struct group *group, int is_grid, int number, int is_sent) {
    int direction = is_grid ? (is_sent ? number % 2 : 1 - number % 2) : 0;
    return group->tag + direction;
}

static void exchange(const struct call *call, block_of *block) {
    struct group group = mgen_collective_begin(COLLECTIVE_ALLTOALL, call->comm);
    int is_grid = mgen_comm(call->comm)->topology != NULL &&
                  mgen_comm(call->comm)->topology->kind == MPI_CART;
    struct neighbours all = neighbours_of(call->comm);
    struct dense *blocks = mgen_memory((size_t)(all.in_count + all.out_count) * sizeof *blocks);
    struct batch batch = mgen_collective_batch(all.in_count + all.out_count);
    struct group directed = group;
    for (int i = 0; i < all.in_count; i++) {
        blocks[i] = block(call, i, 0);
        directed.tag = tag_of(&group, is_grid, i, 0);
        if (all.in[i] != MPI_PROC_NULL) {
            mgen_collective_start_receive(&directed, &batch, blocks[i].data, blocks[i].bytes,
                                          all.in[i]);
        }
    }
    for (int i = 0; i < all.out_count; i++) {
        struct dense *sent = &blocks[all.in_count + i];
        *sent = block(call, i, 1);
        directed.tag = tag_of(&group, is_grid, i, 1);
        if (all.out[i] != MPI_PROC_NULL) {
            mgen_collective_start_send(&directed, &batch, sent->data, sent->bytes, all.out[i]);
        }
    }
    mgen_collective_finish(&batch);
    for (int i = 0; i < all.in_count; i++) {
        if (all.in[i] != MPI_PROC_NULL) {
            mgen_later_received(&blocks[i]);
        } else {
            mgen_collective_free(blocks[i].copy);
        }
    }
    for (int i = 0; i < all.out_count; i++) {
        mgen_collective_free(blocks[all.in_count + i].copy);
    }
    free(blocks);
    free(all.in);
    free(all.out);
}

void mgen_do_neighbor_allgather(const struct call *call) {
    exchange(call, same_block);
}

void mgen_do_neighbor_allgatherv(const struct call *call) {
    exchange(call, same_block);
}

void mgen_do_neighbor_alltoall(const struct call *call) {
    exchange(call, own_block);
}

void mgen_do_neighbor_alltoallv(const struct call *call) {
    exchange(call, own_block);
}

void mgen_do_neighbor_alltoallw(const struct call *call) {
    exchange(call, typed_block);
}
