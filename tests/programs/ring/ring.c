#include "ring.h"
#include <math.h>
#include <mpi.h>

/* Passes the sum of the roots of all ranks around; a counter shows whose globals these are. */
static int calls;

double around(double value) {
    int rank, size;
    double sum = 0, own = sqrt(value);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int i = 0; i < size; i++) {
        sum += own;
        MPI_Sendrecv_replace(&own, 1, MPI_DOUBLE, (rank + 1) % size, 3, (rank + size - 1) % size, 3,
                             MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    return sum + 100 * ++calls;
}
