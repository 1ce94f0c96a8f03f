#include "world.hpp"
#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <mpi.h>
#include <sstream>

static thread_local int lost = 0;

static void step() {
    for (int &place : world.particles) {
        try {
            place = world.moved(place);
        } catch (const Lost &error) {
            // Another rank runs while this one handles its exception.
            int one = 1, all = 0;
            MPI_Sendrecv(&one, 1, MPI_INT, 0, 3, &all, 1, MPI_INT, 0, 3, MPI_COMM_SELF,
                         MPI_STATUS_IGNORE);
            lost += std::string(error.what()).rfind("lost at", 0) == 0 ? all : 100;
            place = 0;
        }
    }
    field[399999] += 1;
}

int main(int argc, char **argv) {
    int rank, ranks, provided, sum = 0, given[2], total[2];
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    std::srand(17 + rank);
    for (int i = 0; i < 20; i++) {
        try {
            step();
            if (i % 5 == 4) {
                throw i;
            }
        } catch (int number) {
            MPI_Barrier(MPI_COMM_WORLD);
            world.log.push_back("round " + std::to_string(number));
        }
    }
    sum = *std::max_element(world.particles.begin(), world.particles.end());
    given[0] = sum + static_cast<int>(field[399999]);
    given[1] = lost;
    MPI_Allreduce(given, total, 2, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0) {
        std::ostringstream text;
        text << "particles: " << total[0] << " " << total[1] << " " << world.log.size();
        std::cout << text.str() << std::endl;
    }
    MPI_Finalize();
    std::exit(provided > MPI_THREAD_MULTIPLE ? 1 : 0);
}
