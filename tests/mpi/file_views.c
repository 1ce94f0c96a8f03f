/* Files: views, with data together and apart. */
#include <mpi.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int rank;
static int size;

/* Arguments may be calls in which other ranks print: the line comes as a whole. */
static void tell(const char *format, ...) {
    char line[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    printf("%d: %s\n", rank, line);
}

static void say(const char *what, const int *numbers, int count) {
    printf("%d: %s", rank, what);
    for (int i = 0; i < count; i++) {
        printf(" %d", numbers[i]);
    }
    printf("\n");
}

static int counted(MPI_Status *status, MPI_Datatype type) {
    int count = -7;
    MPI_Get_count(status, type, &count);
    return count;
}

/* The classes of errors, by name. */
static const char *class_of(int code) {
    static const struct {
        int class;
        const char *name;
    } known[] = {{MPI_SUCCESS, "success"},
                 {MPI_ERR_NO_SUCH_FILE, "no such file"},
                 {MPI_ERR_FILE_EXISTS, "file exists"},
                 {MPI_ERR_AMODE, "amode"},
                 {MPI_ERR_ACCESS, "access"},
                 {MPI_ERR_READ_ONLY, "read only"},
                 {MPI_ERR_ARG, "arg"},
                 {MPI_ERR_COUNT, "count"},
                 {MPI_ERR_IO, "io"},
                 {MPI_ERR_FILE, "file"},
                 {MPI_ERR_NOT_SAME, "not same"},
                 {MPI_ERR_UNSUPPORTED_DATAREP, "datarep"},
                 {MPI_ERR_UNSUPPORTED_OPERATION, "operation"}};
    int class = 0;
    MPI_Error_class(code, &class);
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        if (known[i].class == class) {
            return known[i].name;
        }
    }
    return "other";
}

static MPI_Offset position_of(MPI_File file) {
    MPI_Offset position = -1;
    MPI_File_get_position(file, &position);
    return position;
}

static MPI_File opened(const char *name, int mode) {
    MPI_File file;
    int code = MPI_File_open(MPI_COMM_WORLD, name, mode, MPI_INFO_NULL, &file);
    if (code != MPI_SUCCESS) {
        tell("%s: %s", name, class_of(code));
        MPI_Abort(MPI_COMM_WORLD, 3);
    }
    return file;
}

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
