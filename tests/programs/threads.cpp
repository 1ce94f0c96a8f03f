// Threads of C++: each rank counts what goes wrong.
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <future>
#include <mpi.h>
#include <mutex>
#include <shared_mutex>
#include <stdexcept>
#include <thread>
#include <vector>

static int destroyed;
static std::mutex mutex;
static std::condition_variable changed;
static int arrived;

struct Counted {
    int value = 0;
    ~Counted() { destroyed += value; }
};
static thread_local Counted counted;

static void meet(int count) {
    std::unique_lock<std::mutex> lock(mutex);
    if (++arrived == count) {
        changed.notify_all();
    }
    changed.wait(lock, [=] { return arrived == count; });
}

int main(int argc, char **argv) {
    int provided, rank, ranks, wrong = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    std::vector<std::thread> threads;
    std::atomic<int> caught{0};
    for (int i = 0; i < 3; i++) {
        threads.emplace_back([&, i] {
            counted.value = i + 1;
            meet(3);
            try {
                int got, next = (rank + 1) % ranks, before = (rank + ranks - 1) % ranks;
                MPI_Sendrecv(&i, 1, MPI_INT, next, i, &got, 1, MPI_INT, before, i, MPI_COMM_WORLD,
                             MPI_STATUS_IGNORE);
                throw std::runtime_error(std::to_string(got));
            } catch (const std::exception &error) {
                std::this_thread::yield();
                caught += std::stoi(error.what()) == i && std::uncaught_exceptions() == 0;
            }
        });
    }
    for (auto &thread : threads) {
        thread.join();
    }
    wrong += caught != 3;
    wrong += destroyed != 6;
    std::promise<int> promise;
    std::thread([&promise] { promise.set_value(41); }).detach();
    wrong += promise.get_future().get() != 41;
    auto later = std::async(std::launch::async, [rank] { return rank; });
    wrong += later.get() != rank;
    auto failed = std::async(std::launch::async, []() -> int { throw std::logic_error("told"); });
    try {
        failed.get();
        wrong++;
    } catch (const std::logic_error &) {
    }
    std::once_flag once;
    int calls = 0;
    std::thread other([&] { std::call_once(once, [&] { calls++; }); });
    std::call_once(once, [&] { calls++; });
    other.join();
    wrong += calls != 1;
    std::shared_mutex shared;
    shared.lock_shared();
    wrong += shared.try_lock();
    shared.unlock_shared();
    std::unique_lock<std::mutex> lock(mutex);
    auto soon = std::chrono::milliseconds(5);
    wrong += changed.wait_for(lock, soon) != std::cv_status::timeout;
    wrong += changed.wait_for(lock, soon, [] { return false; });
    std::promise<int> never;
    wrong += never.get_future().wait_for(soon) != std::future_status::timeout;
    wrong += std::this_thread::get_id() == std::thread::id();
    MPI_Finalize();
    return wrong;
}
