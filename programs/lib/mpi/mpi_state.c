/* What a rank knows beside its messages. */
#include "mpi_state.h"

enum { STATE = 0 };

struct mpi_state *mgen_mpi(void) {
    void **own = mgen_own();
    if (own[STATE] == NULL) {
        struct mpi_state *made = mgen_memory(sizeof *made);
        memset(made, 0, sizeof *made);
        own[STATE] = made;
    }
    return own[STATE];
}

static void *existing(void *made) {
    if (made == NULL) {
        mgen_fail("there is no memory for it");
    }
    return made;
}

void mgen_without_data(void) {
    mgen_mpi()->without_data = 1;
}

int mgen_is_nothing(const void *buffer) {
    return buffer == NULL && mgen_mpi()->without_data;
}

void *mgen_place(const void *buffer, MPI_Aint offset) {
    return mgen_is_nothing(buffer) ? NULL : (char *)buffer + offset;
}

void *mgen_memory(size_t bytes) {
    return existing(calloc(bytes > 0 ? bytes : 1, 1));
}

void *mgen_more_memory(void *memory, size_t bytes) {
    return existing(realloc(memory, bytes > 0 ? bytes : 1));
}

int mgen_fails(const char *call, const char *why) {
    mgen_label(call);
    mgen_fail(why);
    return MPI_ERR_OTHER;
}

int mgen_left(int code) {
    mgen_leave();
    return code;
}

int mgen_table_add(struct table *table, void *item) {
    int number = table->free;
    while (number < table->count && table->items[number] != NULL) {
        number++;
    }
    if (number == table->room) {
        table->room = table->room > 0 ? 2 * table->room : 8;
        table->items = mgen_more_memory(table->items, (size_t)table->room * sizeof *table->items);
    }
    if (number == table->count) {
        table->count++;
    }
    table->items[number] = item;
    table->free = number + 1;
    return number;
}

void *mgen_table_get(const struct table *table, int number) {
    return number >= 0 && number < table->count ? table->items[number] : NULL;
}

void mgen_table_remove(struct table *table, int number) {
    table->items[number] = NULL;
    table->free = number < table->free ? number : table->free;
    while (table->count > 0 && table->items[table->count - 1] == NULL) {
        table->count--;
    }
}
