/* Attributes: what a program keeps with a communicator, a type or a window. Handles of all three
 * are numbers, so one kind of function serves them all. */
#include "mpi_attributes.h"

enum { FIRST_KEY = 100 };

struct keyval {
    enum keyval_kind kind;
    MPI_Comm_copy_attr_function *copy;
    MPI_Comm_delete_attr_function *delete;
    void *extra;
};

static struct keyval *keyval(int key) {
    return mgen_table_get(&mgen_mpi()->keyvals, key - FIRST_KEY);
}

int mgen_keyval_create(const char *call, enum keyval_kind kind, MPI_Comm_copy_attr_function *copy,
                       MPI_Comm_delete_attr_function *delete, int *key, void *extra) {
    mgen_called(call);
    struct keyval *made = mgen_memory(sizeof *made);
    *made = (struct keyval){kind, copy, delete, extra};
    *key = FIRST_KEY + mgen_table_add(&mgen_mpi()->keyvals, made);
    return MPI_SUCCESS;
}

/* Attributes with the key may remain, so it stays known. */
int mgen_keyval_free(const char *call, int *key) {
    mgen_called(call);
    *key = MPI_KEYVAL_INVALID;
    return MPI_SUCCESS;
}

static int place_of(const struct attributes *attributes, int key) {
    for (int i = 0; attributes != NULL && i < attributes->count; i++) {
        if (attributes->keys[i] == key) {
            return i;
        }
    }
    return -1;
}

static int ended(enum keyval_kind kind, int object, int key, void *value) {
    struct keyval *known = keyval(key);
    if (known == NULL || known->kind != kind || known->delete == NULL) {
        return MPI_SUCCESS;
    }
    return known->delete(object, key, value, known->extra);
}

static void put(struct attributes **attributes, int key, void *value) {
    if (*attributes == NULL) {
        *attributes = mgen_memory(sizeof **attributes);
        **attributes = (struct attributes){0};
    }
    struct attributes *all = *attributes;
    size_t count = (size_t)all->count + 1;
    all->keys = mgen_more_memory(all->keys, count * sizeof *all->keys);
    all->values = mgen_more_memory(all->values, count * sizeof *all->values);
    all->keys[all->count] = key;
    all->values[all->count++] = value;
}

int mgen_attribute_set(const char *call, enum keyval_kind kind, int object,
                       struct attributes **attributes, int key, void *value) {
    struct keyval *known = keyval(key);
    if (known == NULL || known->kind != kind) {
        return mgen_fails(call, "there is no such key");
    }
    int place = place_of(*attributes, key);
    if (place < 0) {
        put(attributes, key, value);
        return MPI_SUCCESS;
    }
    int code = ended(kind, object, key, (*attributes)->values[place]);
    (*attributes)->values[place] = value;
    return code;
}

int mgen_attribute_get(const struct attributes *attributes, int key, void *value, int *flag) {
    int place = place_of(attributes, key);
    *flag = place >= 0;
    if (place >= 0) {
        *(void **)value = attributes->values[place];
    }
    return MPI_SUCCESS;
}

int mgen_attribute_delete(const char *call, enum keyval_kind kind, int object,
                          struct attributes **attributes, int key) {
    int place = place_of(*attributes, key);
    if (place < 0) {
        return mgen_fails(call, "there is no attribute with this key");
    }
    struct attributes *all = *attributes;
    int code = ended(kind, object, key, all->values[place]);
    for (int i = place + 1; i < all->count; i++) {
        all->keys[i - 1] = all->keys[i];
        all->values[i - 1] = all->values[i];
    }
    all->count--;
    return code;
}

void mgen_attributes_free(enum keyval_kind kind, int object, struct attributes **attributes) {
    struct attributes *all = *attributes;
    if (all == NULL) {
        return;
    }
    for (int i = all->count - 1; i >= 0; i--) {
        ended(kind, object, all->keys[i], all->values[i]);
    }
    free(all->keys);
    free(all->values);
    free(all);
    *attributes = NULL;
}

void mgen_attributes_copy(enum keyval_kind kind, int object, const struct attributes *attributes,
                          struct attributes **copies) {
    for (int i = 0; attributes != NULL && i < attributes->count; i++) {
        int key = attributes->keys[i];
        struct keyval *known = keyval(key);
        void *value = attributes->values[i];
        int flag = 0;
        if (known == NULL || known->kind != kind || known->copy == NULL) {
            continue;
        }
        if (known->copy == mgen_dup_fn) {
            flag = 1;
        } else {
            known->copy(object, key, known->extra, attributes->values[i], &value, &flag);
        }
        if (flag) {
            put(copies, key, value);
        }
    }
}

int mgen_dup_fn(int object, int key, void *extra, void *value, void *copy, int *flag) {
    (void)object;
    (void)key;
    (void)extra;
    *(void **)copy = value;
    *flag = 1;
    return MPI_SUCCESS;
}

int MPI_Type_create_keyval(MPI_Type_copy_attr_function *copy, MPI_Type_delete_attr_function *delete,
                           int *key, void *extra) {
    return mgen_keyval_create(__func__, KEYVAL_TYPE, copy, delete, key, extra);
}

int MPI_Type_free_keyval(int *key) {
    return mgen_keyval_free(__func__, key);
}

static struct attributes **of_type(const char *call, MPI_Datatype type) {
    if (!mgen_is_derived(type)) {
        mgen_fails(call, "a predefined type has no attributes here");
    }
    return &((struct type *)mgen_type_of(call, type))->attributes;
}

int MPI_Type_set_attr(MPI_Datatype type, int key, void *value) {
    return mgen_attribute_set(__func__, KEYVAL_TYPE, type, of_type(__func__, type), key, value);
}

int MPI_Type_get_attr(MPI_Datatype type, int key, void *value, int *flag) {
    return mgen_attribute_get(*of_type(__func__, type), key, value, flag);
}

int MPI_Type_delete_attr(MPI_Datatype type, int key) {
    return mgen_attribute_delete(__func__, KEYVAL_TYPE, type, of_type(__func__, type), key);
}
