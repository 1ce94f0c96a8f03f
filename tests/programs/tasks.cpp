/* Tasks of C++ beside threads: what asks the library for a thread, a result or a single call. Each
 * rank counts what is wrong. */
#include <atomic>
#include <condition_variable>
#include <cstdio>
#include <future>
#include <mpi.h>
#include <mutex>
#include <numeric>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

static int wrong;

static void check(bool is_right, const char *what) {
    if (!is_right) {
        wrong++;
        std::printf("WRONG %s\n", what);
    }
}

static thread_local std::string own = "new";
static int rank_of_all;

static long sum(long first, long last) {
    own += "!";
    long all = 0;
    for (long i = first; i < last; i++) {
        all += i;
    }
    return all;
}

static void asynchronous() {
    auto now = std::async(std::launch::async, sum, 0L, 1000L + rank_of_all);
    auto later = std::async(std::launch::deferred, sum, 0L, 100L);
    auto any = std::async(sum, 0L, 10L);
    long last = 1000L + rank_of_all;
    check(now.get() == last * (last - 1) / 2, "async");
    check(later.get() == 4950, "deferred");
    check(any.get() == 45, "async by default");
    std::vector<std::future<long>> parts;
    for (long i = 0; i < 8; i++) {
        parts.push_back(std::async(std::launch::async, sum, 100 * i, 100 * i + 100));
    }
    long all = 0;
    for (auto &part : parts) {
        all += part.get();
    }
    check(all == 800L * 799 / 2, "sum of parts");
    auto thrown = std::async(std::launch::async, [] { throw std::runtime_error("thrown"); });
    try {
        thrown.get();
        check(false, "exception of async");
    } catch (const std::runtime_error &error) {
        check(std::string("thrown") == error.what(), "text of an exception");
    }
}

static void promised() {
    std::promise<int> first;
    std::promise<std::string> second;
    auto number = first.get_future();
    auto text = second.get_future().share();
    std::thread giver([&] {
        int got = 0;
        MPI_Sendrecv(&rank_of_all, 1, MPI_INT, rank_of_all, 3, &got, 1, MPI_INT, rank_of_all, 3,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        first.set_value(got + 1);
        second.set_value("done");
    });
    check(number.get() == rank_of_all + 1, "promise");
    check(text.get() == "done" && text.get() == "done", "shared future");
    giver.join();
    std::promise<int> broken;
    auto never = broken.get_future();
    broken = std::promise<int>();
    try {
        never.get();
        check(false, "broken promise");
    } catch (const std::future_error &error) {
        check(error.code() == std::future_errc::broken_promise, "code of a broken promise");
    }
}

static void packaged() {
    std::packaged_task<long(long, long)> task(sum), other(sum);
    auto result = task.get_future(), more = other.get_future();
    std::thread runner(std::move(task), 0L, 50L);
    runner.join();
    check(result.get() == 1225, "packaged_task");
    other(0L, 4L);
    check(more.get() == 6, "packaged_task of the same thread");
}

struct Ends {
    bool *has_ended = nullptr;
    ~Ends() {
        if (has_ended != nullptr) {
            *has_ended = true;
        }
    }
};
static thread_local Ends ends;

/* Results that become ready only when the thread has ended, after its own objects. */
static void at_the_end() {
    std::promise<int> first, second;
    std::packaged_task<long(long, long)> task(sum);
    auto number = first.get_future(), none = second.get_future();
    auto result = task.get_future();
    bool has_ended = false;
    std::thread giver([&] {
        ends.has_ended = &has_ended;
        first.set_value_at_thread_exit(9);
        second.set_exception_at_thread_exit(std::make_exception_ptr(std::runtime_error("thrown")));
        task.make_ready_at_thread_exit(0L, 10L);
        check(number.wait_for(std::chrono::seconds(0)) == std::future_status::timeout, "too early");
    });
    check(number.get() == 9 && has_ended, "promise at the end of a thread");
    check(result.get() == 45, "packaged_task at the end of a thread");
    try {
        none.get();
        check(false, "exception at the end of a thread");
    } catch (const std::runtime_error &error) {
        check(std::string("thrown") == error.what(), "text of an exception at the end");
    }
    giver.join();
    std::mutex mutex;
    std::condition_variable changed;
    bool is_ready = false;
    std::thread([&] {
        std::unique_lock<std::mutex> lock(mutex);
        is_ready = true;
        std::notify_all_at_thread_exit(changed, std::move(lock));
    }).detach();
    std::unique_lock<std::mutex> lock(mutex);
    changed.wait(lock, [&] { return is_ready; });
    check(is_ready, "notify_all at the end of a thread");
    std::promise<int> of_the_first;
    auto never = of_the_first.get_future();
    of_the_first.set_value_at_thread_exit(1);
    check(never.wait_for(std::chrono::seconds(0)) == std::future_status::timeout, "first thread");
}

static int initialised;
static std::once_flag flag, failing;

static void once() {
    int value = 7, tries = 0;
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; i++) {
        threads.emplace_back([&value] {
            std::call_once(flag, [&value](int more) { initialised += value + more; }, 1);
        });
    }
    for (auto &thread : threads) {
        thread.join();
    }
    check(initialised == 8, "call_once");
    for (int i = 0; i < 2; i++) {
        try {
            std::call_once(failing, [&tries] {
                if (tries++ == 0) {
                    throw std::runtime_error("again");
                }
            });
        } catch (const std::runtime_error &) {
        }
    }
    check(tries == 2, "call_once after an exception");
    static const std::string made = [] { return std::string("made"); }();
    check(made == "made", "static of a function");
}

static void conditions() {
    std::mutex mutex;
    std::condition_variable changed;
    int turn = 0;
    std::vector<std::thread> threads;
    std::atomic<int> own_strings{0};
    for (int i = 0; i < 3; i++) {
        threads.emplace_back([&, i] {
            own_strings += own == "new";
            own = "thread " + std::to_string(i);
            std::unique_lock<std::mutex> lock(mutex);
            changed.wait(lock, [&] { return turn == i; });
            own_strings += own == "thread " + std::to_string(i);
            turn++;
            changed.notify_all();
        });
    }
    for (auto &thread : threads) {
        thread.join();
    }
    check(turn == 3 && own_strings == 6, "condition_variable and thread_local");
}

int main(int argc, char **argv) {
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_of_all);
    asynchronous();
    promised();
    packaged();
    at_the_end();
    once();
    conditions();
    int all = 0;
    MPI_Allreduce(&wrong, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (rank_of_all == 0 && all == 0) {
        std::printf("OK\n");
    }
    MPI_Finalize();
    return all != 0;
}
