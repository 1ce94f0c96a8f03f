"""`weft new --program`: an experiment of an MPI program that exists."""

from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from weft.command.commands import main
from weft.config import load_experiments
from weft.plan import expand
from weft.read import Project

pytestmark = pytest.mark.slow

SOURCE = "#include <mpi.h>\nint main(void) { MPI_Init(0, 0); MPI_Finalize(); }\n"
MAKEFILE = "bin/run: run.c\n\tmkdir -p bin && $(CC) -o $@ $<\n"


@pytest.fixture
def codes(tmp_path: Path) -> Path:
    """A folder of a user's with programs: one source, a folder of sources, one with a Makefile."""
    for name in (
        "one.c",
        "several/main.cc",
        "several/deep/part.cc",
        "several/help.c",
        "made/run.c",
    ):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(SOURCE)
    (tmp_path / "made" / "Makefile").write_text(MAKEFILE)
    (tmp_path / "notes.txt").write_text("no program\n")
    (tmp_path / "empty").mkdir()
    return tmp_path


def new(project: Project, codes: Path, name: str, *arguments: str) -> Result:
    begin = ["--project", str(project.root), "--experiments", str(codes), "new", name]
    return CliRunner().invoke(main, [*begin, *arguments])


@pytest.mark.parametrize(
    ("program", "more", "files"),
    [
        ("one.c", [], ["one.c"]),
        ("several", [], ["several/deep/part.cc", "several/help.c", "several/main.cc"]),
        ("made", ["--executable", "bin/run"], ["made/Makefile", "made/run.c"]),
    ],
)
def test_the_experiment_of_a_program_is_valid_and_holds_its_files(
    project, codes, program, more, files
):
    done = new(project, codes, "mine", "--program", str(codes / program), *more)
    assert done.exit_code == 0, done.output
    (found,) = load_experiments(project.configs, names=["mine"], search_path=(codes,))
    points = expand(found)
    assert {point.spec["workload"]["ranks"] for point in points} == {2, 4, 8, 16}
    assert [name for name, _ in points[0].spec["workload"]["build"]["files"]] == files


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--program", "{codes}/two.c"], "two.c does not exist"),
        (["--program", "{codes}/notes.txt"], "the ending of notes.txt says no language"),
        (["--program", "{codes}/empty"], "holds no source of C, C++ or Fortran"),
        (["--program", "{codes}/made"], "with --executable"),
        (["--program", "{codes}/several", "--executable", "run"], "neither a Makefile"),
        (["--program", "{codes}/../other.c"], "does not exist"),
        (["--program", "/etc/hostname"], "weft --experiments /etc new NAME"),
        (["--executable", "run"], "name its folder"),
        (["--like", "tori", "--program", "{codes}/one.c"], "either --like another one"),
    ],
)
def test_what_is_no_program_is_refused_and_no_file_is_written(project, codes, arguments, message):
    done = new(project, codes, "mine", *(word.format(codes=codes) for word in arguments))
    assert done.exit_code == 1
    assert message in done.output
    assert done.output.count("\n") == 1
    assert not (codes / "experiment" / "mine.yaml").exists()
