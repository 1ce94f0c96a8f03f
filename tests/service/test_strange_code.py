"""What counts as a program of a stranger, in a form and in an experiment."""

import yaml
from weft.service.forms.fields import read_form
from weft.service.forms.filled import filled
from weft.service.project import upload_problem
from weft.service.tasks.composed import composed

from tests.service.test_forms import CONFIGS, posted
from tests.service.test_programs import EXPERIMENT

MAIN = b'#include <mpi.h>\n#include "part.hpp"\nint main() { MPI_Init(0, 0); MPI_Finalize(); }\n'
C = b"int part(void) { return 1; }\n"


def strange(text: str, files: dict[str, bytes] | None = None) -> bool:
    found = composed("mine", text, files or {})
    assert found.mistakes == ()
    return found.brings_program


def test_programs_of_weft_are_none_whatever_words_stand_in_the_experiment() -> None:
    words = "its sources and flags, \\u0041 and all"
    assert not strange(EXPERIMENT.replace("A program", words))
    assert not strange(EXPERIMENT + "sweep: {workload.program: [alltoall, alltoall_ring]}\n")


def test_files_of_a_stranger_are_one_however_the_keys_are_written() -> None:
    several = (
        'workload: {"progr\\x61m": {"s\\x6Furces": [a.c, b.cpp]}, ranks: 4, message_size: null}\n'
    )
    text = EXPERIMENT[: EXPERIMENT.index("workload: {")] + several
    files = {"uploads/a.c": C, "uploads/b.cpp": MAIN, "uploads/part.hpp": b"\n"}
    assert strange(text, files)
    one = EXPERIMENT + "sweep: {workload.program: [own, alltoall]}\n"
    assert strange(one, {"uploads/own.c": MAIN})


def test_a_program_of_weft_with_flags_of_a_stranger_is_one() -> None:
    several = "workload: {program: {sources: [programs/alltoall.c], flags: [-O0]}, ranks: 4}\n"
    assert strange(EXPERIMENT[: EXPERIMENT.index("workload: {")] + several)


def test_the_form_names_one_c_file_or_all_sources() -> None:
    form = read_form(CONFIGS, "rdma")
    values = posted(form, **{"mode.program": "own"})

    def program(*files: tuple[str, bytes]) -> object:
        found = filled(form, values, {"workload.program": files})
        assert found.mistakes == []
        assert set(found.files) == {f"uploads/{name}" for name, _ in files}
        known = composed("mine", found.experiment_yaml, found.files)
        assert (known.mistakes, known.brings_program) == ((), True)
        return yaml.safe_load(found.experiment_yaml)["workload"]["program"]

    part = ("part.hpp", b"\n")
    assert program(("mine.c", C)) == "mine"
    assert program(("mine.cpp", MAIN), part) == {"sources": ["mine.cpp"]}
    assert program(("mine.f90", b"use mpi\nend\n")) == {"sources": ["mine.f90"]}
    assert program(("a.c", C), ("mine.cc", MAIN), part) == {"sources": ["a.c", "mine.cc"]}
    alone = filled(form, values, {"workload.program": [part]})
    assert [each.message for each in alone.mistakes] == ["no file is a source: headers alone"]


def test_sources_of_every_language_are_taken() -> None:
    for name in ("a.c", "a.cpp", "a.f90", "old.f", "a.F90"):
        assert upload_problem(f"uploads/{name}") is None
