/* Calls of MPI-1 whose addresses are default integers in Fortran, of MPI_Aint in C. */
#include "fortran.h"
#include "mpi_state.h"

static MPI_Aint *wide(const int *numbers, int count) {
    MPI_Aint *made = mgen_memory((size_t)(count > 0 ? count : 1) * sizeof *made);
    for (int i = 0; i < count; i++) {
        made[i] = numbers[i];
    }
    return made;
}

void mpi_address_(void *location, int *address, int *error) {
    MPI_Aint found = 0;
    mgen_fortran_error(MPI_Get_address(mgen_fortran_buffer(location), &found), error);
    *address = (int)found;
}

void mpi_type_extent_(const int *type, int *extent, int *error) {
    MPI_Aint lb = 0, found = 0;
    mgen_fortran_error(MPI_Type_get_extent(*type, &lb, &found), error);
    *extent = (int)found;
}

void mpi_type_lb_(const int *type, int *lb, int *error) {
    MPI_Aint found = 0, extent = 0;
    mgen_fortran_error(MPI_Type_get_extent(*type, &found, &extent), error);
    *lb = (int)found;
}

void mpi_type_ub_(const int *type, int *ub, int *error) {
    MPI_Aint lb = 0, extent = 0;
    mgen_fortran_error(MPI_Type_get_extent(*type, &lb, &extent), error);
    *ub = (int)(lb + extent);
}

void mpi_type_hvector_(const int *count, const int *length, const int *stride, const int *type,
                       int *made, int *error) {
    mgen_fortran_error(MPI_Type_create_hvector(*count, *length, *stride, *type, made), error);
}

void mpi_type_hindexed_(const int *count, const int *lengths, const int *places, const int *type,
                        int *made, int *error) {
    MPI_Aint *own = wide(places, *count);
    mgen_fortran_error(MPI_Type_create_hindexed(*count, lengths, own, *type, made), error);
    free(own);
}

void mpi_type_struct_(const int *count, const int *lengths, const int *places, const int *types,
                      int *made, int *error) {
    MPI_Aint *own = wide(places, *count);
    mgen_fortran_error(MPI_Type_create_struct(*count, lengths, own, types, made), error);
    free(own);
}
