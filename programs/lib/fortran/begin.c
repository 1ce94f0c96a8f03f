/* The begin and the end of a rank that runs Fortran. */
#include "fortran.h"

/* Of the runtime library of Fortran: writes what the unit still holds, or all units. */
void _gfortran_flush_i4(int *unit);

void mgen_fortran_flush(void) {
    _gfortran_flush_i4(NULL);
}

/* The runtime library does this when a process ends; a rank is less. */
static __attribute__((constructor)) void begin(void) {
    atexit(mgen_fortran_flush);
}

/* The runtime library asks where temporary files go: into the folder of the program. */
char *secure_getenv(const char *name) {
    return strcmp(name, "TMPDIR") == 0 ? "." : getenv(name);
}

void mpi_init_(int *error) {
    mgen_fortran_error(MPI_Init(NULL, NULL), error);
}

void mpi_init_thread_(const int *required, int *provided, int *error) {
    mgen_fortran_error(MPI_Init_thread(NULL, NULL, *required, provided), error);
}

void mpi_abort_(const int *comm, const int *code, int *error) {
    mgen_fortran_flush();
    mgen_fortran_error(MPI_Abort(*comm, *code), error);
}

void mpi_pcontrol_(const int *level) {
    MPI_Pcontrol(*level);
}

/* The memory stays the program's; Fortran has no use for its address. */
void mpi_buffer_detach_(void *buffer, int *bytes, int *error) {
    (void)buffer;
    void *own = NULL;
    mgen_fortran_error(MPI_Buffer_detach(&own, bytes), error);
}
