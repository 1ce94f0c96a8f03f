"""Programs that start threads, which a rank runs, or processes, which a simulator denies."""

from pathlib import Path

import pytest

from tests.programs.simulator import run_line, simulated

HERE = Path(__file__).parent

STARTS = """#include <mpi.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
int main(int argc, char **argv) {
    pid_t child;
    char *words[] = {"true", NULL};
    (void)child, (void)words;
    MPI_Init(&argc, &argv);
    int failed = %s;
    MPI_Finalize();
    return failed;
}
"""
#: What a program starts, whether that fails, and what the point says of it.
STARTED = [
    ("fork() < 0", "the program called fork, which weft denies: a simulated program starts no"),
    ("system(\"true\") != 0", "the program called system, which weft denies"),
    ("popen(\"true\", \"r\") == NULL", "the program called popen, which weft denies"),
    ("posix_spawnp(&child, \"true\", NULL, NULL, words, words + 1) != 0",
     "the program called posix_spawnp, which weft denies"),
]  # fmt: skip
#: Four threads of each rank compute, at once or one after the other.
TIMED = """#include <mgen.h>
#include <pthread.h>
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static void *run(void *locks) {
    if (locks) pthread_mutex_lock(&mutex);
    MGEN_Comp(1e-3);
    if (locks) pthread_mutex_unlock(&mutex);
    return NULL;
}
int MGEN_Main(int argc, char **argv) {
    pthread_t threads[4];
    for (int i = 0; i < 4; i++) pthread_create(&threads[i], NULL, run, argc > 1 ? argv[1] : NULL);
    for (int i = 0; i < 4; i++) pthread_join(threads[i], NULL);
    return 0;
}
"""
#: A message arrives at a thread that waits, while the first computes.
OVERLAPPED = """#include <mgen.h>
#include <pthread.h>
static void *receive(void *rank) {
    int number = 0;
    MGEN_Recv(&number, 1, MGEN_INT, 0, 0, MGEN_COMM_WORLD, MGEN_STATUS_IGNORE);
    MGEN_Comp(1e-3);
    return rank;
}
int MGEN_Main(int argc, char **argv) {
    int rank;
    pthread_t thread;
    MGEN_Comm_rank(MGEN_COMM_WORLD, &rank);
    if (rank == 0) {
        MGEN_Send(&rank, 1, MGEN_INT, 1, 0, MGEN_COMM_WORLD);
        return 0;
    }
    pthread_create(&thread, NULL, receive, &rank);
    MGEN_Comp(1e-3);
    return pthread_join(thread, NULL);
}
"""
ENDS_BADLY = """#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static volatile int flag;
static int deeper(int depth) {
    volatile char room[4096];
    room[0] = (char)depth;
    return depth > 0 ? deeper(depth - 1) + room[0] : 0;
}
static void *run(void *argument) {
    (void)argument, (void)condition, (void)mutex, (void)deeper;
    %s;
    return NULL;
}
int main(int argc, char **argv) {
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    pthread_t thread;
    pthread_create(&thread, NULL, run, NULL);
    while (argc > 1 && !flag) { }
    pthread_join(thread, NULL);
    MPI_Finalize();
}
"""
#: What a thread does, and what the error says.
BAD_ENDS = [
    ("pthread_mutex_lock(&mutex); pthread_cond_wait(&condition, &mutex)",
     ["rank 0 waits in pthread_join for another thread of its rank",
      "rank 0, thread 1 waits in pthread_cond_wait for another thread of its rank"]),
    ("int x; MPI_Recv(&x, 1, MPI_INT, 0, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE)",
     ["rank 0, thread 1 waits in MPI_Recv for a message from rank 0 with tag 5"]),
    ("while (!flag) sched_yield()", ["rank 0, thread 1 waits in sched_yield"]),
    # Each call is one of the simulated ones, so that only their number ends it.
    pytest.param(
     "while (!flag) { pthread_mutex_lock(&mutex); pthread_mutex_unlock(&mutex); }",
     ["rank 0, thread 1 waits in pthread_mutex_"],
     marks=[pytest.mark.slow, pytest.mark.long("programs")]),
    ("exit(3)", ["rank 0, thread 1 ended with code 3"]),
    ("MPI_Send(0, -1, MPI_INT, 0, 5, MPI_COMM_WORLD)", ["rank 0, thread 1: MPI_Send: "]),
    ("abort()", ["rank 0, thread 1: abort() was called"]),
    ("flag = deeper(1000)", ["rank 0, thread 1: stack overflow", "pthread_attr_setstacksize"]),
]  # fmt: skip


def source(folder: Path, text: str, name: str = "threads.c") -> Path:
    (folder / name).write_text(text)
    return folder / name


