/* Data packed in the form external32. */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

#define SAY(...) (printf("%d: ", rank), printf(__VA_ARGS__), printf("\n"))

enum { ROOM = 256 };

static int rank;

/* The bytes of some elements, and whether they come back. */
static void show(const char *name, MPI_Datatype type, const void *values, int count, int bytes) {
    unsigned char packed[ROOM], back[ROOM] = {0};
    char text[3 * ROOM + 1] = "";
    MPI_Aint size = -1, position = 2, again = 2;
    MPI_Pack_external_size("external32", count, type, &size);
    memset(packed, 0xee, ROOM);
    MPI_Pack_external("external32", values, count, type, packed, ROOM, &position);
    for (MPI_Aint i = 0; i < position; i++) {
        sprintf(text + 3 * i, " %02x", packed[i]);
    }
    MPI_Unpack_external("external32", packed, ROOM, &again, back, count, type);
    SAY("%s: %ld B, to %ld,%s, back to %ld: %s", name, (long)size, (long)position, text,
        (long)again, memcmp(values, back, bytes) == 0 ? "equal" : "unequal");
}

#define SHOW(type, element, ...)                                                                   \
    do {                                                                                           \
        element values[] = {__VA_ARGS__};                                                          \
        show(#type, type, values, sizeof values / sizeof *values, sizeof values);                  \
    } while (0)

static void show_derived(void) {
    MPI_Datatype type;
    short numbers[] = {1, 2, 3, 4, 5, 6};
    MPI_Type_vector(3, 1, 2, MPI_SHORT, &type);
    MPI_Type_commit(&type);
    show("vector", type, numbers, 1, 2);
    MPI_Type_free(&type);
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    SHOW(MPI_BYTE, char, 1, 2, 3);
    SHOW(MPI_CHAR, char, 'x', 'y');
    SHOW(MPI_SHORT, short, 1, -2);
    SHOW(MPI_INT, int, 1, -2, 1 << 20);
    SHOW(MPI_UNSIGNED, unsigned, 1, 0xdeadbeef);
    SHOW(MPI_LONG, long, 1, 1 << 20);
    SHOW(MPI_UNSIGNED_LONG, unsigned long, 1, 0xdeadbeef);
    SHOW(MPI_LONG_LONG, long long, 1, -2);
    SHOW(MPI_INT64_T, long, 1, -2);
    SHOW(MPI_AINT, MPI_Aint, 1, -2);
    SHOW(MPI_FLOAT, float, 1, -2.5);
    SHOW(MPI_DOUBLE, double, 1, -2.5, 1e300);
    SHOW(MPI_INTEGER, int, 77);
    SHOW(MPI_DOUBLE_PRECISION, double, 0.1);
    double complex_numbers[] = {1, -2.5, 3, 4};
    show("MPI_C_DOUBLE_COMPLEX", MPI_C_DOUBLE_COMPLEX, complex_numbers, 2, sizeof complex_numbers);
    show_derived();
    MPI_Finalize();
    return 0;
}
