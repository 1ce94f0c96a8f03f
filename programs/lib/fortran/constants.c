/* Constants that are addresses: common blocks of Fortran, which compilers align so. */
#include "fortran.h"

#define ADDRESS _Alignas(16) const

ADDRESS MPI_Fint mgen_bottom_, mgen_in_place_, mgen_unweighted_, mgen_weights_empty_;
ADDRESS MPI_Fint mgen_status_ignore_[sizeof(MPI_Status) / sizeof(MPI_Fint)];
ADDRESS MPI_Fint mgen_statuses_ignore_[sizeof(MPI_Status) / sizeof(MPI_Fint)];
ADDRESS MPI_Fint mgen_errcodes_ignore_[1];
ADDRESS char mgen_argv_null_[1], mgen_argvs_null_[1];
