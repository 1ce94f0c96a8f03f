/* Which algorithm MPI libraries use for how many ranks and bytes, in the rules of choose.c.
 *
 * MPICH: maint/tuning/coll/mpir/generic.json, which is built into the library; the same from 3.4.3
 * to 5.0.1 but for the name of the barrier's algorithm. Its `avg_msg_size` is `bytes` here,
 * `total_msg_size` is `all_bytes`. The throttle of alltoall is MPIR_CVAR_ALLTOALL_THROTTLE in
 * src/mpi/coll/cvars.txt.
 *
 * Open MPI: ompi/mca/coll/tuned/coll_tuned_decision_fixed.c; the same from 4.1.0 to 5.0.10. The
 * functions there pass a segment size of 0, so that nothing is segmented: `pipeline` and `chain`
 * are a chain, and both rings are one. Where its algorithms fall back for few elements
 * (ompi/mca/coll/base), a rule says so. Its `nonoverlapping` allreduce calls reduce and bcast,
 * which choose for themselves; the rules name both. Without a limit of requests its `linear_sync`
 * alltoall is linear. Its `linear_sync` gather is linear with a handshake, which is left out here.
 * Its scatter_allgather bcast doubles for any number of ranks; that of bcast.c goes round a ring
 * unless they are a power of two.
 *
 * Both are those for operators that commute, and for ranks on nodes of their own. */
#include "collective.h"
#include <limits.h>
#include <string.h>

enum { ANY = INT_MAX };

struct table {
    const char *library;
    enum collective which;
    int ranks; /* at most */
    const char *rules;
};

