// What threads of C++20 wait by: each rank counts what goes wrong.
#include <atomic>
#include <barrier>
#include <latch>
#include <mpi.h>
#include <semaphore>
#include <thread>
#include <vector>

static constexpr int THREADS = 4;
static constexpr int ROUNDS = 20;

int main(int argc, char **argv) {
    int provided, rank, ranks;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    std::atomic<int> wrong{0}, flag{0}, entered{0};
    std::atomic<long> wide{0};
    int completed = 0, received = 0;
    std::latch begun(THREADS);
    std::barrier round(THREADS, [&]() noexcept { completed++; });
    std::counting_semaphore<2> room(2);
    std::binary_semaphore arrived(0);
    std::vector<std::jthread> threads;
    for (int i = 0; i < THREADS; i++) {
        threads.emplace_back([&, i] {
            begun.arrive_and_wait();
            for (int each = 0; each < ROUNDS; each++) {
                round.arrive_and_wait();
                wrong += completed != 2 * each + 1;
                round.arrive_and_wait();
            }
            room.acquire();
            wrong += ++entered > 2;
            MGEN_Comp(1e-6);
            entered--;
            room.release();
            flag.wait(0);
            wide.wait(0);
            wrong += flag != 1 || wide != 1;
            if (i == 1) {
                arrived.acquire();
                wrong += received != (rank + ranks - 1) % ranks;
            }
        });
    }
    begun.wait();
    int own = rank;
    MPI_Sendrecv(&own, 1, MPI_INT, (rank + 1) % ranks, 0, &received, 1, MPI_INT,
                 (rank + ranks - 1) % ranks, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    arrived.release();
    // Others wait for so long that a wait in the kernel would take minutes.
    for (int i = 0; i < 100; i++) {
        MGEN_Comp(1e-5);
    }
    flag = 1;
    flag.notify_all();
    wide = 1;
    wide.notify_all();
    threads.clear();
    MPI_Finalize();
    return wrong;
}
