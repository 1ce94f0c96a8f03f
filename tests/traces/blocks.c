/* Files as IOR uses them: each rank writes blocks of its own and reads those of its neighbour, with
 * calls that wait for nobody and with those of all ranks. */
#include <mpi.h>
#include <stdlib.h>

enum { BLOCK = 30000, TIMES = 3 };

static int rank, size;
static char block[BLOCK];

static MPI_Offset place(int of, int time) {
    return ((MPI_Offset)time * size + of) * BLOCK;
}

static void together(MPI_File file) {
    for (int i = 0; i < TIMES; i++) {
        MPI_File_write_at_all(file, place(rank, i), block, BLOCK, MPI_BYTE, MPI_STATUS_IGNORE);
    }
    MPI_File_sync(file);
    for (int i = 0; i < TIMES; i++) {
        MPI_File_read_at_all(file, place((rank + 1) % size, i), block, BLOCK / 4, MPI_INT,
                             MPI_STATUS_IGNORE);
    }
}

static void alone(MPI_File file) {
    MPI_Offset found;
    for (int i = 0; i < TIMES; i++) {
        MPI_File_write_at(file, place(rank, i), block, BLOCK - rank, MPI_BYTE, MPI_STATUS_IGNORE);
    }
    MPI_File_seek(file, place(rank, TIMES), MPI_SEEK_SET);
    MPI_File_write(file, block, BLOCK, MPI_BYTE, MPI_STATUS_IGNORE);
    MPI_File_sync(file);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_File_get_size(file, &found);
    MPI_File_read_at(file, place((rank + 1) % size, 0), block, BLOCK, MPI_BYTE, MPI_STATUS_IGNORE);
    /* The file ends before the last rank has read all. */
    MPI_File_seek(file, place(rank, TIMES) + 1000, MPI_SEEK_SET);
    MPI_File_read(file, block, BLOCK, MPI_BYTE, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv) {
    MPI_File file;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_File_open(MPI_COMM_WORLD, "nothing", MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
    MPI_File_open(MPI_COMM_WORLD, "blocks", MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file);
    MPI_File_preallocate(file, place(0, 1));
    MPI_File_set_size(file, 0);
    alone(file);
    MPI_Barrier(MPI_COMM_WORLD);
    together(file);
    MPI_File_close(&file);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        MPI_File_delete("blocks", MPI_INFO_NULL);
    }
    MPI_Finalize();
    return 0;
}
