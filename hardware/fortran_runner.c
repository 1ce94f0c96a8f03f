/* What the runner of plain programs has beside for Fortran: its calls of MPI_Init and the like,
 * where the linker of a program leads them, those of its files in C, and the end of a program that
 * STOP ends.
 *
 * The runner is linked with the MPI's library for Fortran. So that library is in memory before a
 * program, and recognises the addresses that are constants, like MPI_IN_PLACE. */
#define _GNU_SOURCE
#include "plain_runner.h"
#include <dlfcn.h>
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

static void answer(int code, int *error) {
    if (error != NULL) {
        *error = code;
    }
}

/* Twice, because the module mpi_f08 has names of its own. */
#define CALLS(end)                                                                                 \
    void __wrap_mpi_init_##end(int *error);                                                        \
    void __wrap_mpi_init_##end(int *error) {                                                       \
        answer(weft_init(NULL, NULL), error);                                                      \
    }                                                                                              \
    void __wrap_mpi_init_thread_##end(int *required, int *provided, int *error);                   \
    void __wrap_mpi_init_thread_##end(int *required, int *provided, int *error) {                  \
        answer(weft_init_thread(NULL, NULL, *required, provided), error);                          \
    }                                                                                              \
    void __wrap_mpi_finalize_##end(int *error);                                                    \
    void __wrap_mpi_finalize_##end(int *error) {                                                   \
        answer(weft_finalize(), error);                                                            \
    }                                                                                              \
    void __wrap_mpi_initialized_##end(int *flag, int *error);                                      \
    void __wrap_mpi_initialized_##end(int *flag, int *error) {                                     \
        answer(weft_initialized(flag), error);                                                     \
    }                                                                                              \
    void __wrap_mpi_finalized_##end(int *flag, int *error);                                        \
    void __wrap_mpi_finalized_##end(int *flag, int *error) {                                       \
        answer(weft_finalized(flag), error);                                                       \
    }

CALLS()
CALLS(f08_)

/* The same calls of files in C that a program of Fortran has beside. */
int __wrap_MPI_Init(int *argc, char ***argv);
int __wrap_MPI_Init(int *argc, char ***argv) {
    return weft_init(argc, argv);
}
int __wrap_MPI_Init_thread(int *argc, char ***argv, int required, int *provided);
int __wrap_MPI_Init_thread(int *argc, char ***argv, int required, int *provided) {
    return weft_init_thread(argc, argv, required, provided);
}
int __wrap_MPI_Finalize(void);
int __wrap_MPI_Finalize(void) {
    return weft_finalize();
}
int __wrap_MPI_Initialized(int *flag);
int __wrap_MPI_Initialized(int *flag) {
    return weft_initialized(flag);
}
int __wrap_MPI_Finalized(int *flag);
int __wrap_MPI_Finalized(int *flag) {
    return weft_finalized(flag);
}

/* The runtime library of Fortran ends a program by exit. It finds this function first, as all
 * libraries do; the others get the C library's. */
_Noreturn void exit(int code) {
    Dl_info caller;
    int is_known = dladdr(__builtin_return_address(0), &caller) != 0 && caller.dli_fname != NULL;
    if (is_known && weft_is_called() && strstr(caller.dli_fname, "libgfortran") != NULL) {
        weft_exit(code);
    }
    void (*of_the_library)(int);
    *(void **)&of_the_library = dlsym(RTLD_NEXT, "exit");
    of_the_library(code);
    abort();
}
