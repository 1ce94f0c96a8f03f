"""When measurements may stand for each other."""

import shutil

import pytest
from weft.engines.base import EngineError
from weft.engines.hardware.engine import SOURCES, HardwareEngine
from weft.engines.hardware.version import measurement_version
from weft.machine import MachineFile


def compiler(folder, text):
    folder.mkdir(exist_ok=True)
    path = folder / "mpicc"
    path.write_text(f"#!/bin/sh\n# {text}\n")
    path.chmod(0o755)
    return str(path)


def version(image=None, **machine):
    return measurement_version(SOURCES, MachineFile.read(machine), image)


def test_an_mpi_chosen_by_the_machine_file_is_another_version(tmp_path):
    one = version(mpicc=compiler(tmp_path / "a", "MPICH 4"))
    other = version(mpicc=compiler(tmp_path / "b", "Open MPI 5"))
    assert len({one, other, version()}) == 3


def test_an_update_of_the_mpi_is_another_version(tmp_path):
    before = version(mpicc=compiler(tmp_path, "MPICH 4"))
    assert version(mpicc=compiler(tmp_path, "MPICH 5")) != before


def test_the_same_mpi_in_another_folder_is_the_same_version(tmp_path):
    one = version(mpicc=compiler(tmp_path / "a", "MPICH 4"))
    assert version(mpicc=compiler(tmp_path / "b", "MPICH 4")) == one


def test_another_recorder_is_another_version(tmp_path):
    for folder in ("hardware", "programs"):
        ignored = shutil.ignore_patterns("build")
        shutil.copytree(SOURCES.parent / folder, tmp_path / folder, ignore=ignored)
    before = measurement_version(tmp_path / "hardware", MachineFile(), None)
    with (tmp_path / "hardware" / "trace" / "waits.c").open("a") as file:
        file.write("int weft_more;")
    assert measurement_version(tmp_path / "hardware", MachineFile(), None) != before


@pytest.mark.parametrize(
    "change",
    [
        {"name": "other"},
        {"launcher": "srun"},
        {"mpi": "openmpi"},
        {"environment": {"UCX_TLS": "tcp"}},
        {"ranks_per_node": 1},
        {"bind": "core"},
        {"partition": "fast"},
    ],
)
def test_what_can_change_a_measurement_changes_the_version(change):
    assert version(**change) != version()


@pytest.mark.parametrize(
    "change",
    [{"timeout_s": 7.0}, {"account": "mine"}, {"ranks": 64}, {"shard_target_s": 60.0}],
)
def test_who_pays_and_how_long_jobs_are_does_not(change):
    assert version(**change) == version()


def test_a_default_written_down_changes_nothing():
    written = {
        "name": "local",
        "mode": "native",
        "bind": "none",
        "binds": [],
        "launcher": "mpiexec",
    }
    assert version(**written) == version()


def test_the_image_counts_where_it_is_used():
    one, other = (version("a.sif", mode="hybrid"), version("b.sif", mode="hybrid"))
    assert one != other
    assert version("a.sif", mode="native") == version("b.sif", mode="native")


def test_hybrid_needs_no_compiler(monkeypatch, tmp_path):
    before = version("a.sif", mode="hybrid")
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr("sys.executable", str(tmp_path / "python"))
    assert version("a.sif", mode="hybrid") == before


def test_a_mode_with_an_image_needs_one():
    with pytest.raises(EngineError, match=r"'mine' has mode bind, which needs the image of cont"):
        HardwareEngine().version(MachineFile(name="mine", mode="bind"), None)


def test_another_flag_of_the_compiler_is_another_version(monkeypatch):
    before = version()
    monkeypatch.setattr("weft.engines.hardware.version.ALL_FLAGS", ("-O3",))
    assert version() != before
