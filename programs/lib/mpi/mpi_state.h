/* What the calls of mpi.h share in the simulator. A rank has no globals here: that would cost every
 * switch between ranks a copy. All it knows hangs on mgen_own. */
#ifndef MPI_STATE_H
#define MPI_STATE_H

#include "collective.h"
#include "mpi.h"

/* Objects by number, from 0 on. */
struct table {
    void **items;
    int count;
    int room;
    int free; /* no place before this one is free */
};
/* Puts an object into the first free place. */
int mgen_table_add(struct table *table, void *item);
/* NULL if there is no such object. */
void *mgen_table_get(const struct table *table, int number);
void mgen_table_remove(struct table *table, int number);

struct schedule;

struct mpi_state {
    int initialized;
    int finalized;
    int thread_level;
    int tools_opened;
    struct table types;
    struct table ops;
    struct table groups;
    struct table requests;
    struct table keyvals;
    struct table handlers;
    struct table infos;
    struct table windows;
    struct table comms; /* what a communicator has beside its members, by its handle */
    struct table error_texts;
    struct table files;
    int sessions;     /* that are open */
    int without_data; /* NULL as a buffer stands for data at which nobody looks */
    /* The next collective with a request is kept for this call, and not begun. */
    const char *keeps_for;
    int file_handler; /* of files that will be opened */
    /* The buffer of MPI_Buffer_attach, and the messages that left from it. */
    void *buffer;
    int buffer_bytes;
    MPI_Request *buffered;
    int buffered_count;
    int buffered_room;
};

struct mpi_state *mgen_mpi(void);

/* Memory that is never NULL, at first zeros; the rank fails if there is none. What
 * mgen_more_memory adds is as it is. */
void *mgen_memory(size_t bytes);
void *mgen_more_memory(void *memory, size_t bytes);

/* Ends the run: `call` cannot work. */
int mgen_fails(const char *call, const char *why);

/* What a class of errors means; NULL for those that have no text. */
const char *mgen_error_text(int code);

/* Ends what mgen_enter or mgen_label began. */
int mgen_left(int code);

/* Datatypes. */

/* Bytes of one block that lie together, of basic elements of `element` bytes. */
struct block {
    MPI_Aint offset;
    size_t bytes;
    size_t element;
};

struct type {
    const char *name;
    MPI_Count size;
    MPI_Aint lb;
    MPI_Aint extent;
    MPI_Aint true_lb;
    MPI_Aint true_extent;
    MPI_Aint alignment;
    const struct block *blocks;
    size_t block_count;
    int together; /* the blocks of one element lie one behind the other */
    int basic;    /* the predefined type that it is made of; 0 if there are several */
    int combiner;
    int integer_count;
    int address_count;
    int type_count;
    int *integers;
    MPI_Aint *addresses;
    MPI_Datatype *types;
    int references;
    int is_freed;
    int is_committed;
    char *given_name;
    struct attributes *attributes;
};

enum { FIRST_DERIVED = 0x40000000 };

static inline int mgen_is_derived(MPI_Datatype type) {
    return type >= FIRST_DERIVED;
}

/* Whether mgen.h has the type: all that is needed is its size. */
static inline int mgen_is_plain(MPI_Datatype type) {
    return type >= MGEN_TYPE(1, 0) && type < MGEN_TYPE(12, 0);
}

/* The same of a buffer that is an address, and not NULL, MPI_BOTTOM or MPI_IN_PLACE. */
static inline int mgen_is_easy(const void *buffer, MPI_Datatype type) {
    return mgen_is_plain(type) && buffer != NULL && buffer != MPI_IN_PLACE;
}

/* Fails if there is no such type: in the call that the rank has entered, or in `call`. */
const struct type *mgen_type(MPI_Datatype type);
const struct type *mgen_type_of(const char *call, MPI_Datatype type);
const struct type *mgen_predefined(MPI_Datatype type);
/* Whether the data of so many elements lie one behind the other in memory. */
int mgen_is_dense(const struct type *type, MPI_Count count);
/* A type that is held stays when the program frees it, until it is released as often. */
void mgen_type_hold(MPI_Datatype type);
void mgen_type_release(MPI_Datatype type);
/* Whether any number of elements is one block: windows of characters hold millions. */
int mgen_has_no_gaps(const struct type *type);
/* Fails if a derived type is not committed. */
size_t mgen_data_bytes(MPI_Datatype type, MPI_Count count);
/* Whether a buffer has no data at which anybody looks: NULL in a replay. Else NULL is MPI_BOTTOM.
 */
int mgen_is_nothing(const void *buffer);
/* A buffer so many bytes behind the begin of another one. */
void *mgen_place(const void *buffer, MPI_Aint offset);
/* Fails if elements lie where no memory of a program is: at NULL, or at MPI_IN_PLACE. */
void mgen_check_buffer(const void *buffer, MPI_Count count, const struct type *type);
/* The same of elements that a call will send or receive, and of their type and count; outside of a
 * call that the rank has entered. */
void mgen_check_data(const char *call, const void *buffer, MPI_Count count, MPI_Datatype type,
                     int is_sent);
/* Copies elements to dense memory or back, at most `bytes` bytes. */
void mgen_pack(void *dense, const void *buffer, MPI_Count count, MPI_Datatype type, size_t bytes);
void mgen_unpack(const void *dense, void *buffer, MPI_Count count, MPI_Datatype type, size_t bytes);

/* Data of a call, dense: in the caller's memory if they are so there, else in a copy. */
struct dense {
    void *data;
    size_t bytes;
    void *copy;
    void *buffer;
    MPI_Count count;
    MPI_Datatype type;
    int holds_type; /* to unpack the copy, also when the program has freed the type */
};
struct dense mgen_dense(const void *buffer, MPI_Count count, MPI_Datatype type, int is_sent);
/* Of what is sent first, before other data take its place. */
struct dense mgen_dense_exchanged(const void *buffer, MPI_Count count, MPI_Datatype type);
/* Ends a send; ends a receive of so many bytes. */
void mgen_dense_free(struct dense *dense);
void mgen_dense_received(struct dense *dense, size_t bytes);

/* Bytes as count and type of the simulator. */
struct amount {
    int count;
    MGEN_Datatype type;
};
struct amount mgen_amount(size_t bytes);

#endif
