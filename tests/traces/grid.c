/* Files as BTIO uses them: a field that is spread over the ranks goes step after step through views
 * of subarrays, then a log in the order of ranks, and one that the ranks share. */
#include <mpi.h>
#include <stdlib.h>

enum { WIDTH = 48, HEIGHT = 40, STEPS = 3 };

static int rank, size;
static double *field;

static void views(MPI_File file, int count) {
    int sizes[] = {HEIGHT, WIDTH * size}, own[] = {HEIGHT, WIDTH}, from[] = {0, WIDTH * rank};
    MPI_Datatype part;
    MPI_Type_create_subarray(2, sizes, own, from, MPI_ORDER_C, MPI_DOUBLE, &part);
    MPI_Type_commit(&part);
    MPI_File_set_view(file, 0, MPI_DOUBLE, part, "native", MPI_INFO_NULL);
    for (int i = 0; i < STEPS; i++) {
        MPI_File_write_at_all(file, (MPI_Offset)i * count, field, count, MPI_DOUBLE,
                              MPI_STATUS_IGNORE);
        MPI_Allreduce(MPI_IN_PLACE, field, 5, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    }
    MPI_File_write_all(file, field, count, MPI_DOUBLE, MPI_STATUS_IGNORE);
    MPI_File_sync(file);
    MPI_File_seek(file, 0, MPI_SEEK_SET);
    MPI_File_read_all(file, field, count, MPI_DOUBLE, MPI_STATUS_IGNORE);
    MPI_Type_free(&part);
}

static void in_two_calls(MPI_File file, int count) {
    MPI_File_set_view(file, 0, MPI_DOUBLE, MPI_DOUBLE, "native", MPI_INFO_NULL);
    MPI_File_write_at_all_begin(file, rank * count, field, count, MPI_DOUBLE);
    MPI_File_write_at_all_end(file, field, MPI_STATUS_IGNORE);
    MPI_File_seek(file, rank * count, MPI_SEEK_SET);
    MPI_File_write_all_begin(file, field, count, MPI_DOUBLE);
    MPI_File_write_all_end(file, field, MPI_STATUS_IGNORE);
    MPI_File_sync(file);
    MPI_File_seek(file, rank * count, MPI_SEEK_SET);
    MPI_File_read_all_begin(file, field, count, MPI_DOUBLE);
    MPI_File_read_all_end(file, field, MPI_STATUS_IGNORE);
    MPI_File_read_at_all_begin(file, rank * count, field, count, MPI_DOUBLE);
    MPI_File_read_at_all_end(file, field, MPI_STATUS_IGNORE);
}

static void in_order(MPI_File file) {
    MPI_File_seek_shared(file, 0, MPI_SEEK_SET);
    MPI_File_write_ordered(file, field, 10 + rank, MPI_DOUBLE, MPI_STATUS_IGNORE);
    MPI_File_write_ordered_begin(file, field, 20 - rank, MPI_DOUBLE);
    MPI_File_write_ordered_end(file, field, MPI_STATUS_IGNORE);
    MPI_File_sync(file);
    MPI_File_seek_shared(file, 0, MPI_SEEK_SET);
    MPI_File_read_ordered(file, field, 10 + rank, MPI_DOUBLE, MPI_STATUS_IGNORE);
    MPI_File_read_ordered_begin(file, field, 20 - rank, MPI_DOUBLE);
    MPI_File_read_ordered_end(file, field, MPI_STATUS_IGNORE);
    MPI_File_write_shared(file, field, 30, MPI_DOUBLE, MPI_STATUS_IGNORE);
    MPI_File_sync(file);
    MPI_File_seek_shared(file, 0, MPI_SEEK_SET);
    MPI_File_read_shared(file, field, 30, MPI_DOUBLE, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv) {
    MPI_File file;
    MPI_Comm half;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    field = calloc(WIDTH * HEIGHT, sizeof *field);
    MPI_File_open(MPI_COMM_WORLD, "grid", MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file);
    views(file, WIDTH * HEIGHT);
    in_two_calls(file, WIDTH * HEIGHT);
    MPI_File_close(&file);
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, 0, &half);
    MPI_File_open(half, rank % 2 ? "odd" : "even", MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL,
                  &file);
    MPI_File_set_view(file, 0, MPI_DOUBLE, MPI_DOUBLE, "native", MPI_INFO_NULL);
    in_order(file);
    MPI_File_set_atomicity(file, 1);
    MPI_File_close(&file);
    MPI_Comm_free(&half);
    free(field);
    MPI_Finalize();
    return 0;
}
