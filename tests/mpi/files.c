/* Files: opening and closing, sizes, positions, errors. */
#include "files.h"
#include <string.h>

static MPI_Offset bytes_of(MPI_File file) {
    MPI_Offset bytes = -1;
    MPI_File_get_size(file, &bytes);
    return bytes;
}

/* Every rank writes its part and reads that of the next one. */
static void explicit_offsets(void) {
    int own[5];
    int got[8] = {0};
    MPI_Status status;
    MPI_File file = opened("a.bin", MPI_MODE_CREATE | MPI_MODE_RDWR);
    for (int i = 0; i < 5; i++) {
        own[i] = 10 * rank + i;
    }
    MPI_File_write_at(file, rank * (MPI_Offset)sizeof own, own, 5, MPI_INT, &status);
    tell("wrote %d", counted(&status, MPI_INT));
    MPI_File_sync(file);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_File_sync(file);
    int next = (rank + 1) % size;
    MPI_File_read_at(file, next * (MPI_Offset)sizeof own, got, 5, MPI_INT, &status);
    tell("read %d", counted(&status, MPI_INT));
    say("of the next", got, 5);
    /* The end of the file cuts a read. */
    MPI_File_read_at(file, ((MPI_Offset)size * 5 - 2) * (MPI_Offset)sizeof(int), got, 8, MPI_INT,
                     &status);
    tell("at the end %d", counted(&status, MPI_INT));
    MPI_File_read_at(file, (MPI_Offset)size * 1000, got, 8, MPI_INT, &status);
    tell("behind the end %d", counted(&status, MPI_INT));
    MPI_File_read_at_all(file, 0, got, rank, MPI_INT, &status);
    tell("together %d", counted(&status, MPI_INT));
    for (int i = 0; i < 5; i++) {
        own[i] += 1000;
    }
    MPI_File_write_at_all(file, rank * (MPI_Offset)sizeof own, own, 5, MPI_INT, &status);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_File_read_at_all(file, next * (MPI_Offset)sizeof own, got, 5, MPI_INT, &status);
    say("together", got, 5);
    tell("size %lld", (long long)bytes_of(file));
    MPI_File_close(&file);
    tell("closed %d", file == MPI_FILE_NULL);
}

static void own_pointer(void) {
    int got[4] = {0};
    MPI_Status status;
    MPI_File file = opened("a.bin", MPI_MODE_RDONLY);
    MPI_File_read(file, got, rank + 1, MPI_INT, &status);
    tell("position %lld", (long long)position_of(file));
    MPI_File_seek(file, 4, MPI_SEEK_CUR);
    MPI_File_read(file, got, 2, MPI_INT, &status);
    say("after the seek", got, 2);
    MPI_File_seek(file, -8, MPI_SEEK_END);
    MPI_File_read(file, got, 4, MPI_INT, &status);
    tell("left %d, position %lld", counted(&status, MPI_INT), (long long)position_of(file));
    say("the last", got, 2);
    tell("before the begin: %s", class_of(MPI_File_seek(file, -1, MPI_SEEK_SET)));
    tell("unknown: %s", class_of(MPI_File_seek(file, 0, 12345)));
    MPI_File_seek(file, 0, MPI_SEEK_SET);
    MPI_File_read_all(file, got, 2, MPI_INT, &status);
    say("first", got, 2);
    tell("position %lld", (long long)position_of(file));
    MPI_File_close(&file);
}

static void sizes(void) {
    MPI_File file = opened("b.bin", MPI_MODE_CREATE | MPI_MODE_RDWR);
    char letter = 'x';
    char got[4] = "???";
    MPI_File_set_size(file, 100);
    tell("set %lld", (long long)bytes_of(file));
    MPI_File_preallocate(file, 50);
    tell("not less %lld", (long long)bytes_of(file));
    MPI_File_preallocate(file, 200);
    tell("more %lld", (long long)bytes_of(file));
    MPI_File_set_size(file, 10);
    tell("cut %lld", (long long)bytes_of(file));
    tell("below 0: %s", class_of(MPI_File_set_size(file, -1)));
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        MPI_File_write_at(file, 300, &letter, 1, MPI_CHAR, MPI_STATUS_IGNORE);
    }
    MPI_File_sync(file);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_File_read_at(file, 298, got, 3, MPI_CHAR, MPI_STATUS_IGNORE);
    tell("a hole %d %d %c", got[0], got[1], got[2]);
    MPI_File_close(&file);
    file = opened("b.bin", MPI_MODE_APPEND | MPI_MODE_WRONLY);
    tell("append at %lld", (long long)position_of(file));
    MPI_File_close(&file);
}

static void errors(void) {
    MPI_File file;
    int number = 1;
    int mode = 0;
    int flag = -1;
    MPI_Comm world = MPI_COMM_WORLD;
#define OPEN(name, mode) class_of(MPI_File_open(world, name, mode, MPI_INFO_NULL, &file))
    tell("missing: %s", OPEN("missing.bin", MPI_MODE_RDONLY));
    tell("no mode: %s", OPEN("a.bin", 0));
    tell("two modes: %s", OPEN("a.bin", MPI_MODE_RDONLY | MPI_MODE_RDWR));
    tell("created to read: %s", OPEN("a.bin", MPI_MODE_RDONLY | MPI_MODE_CREATE));
    tell("sequential: %s", OPEN("a.bin", MPI_MODE_RDWR | MPI_MODE_SEQUENTIAL));
    /* MPICH 5.0 gives the other ranks no class. */
    const char *exists = OPEN("a.bin", MPI_MODE_CREATE | MPI_MODE_EXCL | MPI_MODE_WRONLY);
    tell("exists: %s", rank == 0 ? exists : "");
    tell("to read: %s", OPEN("a.bin", MPI_MODE_RDONLY));
    MPI_File_get_amode(file, &mode);
    tell("mode %d", mode == MPI_MODE_RDONLY);
    tell("write: %s", class_of(MPI_File_write(file, &number, 1, MPI_INT, MPI_STATUS_IGNORE)));
    tell("cut: %s", class_of(MPI_File_set_size(file, 0)));
    tell("offset: %s",
         class_of(MPI_File_read_at(file, -1, &number, 1, MPI_INT, MPI_STATUS_IGNORE)));
    tell("count: %s", class_of(MPI_File_read(file, &number, -1, MPI_INT, MPI_STATUS_IGNORE)));
    MPI_File_set_view(file, 0, MPI_INT, MPI_INT, "native", MPI_INFO_NULL);
    tell("part: %s", class_of(MPI_File_read(file, &number, 3, MPI_CHAR, MPI_STATUS_IGNORE)));
    MPI_File_close(&file);
    tell("to write: %s", OPEN("a.bin", MPI_MODE_WRONLY));
    tell("read: %s", class_of(MPI_File_read(file, &number, 1, MPI_INT, MPI_STATUS_IGNORE)));
    MPI_File_set_atomicity(file, 1);
    MPI_File_get_atomicity(file, &flag);
    tell("atomic %d", flag != 0);
    MPI_File_close(&file);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        tell("delete: %s", class_of(MPI_File_delete("a.bin", MPI_INFO_NULL)));
        tell("again: %s", class_of(MPI_File_delete("a.bin", MPI_INFO_NULL)));
        MPI_File_delete("b.bin", MPI_INFO_NULL);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    tell("gone: %s", OPEN("a.bin", MPI_MODE_RDWR));
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    explicit_offsets();
    own_pointer();
    sizes();
    errors();
    MPI_Finalize();
    return 0;
}
