"""Programs that ask for threads or processes: a simulated rank is one thread."""

from pathlib import Path

import pytest

from tests.programs.simulator import run_line, run_point

ASKS = """#include <mpi.h>
int main(int argc, char **argv) {
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Finalize();
    return %s || provided < MPI_THREAD_MULTIPLE;
}
"""
NOTE = (
    "the program asked for MPI_THREAD_MULTIPLE; a rank of the simulator is one thread, so it gets "
    "this level and no further thread"
)


ONE_THREAD = (
    "the program started a thread, which weft denies: a rank of the simulator is one thread"
)
STARTS = """#include <mpi.h>
#include <pthread.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
static void *run(void *argument) { return argument; }
int main(int argc, char **argv) {
    pthread_t thread;
    pid_t child;
    char *words[] = {"true", NULL};
    (void)thread, (void)child, (void)words, (void)run;
    MPI_Init(&argc, &argv);
    int failed = %s;
    MPI_Finalize();
    return failed;
}
"""
#: What a program starts, whether that fails, and what the point says of it.
STARTED = [
    ("pthread_create(&thread, NULL, run, NULL) != 0", ONE_THREAD),
    ("fork() < 0", "the program called fork, which weft denies: a simulated program starts no"),
    ("system(\"true\") != 0", "the program called system, which weft denies"),
    ("popen(\"true\", \"r\") == NULL", "the program called popen, which weft denies"),
    ("posix_spawnp(&child, \"true\", NULL, NULL, words, words + 1) != 0",
     "the program called posix_spawnp, which weft denies"),
]  # fmt: skip
OF_CPP = """#include <mpi.h>
#include <thread>
int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    std::thread other([] {});
    other.join();
    MPI_Finalize();
}
"""


def source(folder: Path, text: str, name: str = "threads.c") -> Path:
    (folder / name).write_text(text)
    return folder / name


def failed(folder: Path, text: str, *arguments: str) -> str:
    line, _ = run_line(folder, source(folder, text), 2, None, arguments, None, "flow", None, {})
    assert line["status"] == "failed"
    return str(line["error"])


def test_a_program_gets_the_level_that_it_asks_for_and_the_log_says_once_what_that_means(
    tmp_path: Path,
) -> None:
    _, log = run_point(tmp_path, source(tmp_path, ASKS % "0"), 2, engine="flow")
    assert log.count(NOTE) == 1


def test_the_reason_of_a_rank_that_gives_up_says_so_too(tmp_path: Path) -> None:
    assert failed(tmp_path, ASKS % "argc > 1", "strict").endswith(f"; {NOTE}")


@pytest.mark.parametrize(("start", "words"), STARTED)
def test_a_program_that_gives_up_without_a_thread_or_a_process_is_one_that_started_it(
    start: str, words: str, tmp_path: Path
) -> None:
    error = failed(tmp_path, STARTS % start)
    assert words in error
    assert "or measure it with hardware" in error


def test_a_thread_of_cpp_that_throws_is_named_in_the_reason(tmp_path: Path) -> None:
    program = source(tmp_path, OF_CPP, "threads.cpp")
    build = {"root": str(tmp_path), "language": "c++", "sources": [program.name], "include": []}
    build |= {"defines": [], "flags": ["-pthread"], "files": [[program.name, None]]}
    line, _ = run_line(tmp_path, program, 2, None, (), None, "flow", None, {}, None, build)
    assert "SIGABRT" in line["error"]
    assert ONE_THREAD in line["error"]
