/* Hints: pairs of texts, in the order in which a program has set them. */
#include "mpi_state.h"

enum { FIRST_INFO = 2 };

struct pair {
    char *key;
    char *value;
};

struct hints {
    struct pair *pairs;
    int count;
};

static struct hints *hints(const char *call, MPI_Info info) {
    struct hints *known = mgen_table_get(&mgen_mpi()->infos, info - FIRST_INFO);
    if (known == NULL) {
        mgen_fails(call,
                   info == MPI_INFO_NULL ? "MPI_INFO_NULL holds nothing" : "there is no such info");
    }
    return known;
}

/* MPI_INFO_ENV has no keys here, and stays so. */
static const struct hints *readable(const char *call, MPI_Info info) {
    static const struct hints NOTHING;
    return info == MPI_INFO_ENV ? &NOTHING : hints(call, info);
}

static int place_of(const struct hints *all, const char *key) {
    for (int i = 0; i < all->count; i++) {
        if (strcmp(all->pairs[i].key, key) == 0) {
            return i;
        }
    }
    return -1;
}

static char *text_of(const char *text) {
    char *copy = mgen_memory(strlen(text) + 1);
    strcpy(copy, text);
    return copy;
}

int MPI_Info_create(MPI_Info *info) {
    struct hints *made = mgen_memory(sizeof *made);
    *made = (struct hints){NULL, 0};
    *info = FIRST_INFO + mgen_table_add(&mgen_mpi()->infos, made);
    return MPI_SUCCESS;
}

int MPI_Info_set(MPI_Info info, const char *key, const char *value) {
    struct hints *all = hints(__func__, info);
    int place = place_of(all, key);
    if (place >= 0) {
        free(all->pairs[place].value);
        all->pairs[place].value = text_of(value);
        return MPI_SUCCESS;
    }
    all->pairs = mgen_more_memory(all->pairs, ((size_t)all->count + 1) * sizeof *all->pairs);
    all->pairs[all->count++] = (struct pair){text_of(key), text_of(value)};
    return MPI_SUCCESS;
}

int MPI_Info_delete(MPI_Info info, const char *key) {
    struct hints *all = hints(__func__, info);
    int place = place_of(all, key);
    if (place < 0) {
        return mgen_fails(__func__, "the info has no such key");
    }
    free(all->pairs[place].key);
    free(all->pairs[place].value);
    all->count--;
    memmove(&all->pairs[place], &all->pairs[place + 1],
            (size_t)(all->count - place) * sizeof *all->pairs);
    return MPI_SUCCESS;
}

int MPI_Info_get(MPI_Info info, const char *key, int most, char *value, int *flag) {
    const struct hints *all = readable(__func__, info);
    int place = place_of(all, key);
    *flag = place >= 0;
    if (place >= 0) {
        snprintf(value, (size_t)most + 1, "%s", all->pairs[place].value);
    }
    return MPI_SUCCESS;
}

int MPI_Info_get_valuelen(MPI_Info info, const char *key, int *length, int *flag) {
    const struct hints *all = readable(__func__, info);
    int place = place_of(all, key);
    *flag = place >= 0;
    if (place >= 0) {
        *length = (int)strlen(all->pairs[place].value);
    }
    return MPI_SUCCESS;
}

int MPI_Info_get_nkeys(MPI_Info info, int *count) {
    *count = readable(__func__, info)->count;
    return MPI_SUCCESS;
}

int MPI_Info_get_nthkey(MPI_Info info, int number, char *key) {
    const struct hints *all = readable(__func__, info);
    if (number < 0 || number >= all->count) {
        return mgen_fails(__func__, "the info has fewer keys");
    }
    strcpy(key, all->pairs[number].key);
    return MPI_SUCCESS;
}

int MPI_Info_dup(MPI_Info info, MPI_Info *made) {
    const struct hints *all = readable(__func__, info);
    MPI_Info_create(made);
    for (int i = 0; i < all->count; i++) {
        MPI_Info_set(*made, all->pairs[i].key, all->pairs[i].value);
    }
    return MPI_SUCCESS;
}

int MPI_Info_free(MPI_Info *info) {
    struct hints *all = hints(__func__, *info);
    for (int i = 0; i < all->count; i++) {
        free(all->pairs[i].key);
        free(all->pairs[i].value);
    }
    free(all->pairs);
    free(all);
    mgen_table_remove(&mgen_mpi()->infos, *info - FIRST_INFO);
    *info = MPI_INFO_NULL;
    return MPI_SUCCESS;
}
