/* Making communicators as MPI libraries do: see creation.h.
 *
 * Sources. MPICH 4.0 to 5.0: comm_split.c (MPIR_Comm_split_impl), comm_impl.c
 * (MPIR_Comm_create_intra, MPIR_Comm_create_group), contextid.c (MPIR_Get_contextid_sparse_group),
 * allreduce_group.c (MPII_Allreduce_group_intra). Open MPI 4.1 and 5.0: comm.c (ompi_comm_split,
 * ompi_comm_create, ompi_comm_create_group), comm_cid.c (ompi_comm_nextcid, ompi_comm_checkcid,
 * ompi_comm_activate, ompi_comm_allreduce_group_nb), nbc_iallreduce.c (allred_sched_diss). */
#include "creation.h"
#include "collective.h"
#include <string.h>

static int is(const char *text, const char *word) {
    return strcmp(text, word) == 0;
}

#ifdef MGEN_OVER_MPI
#include <stdlib.h>

static int is_in_use(const char *library) {
#if defined(OPEN_MPI)
    return is(library, "openmpi");
#elif defined(MPICH_VERSION)
    return is(library, "mpich");
#else
    (void)library;
    return 0;
#endif
}

static const char *refused_here(const char *library) {
    return is_in_use(library) ? NULL : "the program runs with the MPI of another library";
}

MGEN_Comm MGEN_Creation_run(const MGEN_Creation *creation) {
    MPI_Comm made = MPI_COMM_NULL;
    MPI_Group all;
    MPI_Group members;
    int place;
    MPI_Comm_group(creation->comm, &all);
    MPI_Group_incl(all, creation->count, creation->ranks, &members);
    MPI_Group_rank(members, &place);
    if (is(creation->call, "comm_split")) {
        MPI_Comm_split(creation->comm, place == MPI_UNDEFINED ? MPI_UNDEFINED : 0, place, &made);
    } else if (is(creation->call, "comm_create")) {
        MPI_Comm_create(creation->comm, members, &made);
    } else {
        MPI_Comm_create_group(creation->comm, members, creation->tag, &made);
    }
    MPI_Group_free(&members);
    MPI_Group_free(&all);
    return made;
}

#else

/* MPICH: 2,048 numbers of communicators as bits, and a flag. Open MPI: one number. */
enum { MPICH_WORDS = 65, OPENMPI_WORDS = 1 };
/* Open MPI looks for a number, checks it, and waits until all have made the communicator. */
enum { OPENMPI_ROUNDS = 3 };
/* What each rank says of itself in a split: color and key. */
enum { SPLIT_WORDS = 2 };

static const char *refused_here(const char *library) {
    return is(library, "mpich") || is(library, "openmpi")
               ? NULL
               : "the library has to be mpich or openmpi";
}

static void agree(const char *algorithm, int words, MGEN_Comm comm) {
    mgen_collective_allreduce(algorithm, NULL, NULL, words, MGEN_INT, MGEN_BAND, comm);
}

static void split(const MGEN_Creation *creation) {
    size_t bytes = SPLIT_WORDS * sizeof(int);
    struct choice choice = mgen_collective_choice(creation->library, COLLECTIVE_ALLGATHER,
                                                  SPLIT_WORDS, bytes, creation->comm);
    mgen_collective_allgather(choice.name, NULL, NULL, bytes, creation->comm);
}

/* All ranks agree on the number of the new communicator. */
static void number_among_all(const MGEN_Creation *creation) {
    if (is(creation->library, "mpich")) {
        struct choice choice =
            mgen_collective_choice(creation->library, COLLECTIVE_ALLREDUCE, MPICH_WORDS,
                                   MPICH_WORDS * sizeof(int), creation->comm);
        agree(choice.name, MPICH_WORDS, creation->comm);
        return;
    }
    for (int round = 0; round < OPENMPI_ROUNDS; round++) {
        agree("reduce_bcast", OPENMPI_WORDS, creation->comm);
    }
}

