"""A program that comes to a form as one packed project with folders."""

from pathlib import Path

import pytest
import yaml

pytest.importorskip("django")

from weft.service.forms.fields import read_form
from weft.service.forms.filled import OWN, Filled, filled, mode_name
from weft.service.tasks.composed import composed

CONFIGS = Path(__file__).parents[2] / "configs"

PROJECT = [
    ("solver/Makefile", b"all:"),
    ("solver/src/main.c", b"int main(void) { return 0; }"),
    ("solver/src/part.c", b"int part;"),
    ("solver/include/part.h", b"extern int part;"),
]


def program_in(**more: list[str]) -> Filled:
    form = read_form(CONFIGS, "rdma")
    start = {each.key: each.initial for each in form.fields()}
    sent = {**start, mode_name("program"): [OWN], **more}
    return filled(form, sent, {"workload.program": PROJECT})


def test_all_sources_of_a_packed_project_are_a_program() -> None:
    found = program_in()
    assert found.mistakes == []
    program = yaml.safe_load(found.experiment_yaml)["workload"]["program"]
    assert program["name"] == "solver"
    assert program["sources"] == ["uploads/solver/src/main.c", "uploads/solver/src/part.c"]
    assert program["include"] == ["uploads/solver/include"]
    assert found.files == {f"uploads/{name}": content for name, content in PROJECT}
    assert composed("mine", found.experiment_yaml, found.files).mistakes == ()


def test_a_project_has_the_names_that_people_give() -> None:
    form = read_form(CONFIGS, "rdma")
    start = {each.key: each.initial for each in form.fields()}
    sent = {**start, mode_name("program"): [OWN]}
    packed = [(f"my s\u00f6lver (2)/src/own [{n}].c", b"int part;") for n in (1, 2)]
    found = filled(form, sent, {"workload.program": packed})
    assert found.mistakes == []
    assert yaml.safe_load(found.experiment_yaml)["workload"]["program"]["name"] == "my_s_lver_2"
    known = composed("mine", found.experiment_yaml, found.files)
    assert (known.mistakes, known.brings_program) == ((), True)


def test_a_packed_project_is_built_by_its_makefile() -> None:
    found = program_in(**{"workload.program.makes": ["bin/solver"]})
    program = yaml.safe_load(found.experiment_yaml)["workload"]["program"]
    assert program["build"]["folder"] == "uploads/solver"
    assert program["build"]["executable"] == "bin/solver"
    known = composed("mine", found.experiment_yaml, found.files)
    assert (known.mistakes, known.brings_program) == ((), True)


def test_what_a_makefile_makes_lies_in_its_folder() -> None:
    found = program_in(**{"workload.program.makes": ["../../bin/sh"]})
    known = composed("mine", found.experiment_yaml, found.files)
    assert "lead out" in str([*found.mistakes, *known.mistakes])
