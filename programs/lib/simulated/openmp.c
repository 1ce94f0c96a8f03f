/* OpenMP on one thread: the simulator's compiler leaves directives out, and these are the functions
 * for a team of one. */
#include "mgen.h"
#include "of_a_rank.h"

OF_A_RANK int omp_get_num_threads(void) {
    return 1;
}

OF_A_RANK int omp_get_max_threads(void) {
    return 1;
}

OF_A_RANK int omp_get_thread_num(void) {
    return 0;
}

OF_A_RANK int omp_get_num_procs(void) {
    return 1;
}

OF_A_RANK int omp_get_thread_limit(void) {
    return 1;
}

OF_A_RANK int omp_in_parallel(void) {
    return 0;
}

OF_A_RANK int omp_get_level(void) {
    return 0;
}

OF_A_RANK int omp_get_dynamic(void) {
    return 0;
}

OF_A_RANK int omp_get_nested(void) {
    return 0;
}

OF_A_RANK int omp_get_max_active_levels(void) {
    return 1;
}

OF_A_RANK void omp_set_max_active_levels(int count) {
    (void)count;
}

OF_A_RANK void omp_set_num_threads(int count) {
    (void)count;
}

OF_A_RANK void omp_set_dynamic(int allowed) {
    (void)allowed;
}

OF_A_RANK void omp_set_nested(int allowed) {
    (void)allowed;
}

OF_A_RANK double omp_get_wtime(void) {
    return MGEN_Wtime();
}

OF_A_RANK double omp_get_wtick(void) {
    return 1e-12;
}

/* A lock of one thread is free whenever it is asked for. */
OF_A_RANK void omp_init_lock(void *lock) {
    (void)lock;
}

OF_A_RANK void omp_destroy_lock(void *lock) {
    (void)lock;
}

OF_A_RANK void omp_set_lock(void *lock) {
    (void)lock;
}

OF_A_RANK void omp_unset_lock(void *lock) {
    (void)lock;
}

OF_A_RANK int omp_test_lock(void *lock) {
    (void)lock;
    return 1;
}

/* Fortran's names of them; arguments are references. */
#define ASK_FROM_FORTRAN(kind, name)                                                               \
    OF_A_RANK kind name##_(void) {                                                                 \
        return name();                                                                             \
    }
#define SET_FROM_FORTRAN(name)                                                                     \
    OF_A_RANK void name##_(const int *value) {                                                     \
        name(*value);                                                                              \
    }
#define LOCK_FROM_FORTRAN(name)                                                                    \
    OF_A_RANK void name##_(void *lock) {                                                           \
        name(lock);                                                                                \
    }

ASK_FROM_FORTRAN(int, omp_get_num_threads)
ASK_FROM_FORTRAN(int, omp_get_max_threads)
ASK_FROM_FORTRAN(int, omp_get_thread_num)
ASK_FROM_FORTRAN(int, omp_get_num_procs)
ASK_FROM_FORTRAN(int, omp_get_thread_limit)
ASK_FROM_FORTRAN(int, omp_in_parallel)
ASK_FROM_FORTRAN(int, omp_get_level)
ASK_FROM_FORTRAN(int, omp_get_dynamic)
ASK_FROM_FORTRAN(int, omp_get_nested)
ASK_FROM_FORTRAN(int, omp_get_max_active_levels)
ASK_FROM_FORTRAN(double, omp_get_wtime)
ASK_FROM_FORTRAN(double, omp_get_wtick)
SET_FROM_FORTRAN(omp_set_num_threads)
SET_FROM_FORTRAN(omp_set_dynamic)
SET_FROM_FORTRAN(omp_set_nested)
SET_FROM_FORTRAN(omp_set_max_active_levels)
LOCK_FROM_FORTRAN(omp_init_lock)
LOCK_FROM_FORTRAN(omp_destroy_lock)
LOCK_FROM_FORTRAN(omp_set_lock)
LOCK_FROM_FORTRAN(omp_unset_lock)

OF_A_RANK int omp_test_lock_(void *lock) {
    return omp_test_lock(lock);
}
