/* One-sided operations. Data are packed at one end, travel as one message, and are unpacked or
 * combined at the other end when they arrive. */
#include "mpi_epoch_rules.h"
#include "mpi_ops.h"

enum what_kind { WHAT_PUT, WHAT_GET, WHAT_COMBINE, WHAT_COMPARE, WHAT_NOTHING };

/* An operation on the memory of a target. Its types may be freed before it arrives there, so it
 * holds the blocks. */
struct what {
    enum what_kind kind;
    char *base;
    char *first; /* byte that it touches */
    MPI_Count count;
    MPI_Aint extent;
    size_t block_count;
    struct block *blocks;
    size_t bytes;
    MPI_Datatype basic;
    MPI_Op op;
    int has_answer;
};

static struct what *what_of(enum what_kind kind, char *base, int count, MPI_Datatype type,
                            MPI_Op op, int has_answer) {
    const struct type *known = mgen_type(type);
    struct what *made = mgen_memory(sizeof *made);
    *made = (struct what){kind,
                          base,
                          base + known->true_lb,
                          count,
                          known->extent,
                          known->block_count,
                          mgen_memory(known->block_count * sizeof(struct block)),
                          mgen_data_bytes(type, count),
                          known->basic,
                          op,
                          has_answer};
    memcpy(made->blocks, known->blocks, known->block_count * sizeof(struct block));
    if (mgen_has_no_gaps(known)) {
        made->blocks[0].bytes = made->bytes;
        made->count = 1;
    }
    return made;
}

/* Copies between dense memory and the target's. */
static void move(const struct what *what, char *dense, long shift, int is_written) {
    for (MPI_Count i = 0; i < what->count; i++) {
        char *element = what->base + shift + i * what->extent;
        for (size_t j = 0; j < what->block_count; j++) {
            char *place = element + what->blocks[j].offset;
            size_t bytes = what->blocks[j].bytes;
            memcpy(is_written ? place : dense, is_written ? dense : place, bytes);
            dense += bytes;
        }
    }
}

/* Old values with the ones that came, in the type that all elements have. */
static void combine(const struct what *what, const void *data, long shift) {
    char *old = mgen_memory(what->bytes);
    move(what, old, shift, 0);
    mgen_combine_dense(data, old, what->bytes, what->basic, what->op);
    move(what, old, shift, 1);
    free(old);
}

static int effect(void *what_, const void *data, void *answer, long shift, int number) {
    struct what *what = what_;
    (void)number;
    if (what->has_answer && answer != NULL) {
        move(what, answer, shift, 0);
    }
    if (what->kind == WHAT_PUT && data != NULL) {
        move(what, (char *)data, shift, 1);
    } else if (what->kind == WHAT_COMBINE && data != NULL && what->op != MPI_NO_OP) {
        combine(what, data, shift);
    } else if (what->kind == WHAT_COMPARE && data != NULL) {
        const char *expected = (const char *)data + what->bytes;
        if (memcmp(what->base + shift, expected, what->bytes) == 0) {
            memcpy(what->base + shift, data, what->bytes);
        }
    }
    free(what->blocks);
    free(what);
    return 1;
}

/* Where the operation begins in the memory of the target. */
static char *target_place(const struct window *window, int target, MPI_Aint place, int count,
                          MPI_Datatype type) {
    const struct opened *opened = &window->opened[target];
    const struct type *known = mgen_type(type);
    char *begin = opened->base + place * opened->unit;
    int has_bounds = window->flavor != MPI_WIN_FLAVOR_DYNAMIC && window->flavor != FLAVOR_EMPTY;
    if (has_bounds && count > 0 && known->size > 0) {
        MPI_Aint first = place * opened->unit + known->true_lb;
        MPI_Aint last = first + (count - 1) * known->extent + known->true_extent;
        if (first < 0 || last > opened->size) {
            mgen_fail("it reaches beyond the memory of the window");
        }
    }
    return begin;
}

/* Effects cannot fail, so what an operator cannot do is refused before. */
static void check_op(MPI_Datatype type, MPI_Op op) {
    const struct type *known = mgen_type(type);
    const struct type *basic = known->basic != 0 ? mgen_type(known->basic) : NULL;
    if (basic == NULL) {
        mgen_fail("elements of several types are not accumulated");
    }
    char nothing = 0;
    char neither = 0;
    mgen_op_commutes(op);
    mgen_combine_now(&nothing, &neither, 0, known->basic, op);
}