/* Recursive doubling: ranks beyond a power of two join their neighbours first. */
static void double_among(const struct members *members, size_t bytes) {
    const struct group *group = members->group;
    int power = mgen_collective_power(members->size);
    int folded = 2 * (members->size - power);
    int number = members->number;
    int active = number < folded ? number / 2 : number - folded / 2;
    if (number < folded && number % 2 == 0) {
        mgen_collective_send(group, NULL, bytes, mgen_collective_rank_of(members, number + 1));
        mgen_collective_receive(group, NULL, bytes, mgen_collective_rank_of(members, number + 1));
        return;
    }
    if (number < folded) {
        mgen_collective_receive(group, NULL, bytes, mgen_collective_rank_of(members, number - 1));
    }
    for (int step = 1; step < power; step *= 2) {
        int other = active ^ step;
        int partner = other < folded / 2 ? 2 * other + 1 : other + folded / 2;
        int rank = mgen_collective_rank_of(members, partner);
        mgen_collective_exchange(group, NULL, bytes, rank, NULL, bytes, rank);
    }
    if (number < folded) {
        mgen_collective_send(group, NULL, bytes, mgen_collective_rank_of(members, number - 1));
    }
}

/* Up and down a binary tree whose node i has the children 2i + 1 and 2i + 2. */
static void climb(const struct members *members, size_t bytes, int down) {
    const struct group *group = members->group;
    int number = members->number;
    if (down && number > 0) {
        int parent = mgen_collective_rank_of(members, (number - 1) / 2);
        mgen_collective_receive(group, NULL, bytes, parent);
    }
    struct batch batch = mgen_collective_batch(2);
    for (int child = 2 * number + 1; child <= 2 * number + 2; child++) {
        if (child < members->size && down) {
            mgen_collective_start_send(group, &batch, NULL, bytes,
                                       mgen_collective_rank_of(members, child));
        } else if (child < members->size) {
            mgen_collective_start_receive(group, &batch, NULL, bytes,
                                          mgen_collective_rank_of(members, child));
        }
    }
    mgen_collective_finish(&batch);
    if (!down && number > 0) {
        int parent = mgen_collective_rank_of(members, (number - 1) / 2);
        mgen_collective_send(group, NULL, bytes, parent);
    }
}

/* The members agree on it among themselves. */
static void number_among_members(const MGEN_Creation *creation) {
    struct group group = {creation->comm, 0, creation->count, creation->tag};
    struct members members = {&group, -1, creation->count, creation->ranks, 0, 0};
    MGEN_Comm_rank(creation->comm, &group.rank);
    for (int number = 0; number < creation->count; number++) {
        members.number = creation->ranks[number] == group.rank ? number : members.number;
    }
    if (members.number < 0) {
        mgen_fail("comm_create_group: a rank that is no member calls it");
    }
    if (is(creation->library, "mpich")) {
        double_among(&members, MPICH_WORDS * sizeof(int));
        return;
    }
    for (int round = 0; round < OPENMPI_ROUNDS; round++) {
        climb(&members, OPENMPI_WORDS * sizeof(int), 0);
        climb(&members, OPENMPI_WORDS * sizeof(int), 1);
    }
}

MGEN_Comm MGEN_Creation_run(const MGEN_Creation *creation) {
    if (is(creation->call, "comm_create_group")) {
        number_among_members(creation);
        return MGEN_COMM_NULL;
    }
    if (is(creation->call, "comm_split")) {
        split(creation);
    }
    number_among_all(creation);
    return MGEN_COMM_NULL;
}

#endif

const char *MGEN_Creation_refusal(const MGEN_Creation *creation) {
    if (!is(creation->call, "comm_split") && !is(creation->call, "comm_create") &&
        !is(creation->call, "comm_create_group")) {
        return "the call has to be comm_split, comm_create or comm_create_group";
    }
    return refused_here(creation->library);
}
