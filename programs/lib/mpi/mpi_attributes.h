/* Attributes of communicators, types and windows. */
#ifndef MPI_ATTRIBUTES_H
#define MPI_ATTRIBUTES_H

#include "mpi_state.h"

enum keyval_kind { KEYVAL_COMM, KEYVAL_TYPE, KEYVAL_WIN };

struct attributes {
    int count;
    int *keys;
    void **values;
};

/* Calls what the program gave for the end of each, the last one first. */
void mgen_attributes_free(enum keyval_kind kind, int object, struct attributes **attributes);
/* Gives a copy of `object` the attributes that are to be copied. */
void mgen_attributes_copy(enum keyval_kind kind, int object, const struct attributes *attributes,
                          struct attributes **copies);
int mgen_keyval_create(const char *call, enum keyval_kind kind, MPI_Comm_copy_attr_function *copy,
                       MPI_Comm_delete_attr_function *delete, int *key, void *extra);
int mgen_keyval_free(const char *call, int *key);
/* `call` names the call in messages. */
int mgen_attribute_set(const char *call, enum keyval_kind kind, int object,
                       struct attributes **attributes, int key, void *value);
int mgen_attribute_get(const struct attributes *attributes, int key, void *value, int *flag);
int mgen_attribute_delete(const char *call, enum keyval_kind kind, int object,
                          struct attributes **attributes, int key);

#endif
