/* What the programs about files share: what they print, and what they ask of a file. */
#ifndef TESTS_MPI_FILES_H
#define TESTS_MPI_FILES_H

#include <mpi.h>
#include <stdarg.h>
#include <stdio.h>

static int rank;
static int size;

/* Arguments may be calls in which other ranks print: the line comes as a whole. */
static inline void tell(const char *format, ...) {
    char line[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    printf("%d: %s\n", rank, line);
}

static inline void say(const char *what, const int *numbers, int count) {
    printf("%d: %s", rank, what);
    for (int i = 0; i < count; i++) {
        printf(" %d", numbers[i]);
    }
    printf("\n");
}

static inline int counted(MPI_Status *status, MPI_Datatype type) {
    int count = -7;
    MPI_Get_count(status, type, &count);
    return count;
}

/* The classes of errors, by name. */
static inline const char *class_of(int code) {
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

static inline MPI_Offset position_of(MPI_File file) {
    MPI_Offset position = -1;
    MPI_File_get_position(file, &position);
    return position;
}

static inline MPI_File opened(const char *name, int mode) {
    MPI_File file;
    int code = MPI_File_open(MPI_COMM_WORLD, name, mode, MPI_INFO_NULL, &file);
    if (code != MPI_SUCCESS) {
        tell("%s: %s", name, class_of(code));
        MPI_Abort(MPI_COMM_WORLD, 3);
    }
    return file;
}

#endif
