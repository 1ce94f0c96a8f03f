/* One-sided calls outside of the epochs that they need are refused, and a program may go on. */
#include <mpi.h>
#include <stdio.h>

#define SAY(...) (printf("%d: ", rank), printf(__VA_ARGS__), printf("\n"))
#define WORLD MPI_COMM_WORLD
#define IS(call) is(#call, outcome(call))
/* One letter for each of several calls. */
#define NOTE(call) noted[count++] = LETTERS[outcome(call)]
/* The same with a request, which is awaited if there is one. */
#define BEGINS(call)                                                                               \
    do {                                                                                           \
        NOTE(call);                                                                                \
        if (noted[count - 1] == LETTERS[RIGHT]) {                                                  \
            MPI_Wait(&request, MPI_STATUS_IGNORE);                                                 \
        }                                                                                          \
    } while (0)

enum { RIGHT, OUTSIDE, OTHER };

static const char *const NAMES[] = {"is right", "RMA_SYNC", "other"};
static const char LETTERS[] = "+-?";

static int rank, size, next, before;
static const char *part;
static MPI_Win win;
static MPI_Request request;
static MPI_Group to_next, from_before;

static int outcome(int code) {
    int class;
    MPI_Error_class(code, &class);
    return code == MPI_SUCCESS ? RIGHT : class == MPI_ERR_RMA_SYNC ? OUTSIDE : OTHER;
}

static void is(const char *call, int found) {
    SAY("%s: %s %s", part, call, NAMES[found]);
}

static void operations(int to) {
    static int one = 1, two = 2, got;
    char noted[16] = "";
    int count = 0;
    NOTE(MPI_Put(&one, 1, MPI_INT, to, 0, 1, MPI_INT, win));
    NOTE(MPI_Put(&one, 0, MPI_INT, to, 0, 0, MPI_INT, win));
    NOTE(MPI_Get(&got, 1, MPI_INT, to, 0, 1, MPI_INT, win));
    NOTE(MPI_Accumulate(&one, 1, MPI_INT, to, 0, 1, MPI_INT, MPI_SUM, win));
    NOTE(MPI_Get_accumulate(&one, 1, MPI_INT, &got, 1, MPI_INT, to, 0, 1, MPI_INT, MPI_SUM, win));
    NOTE(MPI_Fetch_and_op(&one, &got, MPI_INT, to, 0, MPI_SUM, win));
    NOTE(MPI_Compare_and_swap(&one, &two, &got, MPI_INT, to, 0, win));
    BEGINS(MPI_Rput(&one, 1, MPI_INT, to, 0, 1, MPI_INT, win, &request));
    BEGINS(MPI_Rget(&got, 1, MPI_INT, to, 0, 1, MPI_INT, win, &request));
    BEGINS(MPI_Raccumulate(&one, 1, MPI_INT, to, 0, 1, MPI_INT, MPI_SUM, win, &request));
    BEGINS(MPI_Rget_accumulate(&one, 1, MPI_INT, &got, 1, MPI_INT, to, 0, 1, MPI_INT, MPI_SUM, win,
                               &request));
    SAY("%s: operations %s", part, noted);
}

static void flushes(void) {
    IS(MPI_Win_flush(next, win));
    IS(MPI_Win_flush_local(next, win));
    IS(MPI_Win_flush_all(win));
    IS(MPI_Win_flush_local_all(win));
    IS(MPI_Win_sync(win));
    IS(MPI_Win_flush(MPI_PROC_NULL, win));
}

static void ends(void) {
    int flag;
    IS(MPI_Win_complete(win));
    IS(MPI_Win_wait(win));
    IS(MPI_Win_test(win, &flag));
    IS(MPI_Win_unlock(next, win));
    IS(MPI_Win_unlock_all(win));
}

static void begin(const char *name) {
    int *memory;
    part = name;
    MPI_Win_allocate(64, sizeof(int), MPI_INFO_NULL, WORLD, &memory, &win);
    MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);
    MPI_Barrier(WORLD);
}

static void end(void) {
    IS(MPI_Win_free(&win));
}

static void without(void) {
    begin("no epoch");
    operations(next);
    operations(rank);
    operations(MPI_PROC_NULL);
    flushes();
    ends();
    IS(MPI_Win_lock(MPI_LOCK_SHARED, MPI_PROC_NULL, 0, win));
    operations(next);
    IS(MPI_Win_unlock(MPI_PROC_NULL, win));
    end();
}

static void fences(void) {
    begin("fence");
    IS(MPI_Win_fence(0, win));
    operations(next);
    flushes();
    ends();
    IS(MPI_Win_lock(MPI_LOCK_SHARED, next, 0, win));
    IS(MPI_Win_lock_all(0, win));
    IS(MPI_Win_start(to_next, 0, win));
    IS(MPI_Win_post(from_before, 0, win));
    end();
    IS(MPI_Win_fence(MPI_MODE_NOSUCCEED, win));
    operations(next);
    IS(MPI_Win_lock_all(0, win));
    IS(MPI_Win_fence(0, win));
    IS(MPI_Win_unlock_all(win));
    IS(MPI_Win_fence(MPI_MODE_NOPRECEDE, win));
    IS(MPI_Win_lock(MPI_LOCK_SHARED, next, 0, win));
    operations(next);
    IS(MPI_Win_unlock(next, win));
    operations(next);
    IS(MPI_Win_fence(0, win));
    IS(MPI_Win_fence(0, win));
    end();
}

