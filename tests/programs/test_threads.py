"""Programs that ask for threads: a simulated rank has one."""

from pathlib import Path

from tests.programs.simulator import run_line, run_point

ASKS = """#include <mpi.h>
int main(int argc, char **argv) {
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Finalize();
    return argc > 1 && provided < MPI_THREAD_MULTIPLE;
}
"""
NOTE = (
    "the program asked for MPI_THREAD_MULTIPLE; weft provides MPI_THREAD_FUNNELED, because a rank "
    "of the simulator is one thread"
)


def source(folder: Path, text: str) -> Path:
    (folder / "threads.c").write_text(text)
    return folder / "threads.c"


def failed(folder: Path, text: str, *arguments: str) -> str:
    line, _ = run_line(folder, source(folder, text), 2, None, arguments, None, "flow", None, {})
    assert line["status"] == "failed"
    return str(line["error"])


def test_the_log_says_once_that_a_program_gets_fewer_threads_than_it_asked_for(tmp_path: Path):
    _, log = run_point(tmp_path, source(tmp_path, ASKS), 2, engine="flow")
    assert log.count(NOTE) == 1


def test_the_reason_of_a_rank_that_gives_up_says_so_too(tmp_path: Path) -> None:
    assert failed(tmp_path, ASKS, "strict").endswith(f"; {NOTE}")
