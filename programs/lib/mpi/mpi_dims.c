/* Sizes of a grid for a number of ranks: as equal as factors allow, the largest first. */
#include "mpi_state.h"

struct search {
    int count;
    int *sizes;
    int *best;
    int has_best;
};

/* Whether the sizes found are better: the largest one counts first, then the next. Both are sorted.
 */
static int is_better(const struct search *search) {
    if (!search->has_best) {
        return 1;
    }
    for (int i = 0; i < search->count; i++) {
        if (search->sizes[i] != search->best[i]) {
            return search->sizes[i] < search->best[i];
        }
    }
    return 0;
}

/* Sizes from place `at` on, none larger than the one before, whose product is `rest`. */
static void look(struct search *search, int at, int rest, int most) {
    if (at == search->count - 1) {
        if (rest > most) {
            return;
        }
        search->sizes[at] = rest;
        if (is_better(search)) {
            memcpy(search->best, search->sizes, (size_t)search->count * sizeof *search->best);
            search->has_best = 1;
        }
        return;
    }
    for (int size = 1; size <= most && size <= rest; size++) {
        if (rest % size == 0) {
            search->sizes[at] = size;
            look(search, at + 1, rest / size, size);
        }
    }
}

int MPI_Dims_create(int ranks, int dimensions, int *sizes) {
    mgen_called(__func__);
    int rest = ranks;
    int open = 0;
    for (int i = 0; i < dimensions; i++) {
        if (sizes[i] < 0 || (sizes[i] > 0 && rest % sizes[i] != 0)) {
            return mgen_fails("MPI_Dims_create",
                              "the sizes that are given do not divide the ranks");
        }
        rest = sizes[i] > 0 ? rest / sizes[i] : rest;
        open += sizes[i] == 0;
    }
    if (open == 0) {
        if (rest != 1) {
            return mgen_fails("MPI_Dims_create", "the grid has not as many cells as ranks");
        }
        return MPI_SUCCESS;
    }
    struct search search = {open, mgen_memory((size_t)open * sizeof(int)),
                            mgen_memory((size_t)open * sizeof(int)), 0};
    look(&search, 0, rest, rest);
    for (int i = 0, next = 0; i < dimensions; i++) {
        if (sizes[i] == 0) {
            sizes[i] = search.best[next++];
        }
    }
    free(search.sizes);
    free(search.best);
    return MPI_SUCCESS;
}
