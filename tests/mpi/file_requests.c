/* Files: accesses that begin in one call and end in another. */
#include "files.h"
#include <string.h>

static void in_two_calls(void) {
    int own[3] = {rank, rank + 100, rank + 200};
    int got[3] = {0};
    MPI_Offset place = 12 * rank;
    MPI_Status status;
    MPI_File file = opened("g.bin", MPI_MODE_CREATE | MPI_MODE_RDWR);
    MPI_File_write_at_all_begin(file, place, own, 3, MPI_INT);
    MPI_File_write_at_all_end(file, own, &status);
    tell("begun and ended %d", counted(&status, MPI_INT));
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_File_read_at_all_begin(file, 12 * ((rank + 1) % size), got, 3, MPI_INT);
    MPI_File_read_at_all_end(file, got, &status);
    say("of the next", got, 3);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_File_seek(file, place, MPI_SEEK_SET);
    MPI_File_read_all_begin(file, got, 2, MPI_INT);
    MPI_File_read_all_end(file, got, &status);
    say("own", got, 2);
    MPI_File_write_all_begin(file, got, 1, MPI_INT);
    MPI_File_write_all_end(file, got, &status);
    MPI_File_read_at_all(file, place, got, 3, MPI_INT, &status);
    say("again", got, 3);
    MPI_File_close(&file);
}

static void requests(void) {
    int own[4] = {rank, 2 * rank, 3 * rank, 4 * rank};
    int got[8] = {0};
    MPI_Offset place = 16 * rank;
    MPI_Offset position = -1;
    MPI_Status statuses[2];
    MPI_Request both[2];
    MPI_Datatype apart;
    MPI_File file = opened("h.bin", MPI_MODE_CREATE | MPI_MODE_RDWR);
    MPI_File_iwrite_at(file, place, own, 2, MPI_INT, &both[0]);
    MPI_File_iwrite_at(file, place + 8, own + 2, 2, MPI_INT, &both[1]);
    MPI_Waitall(2, both, statuses);
    tell("two %d %d", counted(&statuses[0], MPI_INT), counted(&statuses[1], MPI_INT));
    MPI_File_sync(file);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_File_iread_at(file, 16 * ((rank + 1) % size), got, 4, MPI_INT, &both[0]);
    int done = 0;
    while (!done) {
        MPI_Test(&both[0], &done, &statuses[0]);
    }
    say("of the next", got, 4);
    tell("count %d", counted(&statuses[0], MPI_INT));
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_File_seek(file, place, MPI_SEEK_SET);
    MPI_File_iread(file, got, 1, MPI_INT, &both[0]);
    MPI_Wait(&both[0], &statuses[0]);
    MPI_File_iread(file, got + 1, 1, MPI_INT, &both[0]);
    MPI_Wait(&both[0], &statuses[0]);
    MPI_File_get_position(file, &position);
    tell("position %lld", (long long)position - place);
    MPI_File_iwrite(file, own, 1, MPI_INT, &both[0]);
    MPI_Wait(&both[0], MPI_STATUS_IGNORE);
    MPI_Type_vector(4, 1, 2, MPI_INT, &apart);
    MPI_Type_commit(&apart);
    memset(got, 0, sizeof got);
    MPI_File_iread_at_all(file, place, got, 1, apart, &both[0]);
    MPI_Wait(&both[0], &statuses[0]);
    say("apart", got, 8);
    MPI_File_iwrite_at_all(file, place, got, 1, apart, &both[0]);
    MPI_Wait(&both[0], &statuses[0]);
    tell("count %d", counted(&statuses[0], MPI_INT));
    MPI_File_seek(file, place, MPI_SEEK_SET);
    MPI_File_iread_all(file, got, 2, MPI_INT, &both[0]);
    MPI_Wait(&both[0], &statuses[0]);
    say("all", got, 2);
    MPI_File_iwrite_all(file, got, 2, MPI_INT, &both[0]);
    MPI_Wait(&both[0], &statuses[0]);
    /* Behind the end. */
    MPI_File_iread_at(file, 1000, got, 2, MPI_INT, &both[0]);
    MPI_Wait(&both[0], &statuses[0]);
    tell("none %d", counted(&statuses[0], MPI_INT));
    MPI_Type_free(&apart);
    MPI_File_close(&file);
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    in_two_calls();
    requests();
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        MPI_File_delete("g.bin", MPI_INFO_NULL);
        MPI_File_delete("h.bin", MPI_INFO_NULL);
    }
    MPI_Finalize();
    return 0;
}