static void locks(void) {
    begin("lock");
    IS(MPI_Win_lock(MPI_LOCK_EXCLUSIVE, next, 0, win));
    operations(next);
    flushes();
    IS(MPI_Win_lock(MPI_LOCK_EXCLUSIVE, next, 0, win));
    IS(MPI_Win_lock(MPI_LOCK_SHARED, next, 0, win));
    IS(MPI_Win_lock_all(0, win));
    IS(MPI_Win_unlock_all(win));
    IS(MPI_Win_start(to_next, 0, win));
    IS(MPI_Win_fence(0, win));
    IS(MPI_Win_complete(win));
    IS(MPI_Win_unlock(next, win));
    IS(MPI_Win_unlock(next, win));
    operations(next);
    flushes();
    IS(MPI_Win_lock(MPI_LOCK_SHARED, next, 0, win));
    IS(MPI_Win_lock(MPI_LOCK_SHARED, before, 0, win));
    IS(MPI_Win_unlock(next, win));
    IS(MPI_Win_flush_all(win));
    IS(MPI_Win_unlock(before, win));
    IS(MPI_Win_flush_all(win));
    part = "lock_all";
    IS(MPI_Win_lock_all(0, win));
    operations(next);
    flushes();
    IS(MPI_Win_lock_all(0, win));
    IS(MPI_Win_lock(MPI_LOCK_SHARED, next, 0, win));
    IS(MPI_Win_unlock(next, win));
    IS(MPI_Win_unlock_all(win));
    IS(MPI_Win_unlock_all(win));
    operations(next);
    end();
}

static void groups(void) {
    int flag = 0;
    begin("groups");
    IS(MPI_Win_post(from_before, 0, win));
    IS(MPI_Win_post(from_before, 0, win));
    IS(MPI_Win_fence(0, win));
    operations(next);
    IS(MPI_Win_start(to_next, 0, win));
    operations(next);
    operations(before);
    flushes();
    IS(MPI_Win_start(to_next, 0, win));
    IS(MPI_Win_lock(MPI_LOCK_SHARED, next, 0, win));
    IS(MPI_Win_lock_all(0, win));
    IS(MPI_Win_fence(0, win));
    IS(MPI_Win_complete(win));
    operations(next);
    IS(MPI_Win_complete(win));
    IS(MPI_Win_wait(win));
    ends();
    IS(MPI_Win_post(from_before, 0, win));
    IS(MPI_Win_lock_all(0, win));
    IS(MPI_Win_start(to_next, 0, win));
    IS(MPI_Win_unlock_all(win));
    IS(MPI_Win_start(to_next, 0, win));
    IS(MPI_Win_complete(win));
    while (!flag) {
        MPI_Win_test(win, &flag);
    }
    IS(MPI_Win_test(win, &flag));
    IS(MPI_Win_post(MPI_GROUP_EMPTY, 0, win));
    IS(MPI_Win_start(MPI_GROUP_EMPTY, 0, win));
    operations(next);
    IS(MPI_Win_complete(win));
    IS(MPI_Win_wait(win));
    end();
}

/* The window stays as it is when it cannot be freed. */
static void stays(void) {
    begin("open lock");
    IS(MPI_Win_lock(MPI_LOCK_SHARED, next, 0, win));
    end();
    IS(MPI_Win_unlock(next, win));
    end();
    begin("open lock_all");
    IS(MPI_Win_lock_all(0, win));
    end();
    IS(MPI_Win_unlock_all(win));
    end();
    begin("open groups");
    IS(MPI_Win_post(from_before, 0, win));
    end();
    IS(MPI_Win_start(to_next, 0, win));
    end();
    IS(MPI_Win_complete(win));
    IS(MPI_Win_wait(win));
    end();
}

static int called;

static void note(MPI_Win *object, int *code, ...) {
    int class;
    MPI_Error_class(*code, &class);
    called += class == MPI_ERR_RMA_SYNC && *object == win;
}

int main(int argc, char **argv) {
    MPI_Group all;
    MPI_Errhandler handler;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(WORLD, &rank);
    MPI_Comm_size(WORLD, &size);
    next = (rank + 1) % size;
    before = (rank + size - 1) % size;
    MPI_Comm_group(WORLD, &all);
    MPI_Group_incl(all, 1, &next, &to_next);
    MPI_Group_incl(all, 1, &before, &from_before);
    without();
    fences();
    locks();
    groups();
    stays();
    begin("handler");
    MPI_Win_create_errhandler(note, &handler);
    MPI_Win_set_errhandler(win, handler);
    flushes();
    SAY("the handler was called %d times", called);
    end();
    MPI_Finalize();
    return 0;
}