static const struct table TABLES[] = {
    {"mpich", COLLECTIVE_BARRIER, ANY, "dissemination"},
    {"mpich", COLLECTIVE_BCAST, 7, "binomial"},
    {"mpich", COLLECTIVE_BCAST, ANY,
     "bytes<=12288: binomial; power_of_two bytes<=524288: scatter_allgather; "
     "scatter_ring_allgather"},
    {"mpich", COLLECTIVE_REDUCE, ANY,
     "bytes<=2048: binomial; elements<power: binomial; rabenseifner"},
    {"mpich", COLLECTIVE_ALLREDUCE, ANY,
     "bytes<=8: recursive_doubling; elements<power: recursive_doubling; rabenseifner"},
    {"mpich", COLLECTIVE_GATHER, ANY, "binomial"},
    {"mpich", COLLECTIVE_SCATTER, ANY, "binomial"},
    {"mpich", COLLECTIVE_ALLGATHER, ANY,
     "power_of_two all_bytes<=524287: recursive_doubling; power_of_two: ring; "
     "all_bytes<=81919: bruck; ring"},
    {"mpich", COLLECTIVE_ALLTOALL, 7, "bytes<=32768: scattered; pairwise"},
    {"mpich", COLLECTIVE_ALLTOALL, ANY, "bytes<=256: bruck; bytes<=32768: scattered; pairwise"},
    {"openmpi", COLLECTIVE_ALLREDUCE, 3,
     "bytes<=7 elements<ranks: recursive_doubling; bytes<=7: ring; "
     "bytes<=4095: recursive_doubling; bytes<=8191 elements<ranks: recursive_doubling; "
     "bytes<=8191: ring; bytes<=16383: recursive_doubling; "
     "bytes<=262143 elements<ranks: recursive_doubling; bytes<=262143: ring; "
     "elements<power: linear; rabenseifner"},
    {"openmpi", COLLECTIVE_ALLREDUCE, 7,
     "bytes<=15 elements<ranks: recursive_doubling; bytes<=15: ring; "
     "bytes<=8191: recursive_doubling; elements<power: linear; rabenseifner"},
    {"openmpi", COLLECTIVE_ALLREDUCE, 15,
     "bytes<=8191: recursive_doubling; elements<power: linear; rabenseifner"},
    {"openmpi", COLLECTIVE_ALLREDUCE, 31,
     "bytes<=63 elements<ranks: recursive_doubling; bytes<=63: ring; "
     "bytes<=4095: recursive_doubling; elements<power: linear; rabenseifner"},
    {"openmpi", COLLECTIVE_ALLREDUCE, 63,
     "bytes<=127 elements<ranks: recursive_doubling; bytes<=127: ring; "
     "elements<power: linear; rabenseifner"},
    {"openmpi", COLLECTIVE_ALLREDUCE, 127,
     "bytes<=262143: recursive_doubling; elements<power: linear; rabenseifner"},
    {"openmpi", COLLECTIVE_ALLREDUCE, 255,
     "bytes<=1: binomial+binomial; bytes<=16383: binomial+binary; "
     "bytes<=32767: binomial+linear; bytes<=65535: binomial+binary; "
     "bytes<=131071: binomial+knomial; bytes<=262143: recursive_doubling; "
     "elements<power: linear; rabenseifner"},
    {"openmpi", COLLECTIVE_ALLREDUCE, 511,
     "bytes<=4095: binomial+knomial; elements<power: linear; rabenseifner"},
    {"openmpi", COLLECTIVE_ALLREDUCE, 2047,
     "bytes<=2047: binomial+knomial; bytes<=16383: recursive_doubling; "
     "elements<power: linear; rabenseifner"},
    {"openmpi", COLLECTIVE_ALLREDUCE, 4095,
     "bytes<=511: binomial+knomial; bytes<=1023: in_order_binary+knomial; "
     "bytes<=2047: binomial+knomial; bytes<=4095 elements<ranks: recursive_doubling; "
     "bytes<=4095: ring; bytes<=16383: recursive_doubling; elements<power: linear; "
     "rabenseifner"},
    {"openmpi", COLLECTIVE_ALLREDUCE, ANY,
     "bytes<=15: binomial+knomial; bytes<=31: in_order_binary+knomial; "
     "bytes<=1023: binomial+knomial; bytes<=2047: in_order_binary+knomial; "
     "bytes<=16383 elements<ranks: recursive_doubling; bytes<=16383: ring; "
     "bytes<=32767: recursive_doubling; elements<power: linear; rabenseifner"},
    {"openmpi", COLLECTIVE_ALLTOALL, 2, "bytes<=32767: ring; bytes<=262143: linear; ring"},
    {"openmpi", COLLECTIVE_ALLTOALL, 7, "bytes<=524287: linear; bytes<=1048575: ring; linear"},
    {"openmpi", COLLECTIVE_ALLTOALL, 15, "linear"},
    {"openmpi", COLLECTIVE_ALLTOALL, 31, "bytes<=3: linear; bytes<=511: bruck; linear"},
    {"openmpi", COLLECTIVE_ALLTOALL, 63, "bytes<=511: bruck; linear"},
    {"openmpi", COLLECTIVE_ALLTOALL, 255, "bytes<=1023: bruck; bytes<=262143: linear; ring"},
    {"openmpi", COLLECTIVE_ALLTOALL, 511, "bytes<=1023: bruck; bytes<=32767: linear; ring"},
    {"openmpi", COLLECTIVE_ALLTOALL, 1023, "bytes<=511: bruck; bytes<=262143: linear; ring"},
    {"openmpi", COLLECTIVE_ALLTOALL, 2047, "bytes<=511: bruck; linear"},
    {"openmpi", COLLECTIVE_ALLTOALL, 4095, "bytes<=1023: bruck; linear"},
    {"openmpi", COLLECTIVE_ALLTOALL, ANY, "bytes<=2047: bruck; linear"},
    {"openmpi", COLLECTIVE_BARRIER, 3, "recursive_doubling"},
    {"openmpi", COLLECTIVE_BARRIER, 7, "linear"},
    {"openmpi", COLLECTIVE_BARRIER, 63, "recursive_doubling"},
    {"openmpi", COLLECTIVE_BARRIER, 255, "dissemination"},
    {"openmpi", COLLECTIVE_BARRIER, 511, "tree"},
    {"openmpi", COLLECTIVE_BARRIER, 1023, "dissemination"},
    {"openmpi", COLLECTIVE_BARRIER, 4095, "tree"},
    {"openmpi", COLLECTIVE_BARRIER, ANY, "dissemination"},
    {"openmpi", COLLECTIVE_BCAST, 3,
     "bytes<=31: chain; bytes<=255: binary; bytes<=511: chain; bytes<=1023: knomial; "
     "bytes<=32767: linear; bytes<=131071: binary; bytes<=262143: chain; "
     "bytes<=524287: linear; bytes<=1048575: binomial; binary"},
    {"openmpi", COLLECTIVE_BCAST, 7,
     "bytes<=63: binary; bytes<=127: binomial; bytes<=2047: binary; "
     "bytes<=8191: binomial; bytes<=1048575: linear; chain"},
    {"openmpi", COLLECTIVE_BCAST, 15,
     "bytes<=7: knomial; bytes<=63: binary; bytes<=4095: knomial; bytes<=16383: binary; "
     "bytes<=32767: binomial; linear"},
    {"openmpi", COLLECTIVE_BCAST, 31,
     "bytes<=4095: knomial; bytes<=1048575: binomial; elements<ranks: linear; "
     "scatter_allgather"},
    {"openmpi", COLLECTIVE_BCAST, 63, "bytes<=2047: binomial; knomial"},
    {"openmpi", COLLECTIVE_BCAST, 127, "knomial"},
    {"openmpi", COLLECTIVE_BCAST, 255,
     "bytes<=1: binomial; bytes<=16383: binary; bytes<=32767: linear; "
     "bytes<=65535: binary; knomial"},
    {"openmpi", COLLECTIVE_BCAST, 1023,
     "bytes<=16383: knomial; bytes<=32767: split_binary; knomial"},
    {"openmpi", COLLECTIVE_BCAST, 2047,
     "bytes<=524287: knomial; elements<ranks: linear; scatter_allgather"},
    {"openmpi", COLLECTIVE_BCAST, 4095,
     "bytes<=262143: knomial; elements<ranks: linear; scatter_allgather"},
    {"openmpi", COLLECTIVE_BCAST, ANY,
     "bytes<=8191: knomial; bytes<=16383: binary; bytes<=262143: knomial; "
     "elements<ranks: linear; scatter_allgather"},
    {"openmpi", COLLECTIVE_REDUCE, 3,
     "bytes<=7 elements<power: linear; bytes<=7: rabenseifner; bytes<=15: binary; "
     "bytes<=31: chain; bytes<=262143: linear; chain"},
    {"openmpi", COLLECTIVE_REDUCE, 7,
     "bytes<=4095: binary; bytes<=65535: chain; bytes<=262143: binomial; "
     "bytes<=524287: linear; bytes<=1048575: binomial; linear"},
    {"openmpi", COLLECTIVE_REDUCE, 15, "bytes<=8191: binary; binomial"},
    {"openmpi", COLLECTIVE_REDUCE, 31, "bytes<=4095: binary; binomial"},
    {"openmpi", COLLECTIVE_REDUCE, 255, "binomial"},
    {"openmpi", COLLECTIVE_REDUCE, 511,
     "bytes<=8191: binomial; bytes<=16383: in_order_binary; binomial"},
    {"openmpi", COLLECTIVE_REDUCE, 2047, "binomial"},
    {"openmpi", COLLECTIVE_REDUCE, 4095,
     "bytes<=511: binomial; bytes<=1023: in_order_binary; bytes<=8191: binomial; "
     "bytes<=16383: in_order_binary; binomial"},
    {"openmpi", COLLECTIVE_REDUCE, ANY,
     "bytes<=15: binomial; bytes<=31: in_order_binary; bytes<=1023: binomial; "
     "bytes<=2047: in_order_binary; bytes<=8191: binomial; bytes<=16383: in_order_binary; "
     "binomial"},
    {"openmpi", COLLECTIVE_GATHER, 3,
     "bytes<=3: linear; bytes<=32767: binomial; bytes<=65535: linear; "
     "bytes<=131071: binomial; linear"},
    {"openmpi", COLLECTIVE_GATHER, 7,
     "bytes<=1023: binomial; bytes<=8191: linear; bytes<=32767: binomial; linear"},
    {"openmpi", COLLECTIVE_GATHER, 255, "binomial"},
    {"openmpi", COLLECTIVE_GATHER, 511, "bytes<=2047: binomial; bytes<=8191: linear; binomial"},
    {"openmpi", COLLECTIVE_GATHER, ANY, "binomial"},
    {"openmpi", COLLECTIVE_SCATTER, 3,
     "bytes<=1: linear_nonblocking; bytes<=131071: linear; "
     "bytes<=262143: linear_nonblocking; linear"},
    {"openmpi", COLLECTIVE_SCATTER, 7,
     "bytes<=2047: binomial; bytes<=4095: linear; bytes<=8191: binomial; "
     "bytes<=32767: linear; bytes<=1048575: linear_nonblocking; linear"},
    {"openmpi", COLLECTIVE_SCATTER, 15,
     "bytes<=16383: binomial; bytes<=1048575: linear_nonblocking; linear"},
    {"openmpi", COLLECTIVE_SCATTER, 31,
     "bytes<=16383: binomial; bytes<=32767: linear; linear_nonblocking"},
    {"openmpi", COLLECTIVE_SCATTER, 63,
     "bytes<=511: binomial; bytes<=8191: linear_nonblocking; bytes<=16383: binomial; "
     "linear_nonblocking"},
    {"openmpi", COLLECTIVE_SCATTER, ANY, "bytes<=511: binomial; linear_nonblocking"},
    {"openmpi", COLLECTIVE_ALLGATHER, 2, "ring"},
    {"openmpi", COLLECTIVE_ALLGATHER, 31, "recursive_doubling"},
    {"openmpi", COLLECTIVE_ALLGATHER, 63,
     "bytes<=1023: recursive_doubling; bytes<=65535: neighbor_exchange; ring"},
    {"openmpi", COLLECTIVE_ALLGATHER, 127,
     "bytes<=511: recursive_doubling; bytes<=65535: neighbor_exchange; ring"},
    {"openmpi", COLLECTIVE_ALLGATHER, 255,
     "bytes<=511: recursive_doubling; bytes<=131071: neighbor_exchange; "
     "bytes<=524287: ring; bytes<=1048575: neighbor_exchange; ring"},
    {"openmpi", COLLECTIVE_ALLGATHER, 511,
     "bytes<=31: recursive_doubling; bytes<=127: bruck; bytes<=1023: recursive_doubling; "
     "bytes<=131071: neighbor_exchange; bytes<=524287: ring; "
     "bytes<=1048575: neighbor_exchange; ring"},
    {"openmpi", COLLECTIVE_ALLGATHER, 1023,
     "bytes<=63: recursive_doubling; bytes<=255: bruck; bytes<=2047: recursive_doubling; "
     "neighbor_exchange"},
    {"openmpi", COLLECTIVE_ALLGATHER, 2047,
     "bytes<=3: recursive_doubling; bytes<=7: bruck; bytes<=15: recursive_doubling; "
     "bytes<=31: bruck; bytes<=255: recursive_doubling; bytes<=511: bruck; "
     "bytes<=4095: recursive_doubling; neighbor_exchange"},
    {"openmpi", COLLECTIVE_ALLGATHER, 4095,
     "bytes<=31: bruck; bytes<=127: recursive_doubling; bytes<=511: bruck; "
     "bytes<=4095: recursive_doubling; neighbor_exchange"},
    {"openmpi", COLLECTIVE_ALLGATHER, ANY,
     "bytes<=1: recursive_doubling; bytes<=7: bruck; bytes<=15: recursive_doubling; "
     "bytes<=511: bruck; bytes<=4095: recursive_doubling; neighbor_exchange"},
};

const char *mgen_collective_rules(const char *library, enum collective which, int ranks) {
    for (size_t i = 0; i < sizeof TABLES / sizeof *TABLES; i++) {
        const struct table *table = &TABLES[i];
        if (table->which == which && ranks <= table->ranks &&
            strcmp(table->library, library) == 0) {
            return table->rules;
        }
    }
    return NULL;
}
