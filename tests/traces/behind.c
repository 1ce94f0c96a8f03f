/* Files behind messages: accesses with requests, several at a time, that end in another order. */
#include <mpi.h>
#include <stdlib.h>

enum { COUNT = 5000, MOST = 4 };

static int rank, size;
static int numbers[MOST][COUNT];

static void writes(MPI_File file, MPI_Offset own) {
    MPI_Request requests[MOST];
    int next = (rank + 1) % size, last = (rank + size - 1) % size;
    MPI_File_iwrite_at(file, own, numbers[0], COUNT, MPI_INT, &requests[0]);
    MPI_Irecv(numbers[2], COUNT, MPI_INT, last, 1, MPI_COMM_WORLD, &requests[1]);
    MPI_Isend(numbers[1], COUNT, MPI_INT, next, 1, MPI_COMM_WORLD, &requests[2]);
    MPI_File_iwrite(file, numbers[3], COUNT / 2, MPI_INT, &requests[3]);
    MPI_Wait(&requests[3], MPI_STATUS_IGNORE);
    MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);
    MPI_File_iwrite_at_all(file, own, numbers[0], COUNT, MPI_INT, &requests[0]);
    MPI_File_iwrite_all(file, numbers[1], COUNT / 4, MPI_INT, &requests[1]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    MPI_File_iwrite_shared(file, numbers[0], 100, MPI_INT, &requests[0]);
    MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
}

static void reads(MPI_File file, MPI_Offset own) {
    MPI_Request requests[MOST];
    MPI_File_seek(file, 0, MPI_SEEK_SET);
    MPI_File_iread_at(file, own, numbers[0], COUNT, MPI_INT, &requests[0]);
    MPI_File_iread(file, numbers[1], COUNT / 2, MPI_INT, &requests[1]);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    MPI_File_iread_at_all(file, own, numbers[0], COUNT, MPI_INT, &requests[0]);
    MPI_File_iread_all(file, numbers[1], COUNT / 4, MPI_INT, &requests[1]);
    MPI_Allreduce(MPI_IN_PLACE, numbers[2], 3, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    MPI_File_seek_shared(file, 0, MPI_SEEK_SET);
    MPI_File_iread_shared(file, numbers[0], 100, MPI_INT, &requests[0]);
    MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
}

int main(int argc, char **argv) {
    static const char *const names[] = {"own-0", "own-1", "own-2", "own-3"};
    MPI_File file, other;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_File_open(MPI_COMM_WORLD, "behind", MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file);
    MPI_File_open(MPI_COMM_SELF, names[rank], MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL,
                  &other);
    MPI_Offset own = (MPI_Offset)rank * COUNT * sizeof numbers[0][0];
    writes(file, own);
    MPI_File_sync(file);
    MPI_Barrier(MPI_COMM_WORLD);
    reads(file, own);
    MPI_File_write(other, numbers[0], COUNT, MPI_INT, MPI_STATUS_IGNORE);
    MPI_File_close(&file);
    MPI_File_close(&other);
    MPI_Finalize();
    return 0;
}
