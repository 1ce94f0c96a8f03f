/* Files: shared pointers, accesses in the order of ranks; groups, handlers. */
#include "files.h"
#include <string.h>

static MPI_Offset shared_of(MPI_File file) {
    MPI_Offset position = -1;
    MPI_File_get_position_shared(file, &position);
    return position;
}

/* Who comes first is open: only what all have written together is the same everywhere. */
static void shared_pointer(void) {
    int own = 10 + rank;
    int got[8] = {0};
    int sum = 0;
    MPI_Status status;
    MPI_File file = opened("e.bin", MPI_MODE_CREATE | MPI_MODE_RDWR);
    MPI_File_set_view(file, 4, MPI_INT, MPI_INT, "native", MPI_INFO_NULL);
    MPI_File_write_shared(file, &own, 1, MPI_INT, &status);
    tell("wrote %d", counted(&status, MPI_INT));
    MPI_Barrier(MPI_COMM_WORLD);
    tell("shared %lld", (long long)shared_of(file));
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_File_read_at_all(file, 0, got, size, MPI_INT, &status);
    for (int i = 0; i < size; i++) {
        sum += got[i];
    }
    tell("sum %d of %d", sum, counted(&status, MPI_INT));
    MPI_File_seek_shared(file, 1, MPI_SEEK_SET);
    tell("sought %lld", (long long)shared_of(file));
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_File_seek_shared(file, -1, MPI_SEEK_CUR);
    tell("back %lld", (long long)shared_of(file));
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_File_seek_shared(file, 0, MPI_SEEK_END);
    tell("end %lld", (long long)shared_of(file));
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_File_seek_shared(file, 0, MPI_SEEK_SET);
    MPI_File_read_shared(file, &own, 1, MPI_INT, &status);
    MPI_Reduce(&own, &sum, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    tell("all %d", rank == 0 ? sum : 0);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Request request;
    MPI_File_seek_shared(file, 0, MPI_SEEK_SET);
    MPI_File_iread_shared(file, &own, 1, MPI_INT, &request);
    MPI_Wait(&request, &status);
    MPI_Reduce(&own, &sum, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    tell("all %d, each %d", rank == 0 ? sum : 0, counted(&status, MPI_INT));
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_File_iwrite_shared(file, &own, 1, MPI_INT, &request);
    MPI_Wait(&request, &status);
    MPI_Barrier(MPI_COMM_WORLD);
    tell("shared %lld", (long long)shared_of(file));
    MPI_File_close(&file);
}

static void in_order(void) {
    int own[4];
    int got[16] = {0};
    MPI_Status status;
    MPI_File file = opened("f.bin", MPI_MODE_CREATE | MPI_MODE_RDWR);
    for (int i = 0; i < 4; i++) {
        own[i] = 10 * rank + i;
    }
    MPI_File_write_ordered(file, own, rank + 1, MPI_INT, &status);
    tell("ordered %d", counted(&status, MPI_INT));
    MPI_File_write_ordered_begin(file, own, 1, MPI_INT);
    MPI_File_write_ordered_end(file, own, &status);
    tell("split %d", counted(&status, MPI_INT));
    MPI_Barrier(MPI_COMM_WORLD);
    int count = size * (size + 1) / 2 + size;
    MPI_File_read_at_all(file, 0, got, count, MPI_INT, &status);
    say("file", got, count);
    MPI_File_seek_shared(file, 0, MPI_SEEK_SET);
    MPI_File_read_ordered(file, got, 2, MPI_INT, &status);
    say("two", got, 2);
    MPI_File_read_ordered_begin(file, got, 1, MPI_INT);
    MPI_File_read_ordered_end(file, got, &status);
    say("one", got, 1);
    MPI_Barrier(MPI_COMM_WORLD);
    tell("shared %lld", (long long)shared_of(file));
    MPI_File_close(&file);
}

/* Files of some ranks, and of one. */
static void groups(void) {
    MPI_Comm half;
    MPI_Group group;
    MPI_File file;
    MPI_File alone;
    char name[32];
    int members = 0;
    int got = -1;
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
    snprintf(name, sizeof name, "half%d.bin", rank % 2);
    MPI_File_open(half, name, MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE,
                  MPI_INFO_NULL, &file);
    MPI_File_get_group(file, &group);
    MPI_Group_size(group, &members);
    MPI_Group_free(&group);
    MPI_File_write_ordered(file, &rank, 1, MPI_INT, MPI_STATUS_IGNORE);
    MPI_Barrier(half);
    MPI_File_read_at_all(file, 0, &got, 1, MPI_INT, MPI_STATUS_IGNORE);
    tell("%d members, first %d", members, got);
    snprintf(name, sizeof name, "own%d.bin", rank);
    MPI_File_open(MPI_COMM_SELF, name, MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE,
                  MPI_INFO_NULL, &alone);
    MPI_File_write(alone, &rank, 1, MPI_INT, MPI_STATUS_IGNORE);
    MPI_File_read_at(alone, 0, &got, 1, MPI_INT, MPI_STATUS_IGNORE);
    tell("alone %d", got);
    MPI_File_close(&alone);
    MPI_File_close(&file);
    MPI_Comm_free(&half);
}

static int handled;

static void handler(MPI_File *file, int *code, ...) {
    tell("handled %s %d", class_of(*code), *file == MPI_FILE_NULL);
    handled++;
}

static void handlers(void) {
    MPI_Errhandler own;
    MPI_Errhandler found;
    MPI_File file;
    int number = 0;
    MPI_File_get_errhandler(MPI_FILE_NULL, &found);
    tell("returns %d", found == MPI_ERRORS_RETURN);
    MPI_File_create_errhandler(handler, &own);
    MPI_File_set_errhandler(MPI_FILE_NULL, own);
    MPI_File_open(MPI_COMM_WORLD, "missing.bin", MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
    MPI_File_set_errhandler(MPI_FILE_NULL, MPI_ERRORS_RETURN);
    file = opened("e.bin", MPI_MODE_RDONLY);
    MPI_File_get_errhandler(file, &found);
    tell("returns %d", found == MPI_ERRORS_RETURN);
    MPI_File_set_errhandler(file, own);
    MPI_File_write(file, &number, 1, MPI_INT, MPI_STATUS_IGNORE);
    MPI_File_call_errhandler(file, MPI_ERR_IO);
    tell("%d times", handled);
    MPI_Errhandler_free(&own);
    MPI_File_close(&file);
}

static void hints(void) {
    MPI_Info info;
    MPI_Info found;
    MPI_File file;
    int flag = 0;
    char value[64] = "";
    MPI_Info_create(&info);
    MPI_Info_set(info, "cb_nodes", "1");
    MPI_File_open(MPI_COMM_WORLD, "e.bin", MPI_MODE_RDWR, info, &file);
    MPI_File_set_info(file, info);
    MPI_File_get_info(file, &found);
    MPI_Info_get(found, "cb_nodes", 63, value, &flag);
    tell("hint %d %s", flag, value);
    MPI_Info_free(&found);
    MPI_Info_free(&info);
    tell("same %d", MPI_File_f2c(MPI_File_c2f(file)) == file);
    MPI_File_close(&file);
}

static void sequential(void) {
    int own = rank;
    MPI_File file = opened("i.bin", MPI_MODE_CREATE | MPI_MODE_WRONLY | MPI_MODE_SEQUENTIAL);
    MPI_File_write_ordered(file, &own, 1, MPI_INT, MPI_STATUS_IGNORE);
    tell("own: %s", class_of(MPI_File_write(file, &own, 1, MPI_INT, MPI_STATUS_IGNORE)));
    tell("seek: %s", class_of(MPI_File_seek(file, 0, MPI_SEEK_SET)));
    MPI_File_close(&file);
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    shared_pointer();
    in_order();
    groups();
    handlers();
    hints();
    sequential();
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        MPI_File_delete("e.bin", MPI_INFO_NULL);
        MPI_File_delete("f.bin", MPI_INFO_NULL);
        MPI_File_delete("i.bin", MPI_INFO_NULL);
    }
    MPI_Finalize();
    return 0;
}