static long begin(struct window *window, int target, const struct dense *data, void *answer,
                  size_t answer_bytes, struct what *what) {
    int world = mgen_comm_member(window->comm, target);
    if (window->flavor == FLAVOR_EMPTY) {
        what->kind = WHAT_NOTHING;
        what->has_answer = 0;
    }
    return mgen_apply(world, data->data, data->bytes, answer, answer_bytes, what->first, effect,
                      what);
}

static const struct dense NOTHING;

/* A call of the window completes the operation, or its request, whichever comes first. */
static void note(struct window *window, int target, long handle, MPI_Request *request) {
    struct operation *begun = mgen_operation_begin(window, target, handle);
    if (request != NULL) {
        struct request *made = mgen_request_new(REQUEST_PUTS);
        made->operation = mgen_operation_hold(begun);
        *request = mgen_request_add(made);
    }
}

static void none(MPI_Request *request) {
    if (request != NULL) {
        *request = mgen_request_add(mgen_request_new(REQUEST_DONE));
    }
}

static int put(const char *call, const void *origin, int count, MPI_Datatype type, int target,
               MPI_Aint place, int target_count, MPI_Datatype target_type, enum what_kind kind,
               MPI_Op op, MPI_Win win, MPI_Request *request) {
    mgen_label(call);
    struct window *window = mgen_window(win);
    if (target == MPI_PROC_NULL) {
        none(request);
        return mgen_left(MPI_SUCCESS);
    }
    if (kind == WHAT_COMBINE) {
        check_op(target_type, op);
    }
    const char *why = mgen_no_operation(window, target);
    if (why != NULL) {
        return mgen_wrong_epoch(call, win, why);
    }
    char *start = target_place(window, target, place, target_count, target_type);
    struct dense data = mgen_dense(origin, count, type, 1);
    struct what *what = what_of(kind, start, target_count, target_type, op, 0);
    note(window, target, begin(window, target, &data, NULL, 0, what), request);
    mgen_dense_free(&data);
    return mgen_left(MPI_SUCCESS);
}

/* Data that come back go straight to memory if they lie together there; else the call waits for
 * them. */
static int get(const char *call, struct dense data, void *result, int count, MPI_Datatype type,
               int target, MPI_Aint place, int target_count, MPI_Datatype target_type,
               enum what_kind kind, MPI_Op op, MPI_Win win, MPI_Request *request) {
    mgen_label(call);
    struct window *window = mgen_window(win);
    const char *why = mgen_no_operation(window, target);
    if (why != NULL) {
        mgen_dense_free(&data);
        return mgen_wrong_epoch(call, win, why);
    }
    char *start = target_place(window, target, place, target_count, target_type);
    struct dense answer = mgen_dense(result, count, type, 0);
    struct what *what = what_of(kind, start, target_count, target_type, op, 1);
    long handle = begin(window, target, &data, answer.data, what->bytes, what);
    if (answer.copy != NULL) {
        MGEN_rdma_complete(handle);
        mgen_dense_received(&answer, answer.bytes);
        none(request);
    } else {
        note(window, target, handle, request);
    }
    mgen_dense_free(&data);
    return mgen_left(MPI_SUCCESS);
}

static int get_accumulate(const char *call, const void *origin, int count, MPI_Datatype type,
                          void *result, int result_count, MPI_Datatype result_type, int target,
                          MPI_Aint place, int target_count, MPI_Datatype target_type, MPI_Op op,
                          MPI_Win win, MPI_Request *request) {
    if (target == MPI_PROC_NULL) {
        none(request);
        return MPI_SUCCESS;
    }
    mgen_label(call);
    check_op(target_type, op);
    struct dense data = op == MPI_NO_OP ? NOTHING : mgen_dense(origin, count, type, 1);
    enum what_kind kind = op == MPI_NO_OP ? WHAT_GET : op == MPI_REPLACE ? WHAT_PUT : WHAT_COMBINE;
    return get(call, data, result, result_count, result_type, target, place, target_count,
               target_type, kind, op, win, request);
}

