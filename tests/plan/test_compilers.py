"""A compiler of Fortran that is missing is named when planning, with the key of the program."""

import os
from pathlib import Path

import pytest
from weft.engines.hardware.site import find_mpicc
from weft.engines.source_version import source_version
from weft.machine import MachineFile
from weft.prepare.plans.planning import Planned, Planning

from tests.config.conftest import Tree, tree

__all__ = ["tree"]

HEAT = """
engines: [%s]
workload: {kind: program, ranks: 2, program: {name: heat, sources: [heat/%s]}}
"""
PLACE = "configs/experiment/x.yaml:5:59: workload.program.sources: "


@pytest.fixture
def project(tree: Tree, monkeypatch: pytest.MonkeyPatch) -> Tree:
    monkeypatch.chdir(tree.root)
    monkeypatch.setenv("WEFT_FC", "/nowhere/gfortran")
    folder = tree.configs / "experiment" / "heat"
    folder.mkdir()
    (folder / "main.f90").write_text("program heat\n  use mpi\nend program heat\n")
    (folder / "main.c").write_text("#include <mpi.h>\nint main(void) { return 0; }\n")
    return tree


def planned(project: Tree, engine: str, source: str, *, containers: bool = False) -> Planned:
    project.experiment(HEAT % (engine, source))
    planning = Planning(project.root / "results", containers, (), False, None)
    return planning.plan(project.load())


@pytest.mark.parametrize("engine", ["flow", "rdma"])
def test_a_simulator_without_a_compiler_of_fortran_is_named_with_file_line_and_key(
    project: Tree, engine: str
) -> None:
    assert planned(project, engine, "main.f90").obstacles == {
        engine: f"{PLACE}no /nowhere/gfortran is here to compile Fortran; install it, or name "
        "another with WEFT_FC"
    }


def test_a_program_of_c_needs_none(project: Tree) -> None:
    assert planned(project, "flow", "main.c").obstacles == {}


def test_a_compiler_that_is_there_hinders_nothing(
    project: Tree, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WEFT_FC", "sh")
    assert planned(project, "flow", "main.f90").obstacles == {}


def test_a_measurement_needs_the_compiler_beside_mpicc(project: Tree, tmp_path: Path) -> None:
    mpicc = tmp_path / "mpi" / "mpicc"
    mpicc.parent.mkdir()
    mpicc.symlink_to(find_mpicc(MachineFile(), os.environ))
    project.write("machine/own.yaml", f"mpicc: {mpicc}\n")
    project.experiment(HEAT % ("hardware", "main.f90"))
    experiment = project.load(["machine=own"])
    planning = Planning(project.root / "results", False, (), False, None)
    assert planning.plan(experiment).obstacles == {
        "hardware": f"{PLACE}there is no Fortran compiler {mpicc.with_name('mpifort')} beside "
        f"{mpicc}"
    }


def test_sources_are_read_once_for_all_experiments_of_a_command(
    project: Tree, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[str] = []
    monkeypatch.setattr(
        "weft.engines.native.source_version",
        lambda crate, workspace: read.append(crate) or source_version(crate, workspace),
    )
    project.experiment(HEAT % ("flow", "main.c"))
    planning = Planning(project.root / "results", False, (), False, None)
    experiment = project.load()
    first, second = planning.plan(experiment), planning.plan(experiment)
    assert first.plan.shards == second.plan.shards
    assert read == ["flow"]
