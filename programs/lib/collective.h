/* What the collectives share. Their messages never meet those of the program: in the simulator they
 * are hidden in the communicator (MGEN_HIDDEN); over MPI they use a copy of it.
 *
 * If a buffer is NULL, the collective sends the same messages and takes no memory. */
#ifndef MGEN_COLLECTIVE_H
#define MGEN_COLLECTIVE_H

#include "mgen_host.h"
#include <stddef.h>
#include <stdint.h>

enum collective {
    COLLECTIVE_BARRIER,
    COLLECTIVE_BCAST,
    COLLECTIVE_REDUCE,
    COLLECTIVE_ALLREDUCE,
    COLLECTIVE_GATHER,
    COLLECTIVE_SCATTER,
    COLLECTIVE_ALLGATHER,
    COLLECTIVE_ALLTOALL,
    COLLECTIVES
};

/* One collective in progress: this rank's view of the communicator. */
struct group {
    MGEN_Comm comm;
    int rank;
    int size;
    int tag;
};

struct group mgen_collective_begin(enum collective which, MGEN_Comm comm);
#ifdef MGEN_OVER_MPI
/* The group of `comm`, whose communicator is a copy of it; the tag is missing. */
struct group mgen_collective_group(MGEN_Comm comm);
#endif

/* Blocking messages of the collective. */
void mgen_collective_send(const struct group *group, const void *data, size_t bytes, int dest);
void mgen_collective_receive(const struct group *group, void *data, size_t bytes, int source);
void mgen_collective_exchange(const struct group *group, const void *sent, size_t sent_bytes,
                              int dest, void *received, size_t received_bytes, int source);

/* Up to `most` messages under way at once; mgen_collective_finish waits for all and frees the
 * batch. */
struct batch {
    MGEN_Request *requests;
    int posted;
};
struct batch mgen_collective_batch(int most);
void mgen_collective_start_send(const struct group *group, struct batch *batch, const void *data,
                                size_t bytes, int dest);
void mgen_collective_start_receive(const struct group *group, struct batch *batch, void *data,
                                   size_t bytes, int source);
/* Waits for all of them; the batch may be used again. */
void mgen_collective_wait(struct batch *batch);
void mgen_collective_finish(struct batch *batch);

/* In the simulator a collective may also be written down, to be done while its rank does something
 * else (programs/lib/mpi/). These do so where the rank asks for that, and return 1. */
#ifdef MGEN_OVER_MPI
static inline int mgen_record_message(const struct group *group, void *data, size_t bytes,
                                      int other, int is_sent) {
    (void)group;
    (void)data;
    (void)bytes;
    (void)other;
    (void)is_sent;
    return 0;
}
static inline int mgen_record_wait(void) {
    return 0;
}
static inline int mgen_record_copy(void *to, const void *from, size_t bytes) {
    (void)to;
    (void)from;
    (void)bytes;
    return 0;
}
static inline int mgen_record_free(void *memory) {
    (void)memory;
    return 0;
}
static inline int mgen_record_tag(enum collective which) {
    return (int)which;
}
#else
int mgen_record_message(const struct group *group, void *data, size_t bytes, int other,
                        int is_sent);
int mgen_record_wait(void);
int mgen_record_copy(void *to, const void *from, size_t bytes);
int mgen_record_free(void *memory);
int mgen_record_tag(enum collective which);
#endif

/* Fails if a call reads and writes the same memory, which MPI forbids: here the first byte of both,
 * as MPICH checks. */
void mgen_collective_apart(const void *sent, const void *received, size_t bytes);

/* Fails if a rank that is not the root gives MGEN_IN_PLACE. */
void mgen_collective_at_root(const void *buffer, int rank, int root);

/* `bytes` of memory, or NULL if the program's buffer is NULL: then only sizes matter. */
void *mgen_collective_scratch(const void *buffer, size_t bytes);
/* Frees it when nothing needs it any longer. */
void mgen_collective_free(void *memory);
/* memcpy that does nothing if one of the pointers is NULL. */
void mgen_collective_copy(void *to, const void *from, size_t bytes);

static inline void *mgen_collective_at(void *buffer, size_t offset) {
    return buffer == NULL ? NULL : (char *)buffer + offset;
}

static inline const void *mgen_collective_part(const void *buffer, size_t offset) {
    return buffer == NULL ? NULL : (const char *)buffer + offset;
}

/* The bytes of one element of `type`. */
size_t mgen_type_size(MGEN_Datatype type);
/* `into` = `from` op `into`, element by element. Does nothing if one of them is NULL. */
void mgen_combine(const void *from, void *into, int count, MGEN_Datatype type, MGEN_Op op);

#ifndef MGEN_OVER_MPI
int mgen_record_combine(const void *from, void *into, int count, MGEN_Datatype type, MGEN_Op op);
void mgen_combine_now(const void *from, void *into, int count, MGEN_Datatype type, MGEN_Op op);
/* The same. Returns 0 if the type does not have the operator. */
int mgen_combine_typed(const void *from, void *into, int count, MGEN_Datatype type, MGEN_Op op);
/* From one element to the next of a type that only mpi.h has. */
size_t mgen_derived_size(MGEN_Datatype type);
#endif

