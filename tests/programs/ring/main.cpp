#include "ring.h"
#include "size.h"
#include <cstdio>
#include <mpi.h>
#include <stdexcept>
#include <vector>

static std::vector<double> drawn(SIZE, 1.5);

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    try {
        drawn.at(rank) += rank;
        drawn.at(SIZE);
    } catch (const std::out_of_range &) {
        drawn.push_back(around(drawn[rank] + 2.5 + 3 * rank));
    }
    if (rank == 1) {
        std::printf("ring: %zu %.3f\n", drawn.size(), drawn.back());
    }
    MPI_Finalize();
    return 0;
}
