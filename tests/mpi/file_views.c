/* Files: views, with data together and apart. */
#include "files.h"
#include <stdlib.h>
#include <string.h>

/* Each rank sees every size-th block of two numbers. */
static void views(void) {
    MPI_Datatype block;
    MPI_Datatype spaced;
    MPI_Datatype etype;
    MPI_Datatype filetype;
    MPI_Offset displacement;
    MPI_Offset place;
    MPI_Status status;
    char form[MPI_MAX_DATAREP_STRING];
    int own[6];
    int all[64] = {0};
    MPI_File file = opened("c.bin", MPI_MODE_CREATE | MPI_MODE_RDWR);
    MPI_Type_contiguous(2, MPI_INT, &block);
    MPI_Type_create_resized(block, 0, 2 * size * (MPI_Aint)sizeof(int), &spaced);
    MPI_Type_commit(&spaced);
    MPI_File_set_view(file, 8 + 2 * rank * (MPI_Offset)sizeof(int), MPI_INT, spaced, "native",
                      MPI_INFO_NULL);
    MPI_Type_free(&spaced);
    MPI_Type_free(&block);
    for (int i = 0; i < 6; i++) {
        own[i] = 100 * (rank + 1) + i;
    }
    MPI_File_write_all(file, own, 6, MPI_INT, &status);
    tell("spaced %d, position %lld", counted(&status, MPI_INT), (long long)position_of(file));
    MPI_File_get_byte_offset(file, 3, &place);
    tell("byte %lld", (long long)place);
    MPI_File_get_view(file, &displacement, &etype, &filetype, form);
    int type_bytes = 0;
    MPI_Type_size(filetype, &type_bytes);
    tell("view %lld %d %d %s", (long long)displacement, etype == MPI_INT, type_bytes, form);
    MPI_Type_free(&filetype);
    memset(own, 0, sizeof own);
    MPI_File_read_at(file, 1, own, 4, MPI_INT, &status);
    say("own again", own, 4);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_File_seek(file, 0, MPI_SEEK_END);
    tell("end at %lld", (long long)position_of(file));
    MPI_File_set_view(file, 8, MPI_INT, MPI_INT, "native", MPI_INFO_NULL);
    MPI_File_read_at_all(file, 0, all, 6 * size, MPI_INT, &status);
    say("all", all, 6 * size);
    MPI_Aint extent = 0;
    MPI_File_get_type_extent(file, MPI_DOUBLE, &extent);
    tell("extent %ld", (long)extent);
    tell("form: %s",
         class_of(MPI_File_set_view(file, 0, MPI_INT, MPI_INT, "strange", MPI_INFO_NULL)));
    MPI_File_close(&file);
}

/* Columns of a matrix in a file with its rows; then memory with space, too. */
static void blocks(void) {
    enum { ROWS = 4, COLUMNS = 2 };
    MPI_Datatype part;
    MPI_Datatype apart;
    int wide[2 * ROWS * COLUMNS];
    int back[ROWS * COLUMNS] = {0};
    int sizes[2] = {ROWS, COLUMNS * size};
    int parts[2] = {ROWS, COLUMNS};
    int starts[2] = {0, COLUMNS * rank};
    MPI_Status status;
    MPI_File file = opened("d.bin", MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE);
    MPI_Type_create_subarray(2, sizes, parts, starts, MPI_ORDER_C, MPI_INT, &part);
    MPI_Type_commit(&part);
    MPI_Type_vector(ROWS * COLUMNS, 1, 2, MPI_INT, &apart);
    MPI_Type_commit(&apart);
    for (int i = 0; i < 2 * ROWS * COLUMNS; i++) {
        wide[i] = i % 2 ? -1 : 100 * rank + i / 2;
    }
    MPI_File_set_view(file, 0, MPI_INT, part, "native", MPI_INFO_NULL);
    MPI_File_write_all(file, wide, 1, apart, &status);
    tell("a part %d", counted(&status, MPI_INT));
    MPI_File_seek(file, 0, MPI_SEEK_SET);
    MPI_File_read_all(file, back, ROWS * COLUMNS, MPI_INT, &status);
    say("back", back, ROWS * COLUMNS);
    for (int i = 0; i < 2 * ROWS * COLUMNS; i++) {
        wide[i] = -5;
    }
    MPI_File_read_at_all(file, 0, wide, 1, apart, &status);
    say("apart", wide, 2 * ROWS * COLUMNS);
    MPI_Barrier(MPI_COMM_WORLD);
    int *matrix = calloc((size_t)(ROWS * COLUMNS * size), sizeof *matrix);
    MPI_File_set_view(file, 0, MPI_INT, MPI_INT, "native", MPI_INFO_NULL);
    MPI_File_read_at_all(file, 0, matrix, ROWS * COLUMNS * size, MPI_INT, &status);
    say("matrix", matrix, ROWS * COLUMNS * size);
    free(matrix);
    MPI_Type_free(&part);
    MPI_Type_free(&apart);
    MPI_File_close(&file);
    tell("deleted: %s",
         class_of(MPI_File_open(MPI_COMM_WORLD, "d.bin", MPI_MODE_RDONLY, MPI_INFO_NULL, &file)));
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    views();
    blocks();
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        MPI_File_delete("c.bin", MPI_INFO_NULL);
    }
    MPI_Finalize();
    return 0;
}
