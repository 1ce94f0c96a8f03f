/* Some ranks become a group while the others compute: by the bitmap of multicast.h, or by a
 * communicator.
 *
 * Sources: multicast.h and creation.c.
 * Arguments:
 *   bitmap, comm_split, comm_create or comm_create_group
 *   library whose way it is, mpich or openmpi; the bitmap has none, whatever stands here
 *   members, of ranks at equal distances from rank 0 on; 0 for all ranks
 *   seconds that the other ranks compute before they do their part
 * Metrics: creation_time_s, from the start until the last member has its group;
 *   outside_time_s, what the slowest other rank loses beside its computation. */
#include "arguments.h"
#include "creation.h"
#include "multicast.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TAG = 0 };

static int is_bitmap(const char *call) {
    return strcmp(call, "bitmap") == 0;
}

static void by_bitmap(const MGEN_Creation *creation, int rank) {
    MGEN_Multicast group = rank == 0 ? MGEN_Multicast_begin(creation->comm, creation->tag, 0,
                                                            creation->ranks, creation->count)
                                     : MGEN_Multicast_join(creation->comm, creation->tag);
    MGEN_Multicast_end(&group);
}

/* Makes the group, unless this rank has no part in it. Returns the communicator. */
static MGEN_Comm make(const MGEN_Creation *creation, int rank, int is_member) {
    if (is_bitmap(creation->call)) {
        if (is_member) {
            by_bitmap(creation, rank);
        }
        return MGEN_COMM_NULL;
    }
    if (!is_member && strcmp(creation->call, "comm_create_group") == 0) {
        return MGEN_COMM_NULL;
    }
    return MGEN_Creation_run(creation);
}

int MGEN_Main(int argc, char **argv) {
    int rank;
    int size;
    MGEN_Comm_rank(MGEN_COMM_WORLD, &rank);
    MGEN_Comm_size(MGEN_COMM_WORLD, &size);
    const char *call = argc > 1 ? argv[1] : "";
    const char *library = argc > 2 ? argv[2] : "";
    MGEN_Arguments given = {argc, argv, 0};
    int count = MGEN_Argument_int(&given, 3, "members", 0, 0);
    double busy_s = MGEN_Argument_seconds(&given, 4, "seconds that the other ranks compute", 0);
    if (given.wrong > 0) {
        return 2;
    }
    count = count == 0 ? size : count;
    MGEN_Creation creation = {call, library, MGEN_COMM_WORLD, TAG, NULL, count};
    const char *refusal = is_bitmap(call) ? NULL : MGEN_Creation_refusal(&creation);
    refusal = count > size ? "the members are more than the ranks" : refusal;
    if (refusal != NULL) {
        if (rank == 0) {
            fprintf(stderr, "group_creation %s %s, %d members of %d ranks: %s\n", call, library,
                    count, size, refusal);
        }
        return 2;
    }
    int is_member = 0;
    int *ranks = malloc((size_t)count * sizeof *ranks);
    for (int i = 0; i < count; i++) {
        ranks[i] = (int)((long)i * size / count);
        is_member |= ranks[i] == rank;
    }
    creation.ranks = ranks;
    double start_s = MGEN_Wtime();
    if (!is_member) {
        MGEN_Comp(busy_s);
    }
    MGEN_Comm made = make(&creation, rank, is_member);
    double time_s = MGEN_Wtime() - start_s;
    if (is_member) {
        MGEN_Sample("creation_time_s", time_s);
    } else {
        MGEN_Sample("outside_time_s", time_s > busy_s ? time_s - busy_s : 0);
    }
    if (made != MGEN_COMM_NULL) {
        MGEN_Comm_free(&made);
    }
    free(ranks);
    return 0;
}
