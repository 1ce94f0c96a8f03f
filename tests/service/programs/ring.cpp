#include <mpi.h>
#include <vector>
#include "ring.hpp"

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int rank, size;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    const Ring ring{rank, size};
    std::vector<double> out(1024, rank), in(1024);
    MPI_Sendrecv(out.data(), 1024, MPI_DOUBLE, ring.next(), 0, in.data(), 1024, MPI_DOUBLE,
                 ring.before(), 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return in[0] == ring.before() ? 0 : 1;
}