def failed(folder: Path, text: str, *arguments: str) -> str:
    line, _ = run_line(folder, source(folder, text), 2, None, arguments, None, "flow", None, {})
    assert line["status"] == "failed"
    return str(line["error"])


@pytest.mark.parametrize(("start", "words"), STARTED)
def test_a_program_that_gives_up_without_a_thread_or_a_process_is_one_that_started_it(
    start: str, words: str, tmp_path: Path
) -> None:
    error = failed(tmp_path, STARTS % start)
    assert words in error
    assert "or measure it with hardware" in error


#: Sources of C++ that count what goes wrong, and the standard that they need.
CPP = [("threads.cpp", "-std=c++17"), ("threads_of_cpp20.cpp", "-std=c++20")]


@pytest.mark.parametrize(("name", "standard"), CPP)
def test_threads_of_cpp_wait_for_each_other_and_have_variables_and_exceptions_of_their_own(
    name: str, standard: str, tmp_path: Path
) -> None:
    program = HERE / name
    build: dict[str, object] = {"root": str(HERE), "language": "c++", "sources": [program.name]}
    build |= {"include": [], "defines": [], "flags": ["-pthread", standard]}
    build |= {"files": [[program.name, None]]}
    options = {"stack_bytes": 1 << 18}
    line, log = run_line(tmp_path, program, 3, None, (), None, "flow", None, options, None, build)
    assert line["status"] == "done", (line["error"], log)


@pytest.mark.parametrize("engine", ["flow", "packet", "rdma"])
@pytest.mark.parametrize("compute", ["declared", "measured"])
def test_tasks_of_cpp_have_results_whatever_runs_between(
    engine: str, compute: str, tmp_path: Path
) -> None:
    """Where computing is measured, other threads and ranks run at more places."""
    program = HERE / "tasks.cpp"
    build: dict[str, object] = {"root": str(HERE), "language": "c++", "sources": [program.name]}
    build |= {"include": [], "defines": [], "flags": ["-std=c++17"]}
    build |= {"files": [[program.name, None]]}
    options = {"stack_bytes": 1 << 18, "compute": compute, "compute_runs": 1}
    line, log = run_line(tmp_path, program, 3, None, (), None, engine, None, options, None, build)
    assert line["status"] == "done", (line["error"], log)
    assert "point p: OK" in log


def time_s(folder: Path, text: str, *arguments: str) -> float:
    metrics = simulated(folder, source(folder, text), 2, arguments=arguments, engine="flow")
    return metrics["program_time_s"]


def test_threads_compute_at_once_but_not_what_a_lock_keeps_apart(tmp_path: Path) -> None:
    assert time_s(tmp_path, TIMED) == pytest.approx(1e-3, rel=1e-3)
    assert time_s(tmp_path, TIMED, "locks") == pytest.approx(4e-3, rel=1e-3)


def test_a_thread_goes_on_when_its_message_comes_whatever_the_first_computes(
    tmp_path: Path,
) -> None:
    assert time_s(tmp_path, OVERLAPPED) == pytest.approx(1e-3, rel=0.1)


@pytest.mark.parametrize(("does", "words"), BAD_ENDS)
def test_the_reason_names_the_thread(does: str, words: list[str], tmp_path: Path) -> None:
    error = failed(tmp_path, ENDS_BADLY % does)
    for each in words:
        assert each in error


def test_a_loop_that_waits_for_a_variable_ends_by_the_limit_with_the_reason(
    tmp_path: Path,
) -> None:
    options = {"loop_limit_s": 0.2}
    program = source(tmp_path, ENDS_BADLY % "flag = 1")
    line, _ = run_line(tmp_path, program, 1, None, ("spin",), None, "flow", None, options)
    assert "Nothing interrupts a thread: a loop that waits for another thread" in line["error"]


@pytest.mark.parametrize(("arguments", "least", "most"), [((), 0.25, 0.6), (("locks",), 0.9, 1.1)])
def test_each_thread_computes_as_long_as_was_measured_of_it(
    arguments: tuple[str, ...], least: float, most: float, tmp_path: Path
) -> None:
    """Four threads do the same: at once it takes a quarter of the sum, one after the other all."""
    program, engine = HERE / "computing.c", "flow"
    options: dict[str, object] = {"compute": "measured", "stack_bytes": 1 << 18}
    measures = options | {"compute_runs": 3}
    found = simulated(tmp_path, program, 2, arguments=arguments, engine=engine, **measures)
    times = tmp_path / "out" / "compute-p.times"
    replays = options | {"compute_times": str(times.rename(tmp_path / "measured.times"))}
    again = [
        simulated(tmp_path, program, 2, arguments=arguments, engine=engine, **replays)
        for _ in range(2)
    ]
    assert again[0] == again[1]
    of_a_rank_s = found["computed_time_s"] / 2
    assert least * of_a_rank_s <= again[0]["program_time_s"] <= most * of_a_rank_s
