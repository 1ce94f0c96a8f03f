/* Windows: fences, groups, locks; puts, gets, accumulations, atomic operations. */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

enum { N = 12 };

static int rank;
static int size;
static int next;
static int before;

#define SAY(...) (printf("%d: ", rank), printf(__VA_ARGS__), printf("\n"))

static void say(const char *what, const int *numbers, int count) {
    printf("%d: %s", rank, what);
    for (int i = 0; i < count; i++) {
        printf(" %d", numbers[i]);
    }
    printf("\n");
}

/* What is in this rank's window. The others begin their next epoch only afterwards: their data come
 * at any time in it. */
static void say_window(const char *what, const int *memory, int count) {
    say(what, memory, count);
    MPI_Barrier(MPI_COMM_WORLD);
}

static void fences(void) {
    static int memory[N];
    int own[N], got[N];
    MPI_Win win;
    for (int i = 0; i < N; i++) {
        memory[i] = -1 - i;
        own[i] = 100 * rank + i;
        got[i] = 0;
    }
    MPI_Win_create(memory, sizeof memory, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_fence(0, win);
    MPI_Put(own, 3, MPI_INT, next, 2, 3, MPI_INT, win);
    MPI_Win_fence(0, win);
    say_window("put", memory, N);
    MPI_Get(got, 4, MPI_INT, before, 1, 4, MPI_INT, win);
    MPI_Win_fence(0, win);
    say("got", got, 4);
    MPI_Accumulate(own, 2, MPI_INT, 0, 0, 2, MPI_INT, MPI_SUM, win);
    MPI_Win_fence(0, win);
    say("sum", memory, 3);
    MPI_Accumulate(own, 2, MPI_INT, next, 6, 2, MPI_INT, MPI_REPLACE, win);
    MPI_Put(own, 1, MPI_INT, MPI_PROC_NULL, 0, 1, MPI_INT, win);
    MPI_Win_fence(0, win);
    say_window("replaced", memory, N);
    /* Every second number there, three together here. */
    MPI_Datatype apart;
    MPI_Type_vector(3, 1, 2, MPI_INT, &apart);
    MPI_Type_commit(&apart);
    MPI_Put(own, 3, MPI_INT, next, 5, 1, apart, win);
    MPI_Win_fence(0, win);
    say_window("apart", memory, N);
    memset(got, 0, sizeof got);
    MPI_Get(got, 1, apart, before, 5, 3, MPI_INT, win);
    MPI_Win_fence(0, win);
    say("apart got", got, 6);
    MPI_Accumulate(own, 3, MPI_INT, next, 5, 1, apart, MPI_MAX, win);
    MPI_Type_free(&apart);
    MPI_Win_fence(0, win);
    say("maxima", memory, N);
    MPI_Win_free(&win);
    SAY("null %d", win == MPI_WIN_NULL);
}

static void groups(void) {
    int *memory, own[2] = {rank, 10 * rank}, flag;
    MPI_Win win;
    MPI_Group world, to, from;
    MPI_Win_allocate(N * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    for (int i = 0; i < N; i++) {
        memory[i] = 0;
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_incl(world, 1, &next, &to);
    MPI_Group_incl(world, 1, &before, &from);
    MPI_Win_post(from, 0, win);
    MPI_Win_start(to, 0, win);
    MPI_Put(own, 2, MPI_INT, next, 1, 2, MPI_INT, win);
    MPI_Win_complete(win);
    MPI_Win_wait(win);
    say("posted", memory, 4);
    MPI_Win_post(from, 0, win);
    MPI_Win_start(to, 0, win);
    MPI_Accumulate(own, 2, MPI_INT, next, 1, 2, MPI_INT, MPI_SUM, win);
    MPI_Win_complete(win);
    do {
        MPI_Win_test(win, &flag);
    } while (!flag);
    say("tested", memory, 4);
    MPI_Group_free(&to);
    MPI_Group_free(&from);
    MPI_Group_free(&world);
    MPI_Win_get_group(win, &world);
    MPI_Group_size(world, &flag);
    SAY("group %d", flag);
    MPI_Group_free(&world);
    int *base;
    MPI_Aint *bytes;
    int *unit, *flavor;
    MPI_Win_get_attr(win, MPI_WIN_BASE, &base, &flag);
    SAY("base %d %d", flag, base == memory);
    MPI_Win_get_attr(win, MPI_WIN_SIZE, &bytes, &flag);
    MPI_Win_get_attr(win, MPI_WIN_DISP_UNIT, &unit, &flag);
    MPI_Win_get_attr(win, MPI_WIN_CREATE_FLAVOR, &flavor, &flag);
    SAY("size %ld unit %d allocated %d", (long)*bytes, *unit, *flavor == MPI_WIN_FLAVOR_ALLOCATE);
    char name[MPI_MAX_OBJECT_NAME];
    int length;
    MPI_Win_set_name(win, "of mine");
    MPI_Win_get_name(win, name, &length);
    SAY("%s %d", name, length);
    MPI_Win_free(&win);
}

static void locks(void) {
    long *memory, one = 1, got = -1, sum = 0;
    MPI_Win win;
    MPI_Win_allocate(4 * sizeof(long), sizeof(long), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, rank, 0, win);
    for (int i = 0; i < 4; i++) {
        memory[i] = 0;
    }
    MPI_Win_unlock(rank, win);
    MPI_Barrier(MPI_COMM_WORLD);
    /* Nobody else comes between the get and the put. */
    for (int i = 0; i < 3; i++) {
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win);
        MPI_Get(&got, 1, MPI_LONG, 0, 0, 1, MPI_LONG, win);
        MPI_Win_flush(0, win);
        got += rank + 1;
        MPI_Put(&got, 1, MPI_LONG, 0, 0, 1, MPI_LONG, win);
        MPI_Win_unlock(0, win);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win);
    MPI_Get(&sum, 1, MPI_LONG, 0, 0, 1, MPI_LONG, win);
    MPI_Win_unlock(0, win);
    SAY("exclusive %ld", sum);
    MPI_Win_lock_all(0, win);
    long total = 0, ticket;
    MPI_Fetch_and_op(&one, &ticket, MPI_LONG, 0, 1, MPI_SUM, win);
    MPI_Win_flush(0, win);
    MPI_Win_unlock_all(win);
    MPI_Allreduce(&ticket, &total, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
    SAY("tickets %ld", total);
    MPI_Win_lock_all(0, win);
    long mine = rank + 1, zero = 0, swapped = -1, wins;
    MPI_Compare_and_swap(&mine, &zero, &swapped, MPI_LONG, 0, 2, win);
    MPI_Win_flush_all(win);
    wins = swapped == 0;
    MPI_Win_unlock_all(win);
    MPI_Allreduce(&wins, &total, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
    SAY("winners %ld", total);
    MPI_Win_lock_all(0, win);
    long numbers[2] = {rank, 1}, old[2] = {-1, -1};
    MPI_Get_accumulate(numbers, 2, MPI_LONG, old, 2, MPI_LONG, next, 2, 2, MPI_LONG, MPI_REPLACE,
                       win);
    MPI_Win_flush_local(next, win);
    MPI_Win_unlock_all(win);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_lock(MPI_LOCK_SHARED, rank, 0, win);
    SAY("replaced %ld %ld, before %ld", memory[2], memory[3], old[1]);
    MPI_Win_unlock(rank, win);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_lock_all(0, win);
    MPI_Get_accumulate(NULL, 0, MPI_LONG, old, 2, MPI_LONG, next, 2, 2, MPI_LONG, MPI_NO_OP, win);
    MPI_Win_flush_local_all(win);
    SAY("read %ld %ld", old[0], old[1]);
    MPI_Request requests[2];
    MPI_Win_sync(win);
    MPI_Win_unlock_all(win);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_lock_all(0, win);
    MPI_Rput(&mine, 1, MPI_LONG, next, 0, 1, MPI_LONG, win, &requests[0]);
    MPI_Raccumulate(&mine, 1, MPI_LONG, next, 1, 1, MPI_LONG, MPI_REPLACE, win, &requests[1]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    MPI_Win_flush_all(win);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Rget(old, 2, MPI_LONG, next, 0, 2, MPI_LONG, win, &requests[0]);
    MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
    SAY("requested %ld %ld", old[0], old[1]);
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
}

static void dynamic(void) {
    int memory[4] = {rank, rank, rank, rank}, own = 50 + rank;
    MPI_Aint here, there[16];
    MPI_Win win;
    MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_attach(win, memory, sizeof memory);
    MPI_Get_address(&memory[1], &here);
    MPI_Allgather(&here, 1, MPI_AINT, there, 1, MPI_AINT, MPI_COMM_WORLD);
    MPI_Win_fence(0, win);
    MPI_Put(&own, 1, MPI_INT, next, there[next], 1, MPI_INT, win);
    MPI_Win_fence(0, win);
    say("dynamic", memory, 4);
    MPI_Win_detach(win, memory);
    MPI_Win_free(&win);
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    next = (rank + 1) % size;
    before = (rank + size - 1) % size;
    fences();
    groups();
    locks();
    dynamic();
    MPI_Finalize();
    return 0;
}