int MPI_Put(const void *origin, int count, MPI_Datatype type, int target, MPI_Aint place,
            int target_count, MPI_Datatype target_type, MPI_Win win) {
    return put(__func__, origin, count, type, target, place, target_count, target_type, WHAT_PUT,
               MPI_REPLACE, win, NULL);
}

int MPI_Rput(const void *origin, int count, MPI_Datatype type, int target, MPI_Aint place,
             int target_count, MPI_Datatype target_type, MPI_Win win, MPI_Request *request) {
    return put(__func__, origin, count, type, target, place, target_count, target_type, WHAT_PUT,
               MPI_REPLACE, win, request);
}

int MPI_Accumulate(const void *origin, int count, MPI_Datatype type, int target, MPI_Aint place,
                   int target_count, MPI_Datatype target_type, MPI_Op op, MPI_Win win) {
    return put(__func__, origin, count, type, target, place, target_count, target_type,
               op == MPI_REPLACE ? WHAT_PUT : WHAT_COMBINE, op, win, NULL);
}

int MPI_Raccumulate(const void *origin, int count, MPI_Datatype type, int target, MPI_Aint place,
                    int target_count, MPI_Datatype target_type, MPI_Op op, MPI_Win win,
                    MPI_Request *request) {
    return put(__func__, origin, count, type, target, place, target_count, target_type,
               op == MPI_REPLACE ? WHAT_PUT : WHAT_COMBINE, op, win, request);
}

static int got(const char *call, void *origin, int count, MPI_Datatype type, int target,
               MPI_Aint place, int target_count, MPI_Datatype target_type, MPI_Win win,
               MPI_Request *request) {
    if (target == MPI_PROC_NULL) {
        none(request);
        return MPI_SUCCESS;
    }
    return get(call, NOTHING, origin, count, type, target, place, target_count, target_type,
               WHAT_GET, MPI_NO_OP, win, request);
}

int MPI_Get(void *origin, int count, MPI_Datatype type, int target, MPI_Aint place,
            int target_count, MPI_Datatype target_type, MPI_Win win) {
    return got(__func__, origin, count, type, target, place, target_count, target_type, win, NULL);
}

int MPI_Rget(void *origin, int count, MPI_Datatype type, int target, MPI_Aint place,
             int target_count, MPI_Datatype target_type, MPI_Win win, MPI_Request *request) {
    return got(__func__, origin, count, type, target, place, target_count, target_type, win,
               request);
}

int MPI_Get_accumulate(const void *origin, int count, MPI_Datatype type, void *result,
                       int result_count, MPI_Datatype result_type, int target, MPI_Aint place,
                       int target_count, MPI_Datatype target_type, MPI_Op op, MPI_Win win) {
    return get_accumulate(__func__, origin, count, type, result, result_count, result_type, target,
                          place, target_count, target_type, op, win, NULL);
}

int MPI_Rget_accumulate(const void *origin, int count, MPI_Datatype type, void *result,
                        int result_count, MPI_Datatype result_type, int target, MPI_Aint place,
                        int target_count, MPI_Datatype target_type, MPI_Op op, MPI_Win win,
                        MPI_Request *request) {
    return get_accumulate(__func__, origin, count, type, result, result_count, result_type, target,
                          place, target_count, target_type, op, win, request);
}

int MPI_Fetch_and_op(const void *origin, void *result, MPI_Datatype type, int target,
                     MPI_Aint place, MPI_Op op, MPI_Win win) {
    return get_accumulate(__func__, origin, 1, type, result, 1, type, target, place, 1, type, op,
                          win, NULL);
}

int MPI_Compare_and_swap(const void *origin, const void *expected, void *result, MPI_Datatype type,
                         int target, MPI_Aint place, MPI_Win win) {
    if (target == MPI_PROC_NULL) {
        return MPI_SUCCESS;
    }
    mgen_label(__func__);
    size_t bytes = mgen_data_bytes(type, 1);
    struct dense both = {.bytes = 2 * bytes};
    both.data = both.copy = mgen_memory(both.bytes);
    memcpy(both.data, origin, bytes);
    memcpy((char *)both.data + bytes, expected, bytes);
    return get(__func__, both, result, 1, type, target, place, 1, type, WHAT_COMPARE, MPI_REPLACE,
               win, NULL);
}