/* Reads `length` characters as a whole number up to `most`. Returns 0 if they are none. */
int mgen_whole_number(const char *text, size_t length, uint64_t most, uint64_t *number);

/* The largest power of two that is at most `size`. */
int mgen_collective_power(int size);

/* The algorithm of a collective on `elements` elements of `bytes` bytes in all. mgen_algorithm
 * gives it by name, by a library's table (libraries.c), or by rules, whose form choose.c describes.
 */
enum { CHOICE_SIZE = 64 };
struct choice {
    char name[CHOICE_SIZE];
};
struct choice mgen_collective_choose(enum collective which, size_t elements, size_t bytes,
                                     MGEN_Comm comm);
/* The same where the caller and not mgen_algorithm gives the name, the library or the rules. */
struct choice mgen_collective_choice(const char *option, enum collective which, size_t elements,
                                     size_t bytes, MGEN_Comm comm);
/* Whether mgen_collective_choose gives the same algorithm for every size and number of ranks. */
int mgen_collective_is_fixed(enum collective which);
/* By rules alone, which also choose what is no collective of MPI. */
struct choice mgen_collective_by_rules(const char *collective, const char *rules, size_t elements,
                                       size_t bytes, int ranks);
/* The rules of `library` for `ranks` ranks; NULL if there is no such library. */
const char *mgen_collective_rules(const char *library, enum collective which, int ranks);

/* A rank's place in a tree of `size` ranks; ranks are relative to the root, which is 0. */
enum { CHILDREN_MAX = 64 };
struct tree {
    int parent; /* -1 at the root */
    int child_count;
    int children[CHILDREN_MAX];
};
/* Each rank passes on to the next one. */
struct tree mgen_collective_chain(int rank, int size);
/* Two children; odd ranks lie below the first child of the root, even ones below the second. */
struct tree mgen_collective_binary(int rank, int size);
/* The children of a rank are rank + i * radix^k for i from 1 to radix - 1, the largest subtrees
 * first. */
struct tree mgen_collective_knomial(int rank, int size, int radix);
/* Two children, whose ranks follow each other; its root is the last rank. */
struct tree mgen_collective_in_order(int rank, int size);

/* Members that share a message in pieces, piece `number` for each. The rank of a member stands in
 * `ranks`; if that is NULL, it is its number, counted from `root`. */
struct members {
    const struct group *group;
    int number;
    int size;
    const int *ranks;
    int root;
    double exchange_s; /* computing before an exchange; 0 */
};
int mgen_collective_rank_of(const struct members *members, int number);
/* The bytes of a piece, and where it begins. */
size_t mgen_collective_piece(size_t bytes, int count, int index, size_t *first);
/* From member 0, which has all of them, down a binomial tree: ceil(log2 p) steps. */
void mgen_collective_scatter_pieces(const struct members *members, void *buffer, size_t bytes);
/* Every member gets all of them: by recursive doubling, for powers of two; round a ring. */
void mgen_collective_double_pieces(const struct members *members, void *buffer, size_t bytes);
void mgen_collective_ring_pieces(const struct members *members, void *buffer, size_t bytes);

/* The algorithms by name; an unknown name is the first of the list. */

/* dissemination, ring, recursive_doubling, tree, linear */
int mgen_collective_barrier(const char *algorithm, MGEN_Comm comm);
/* binomial, scatter_allgather, scatter_ring_allgather, linear, chain, binary, split_binary, knomial
 */
int mgen_collective_bcast(const char *algorithm, void *buffer, size_t bytes, int root,
                          MGEN_Comm comm);
/* binomial, linear, chain, binary, in_order_binary, rabenseifner */
int mgen_collective_reduce(const char *algorithm, const void *sent, void *received, int count,
                           MGEN_Datatype type, MGEN_Op op, int root, MGEN_Comm comm);
/* recursive_doubling, ring, rabenseifner, reduce_bcast, linear; `a+b` reduces by a, then broadcasts
 * by b */
int mgen_collective_allreduce(const char *algorithm, const void *sent, void *received, int count,
                              MGEN_Datatype type, MGEN_Op op, MGEN_Comm comm);
/* binomial, linear; `bytes` is what one rank contributes */
int mgen_collective_gather(const char *algorithm, const void *sent, void *received, size_t bytes,
                           int root, MGEN_Comm comm);
/* binomial, linear, linear_nonblocking; `bytes` is what one rank gets */
int mgen_collective_scatter(const char *algorithm, const void *sent, void *received, size_t bytes,
                            int root, MGEN_Comm comm);
/* ring, recursive_doubling (bruck unless the ranks are a power of two), bruck, neighbor_exchange
 * (ring unless the ranks are even) */
int mgen_collective_allgather(const char *algorithm, const void *sent, void *received, size_t bytes,
                              MGEN_Comm comm);
/* pairwise, bruck, ring, linear, scattered; `bytes` is what one rank sends to one other */
int mgen_collective_alltoall(const char *algorithm, const void *sent, void *received, size_t bytes,
                             MGEN_Comm comm);
/* pairwise, by shifts */
int mgen_collective_alltoallv(const void *sent, const int *sent_counts, const int *sent_places,
                              size_t sent_size, void *received, const int *received_counts,
                              const int *received_places, size_t received_size, MGEN_Comm comm);

#endif
