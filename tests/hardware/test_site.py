"""The machine file's tools, modules and variables; and places where it cannot work."""

import json
import sys
from pathlib import Path

import pytest
from weft.engines.base import EngineError
from weft.engines.hardware.engine import HardwareEngine
from weft.engines.hardware.errors import MeasurementError
from weft.engines.hardware.site import (
    _module_environment,
    mpi_family,
    rank_environment,
    read_site,
)
from weft.machine import MachineFile

from tests.hardware.conftest import make_point


def tool(path: Path, says: str) -> str:
    path.write_text(f"#!/bin/sh\necho '{says}'\n")
    path.chmod(0o755)
    return str(path)


@pytest.fixture
def modules(tmp_path, monkeypatch):
    """A login shell with a `module` command, as a site's profile defines it."""
    _module_environment.cache_clear()
    home = tmp_path / "home"
    home.mkdir()
    (home / ".bash_profile").write_text(
        "echo welcome to the cluster\n"
        "module() {\n"
        f'    [ "$2" = known ] || {{ echo "no module $2" >&2; return 1; }}\n'
        f"    export PATH={tmp_path}/module:$PATH LOADED='a\nb'\n"
        "    echo loading $2\n"
        "}\n"
    )
    monkeypatch.setenv("HOME", str(home))
    (tmp_path / "module").mkdir()
    return tmp_path / "module"


def test_modules_are_loaded_before_tools_are_looked_for(modules):
    tool(modules / "mpicc", "mpicc: Open MPI 5.0.1 (Language: C)")
    tool(modules / "mpirun", "mpirun (Open MPI) 5.0.1")
    site = read_site(MachineFile(modules=["known"], launcher="mpirun"))
    assert site.mpicc == modules / "mpicc"
    assert (site.flavour, site.style) == ("openmpi", "openmpi")
    assert site.environment["LOADED"] == "a\nb"


def test_a_module_that_does_not_load_is_named(modules):
    with pytest.raises(EngineError, match=r"`module load lost` does not work.*no module lost"):
        rank_environment(MachineFile(modules=["lost"]))


def test_variables_of_the_machine_file_win(modules):
    found = rank_environment(
        MachineFile.read({"modules": ["known"], "environment": {"LOADED": "mine"}})
    )
    assert found["LOADED"] == "mine"


@pytest.mark.parametrize(
    ("says", "flavour"),
    [
        ("mpirun (Open MPI) 4.1.4", "openmpi"),
        ("mpiexec.openmpi (OpenRTE) 4.1.4", "openmpi"),
        ("prterun (PRRTE) 3.0", "openmpi"),
        ("HYDRA build details:", "mpich"),
        ("Intel(R) MPI Library for Linux* OS, Version 2021.11", "mpich"),
    ],
)
def test_a_launcher_says_which_family_it_is_of(tmp_path, says, flavour):
    launcher = tool(tmp_path / "launcher", says)
    site = read_site(MachineFile(mode="hybrid", launcher=launcher))
    assert (site.flavour, site.style, site.mpicc) == (flavour, flavour, None)


def test_a_launcher_that_says_nothing_needs_the_key_mpi(tmp_path):
    launcher = tool(tmp_path / "launcher", "1.0")
    with pytest.raises(MeasurementError, match="does not say which MPI it belongs to: write mpi"):
        read_site(MachineFile(mode="hybrid", launcher=launcher))
    assert read_site(MachineFile(mode="hybrid", launcher=launcher, mpi="mpich")).style == "mpich"


def test_compiler_and_launcher_of_two_families_do_not_fit(tmp_path):
    mpicc = tool(tmp_path / "mpicc", "mpicc: Open MPI 5.0.1 (Language: C)")
    launcher = tool(tmp_path / "launcher", "HYDRA build details:")
    with pytest.raises(MeasurementError, match=r"starts programs of mpich, but .* means openmpi"):
        read_site(MachineFile(mpicc=mpicc, launcher=launcher))


def test_srun_follows_the_compilers_family(tmp_path):
    mpicc = tool(tmp_path / "mpicc", "mpicc: Open MPI 5.0.1 (Language: C)")
    site = read_site(MachineFile(mpicc=mpicc, launcher=tool(tmp_path / "srun", "slurm 23.02")))
    assert (site.flavour, site.style) == ("openmpi", "srun")


@pytest.fixture
def own(tmp_path, monkeypatch):
    """The folder of weft's own environment: a Python with an MPI beside it, first on the PATH."""
    folder = tmp_path / "own"
    folder.mkdir()
    tool(folder / "mpicc", "mpicc for MPICH")
    monkeypatch.setattr(sys, "executable", tool(folder / "python", "Python"))
    monkeypatch.setenv("PATH", f"{folder}:{tmp_path}")
    tool(tmp_path / "srun", "slurm 23.02")
    return folder


def test_srun_takes_the_mpi_of_the_site_and_not_that_of_wefts_environment(own, tmp_path):
    mpicc = tool(tmp_path / "mpicc", "mpicc: MPICH")
    assert str(read_site(MachineFile(launcher="srun")).mpicc) == mpicc


@pytest.mark.parametrize("mode", ["native", "bind"])
def test_srun_refuses_the_mpi_of_wefts_environment(own, mode):
    message = (
        rf"machine 'x' launches.* the PATH has no mpicc .*own environment \({own}/mpicc\): name"
    )
    with pytest.raises(MeasurementError, match=message) as raised:
        read_site(MachineFile(name="x", launcher="srun", mpi="mpich", mode=mode))
    assert "load its module (modules), or use mode: hybrid" in str(raised.value)


def test_srun_takes_the_mpi_of_wefts_environment_where_the_machine_file_has_its_path(own):
    assert read_site(MachineFile(launcher="srun", mpicc=f"{own}/mpicc")).mpicc == own / "mpicc"


def test_srun_with_an_image_needs_no_mpi_of_the_site(own):
    assert read_site(MachineFile(launcher="srun", mode="hybrid", mpi="mpich")).mpicc is None


def test_srun_outside_a_slurm_job_says_what_to_do(make_job, monkeypatch):
    monkeypatch.delenv("SLURM_JOB_ID", raising=False)
    job = make_job([make_point("a", [8])], name="site", launcher="srun")
    with pytest.raises(EngineError, match=r"--profile slurm, or .* --config machine=local"):
        HardwareEngine().run(job)


@pytest.mark.parametrize("mode", ["hybrid", "bind"])
def test_an_image_that_is_not_built_says_what_to_do(make_job, mode):
    job = make_job([make_point("a", [8])], name="site", mode=mode)
    with pytest.raises(EngineError, match=rf"has mode {mode}.*run `snakemake containers`"):
        HardwareEngine().run(job)
    assert not job.journal.exists()


ENVIRONMENT_REACHED = """
#include <mpi.h>
#include <stdlib.h>
int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    MPI_Finalize();
    return getenv("OTHER") != NULL ? 7 : 8;
}
"""


@pytest.mark.slow
def test_variables_reach_every_rank_and_those_of_the_fabric_are_recorded(make_job, engine_of):
    job = make_job([make_point("a", [8])], environment={"UCX_TLS": "self,sysv", "OTHER": "1"})
    engine_of(ENVIRONMENT_REACHED).run(job)
    (line,) = map(json.loads, job.journal.read_text().splitlines())
    assert line["error"] == "pingpong ended with exit code 7"
    assert line["environment"]["fabric_variables"]["UCX_TLS"] == "self,sysv"
    assert "OTHER" not in line["environment"]["fabric_variables"]


def test_the_family_of_the_machines_mpi_is_known_where_something_says_it(tmp_path):
    """A plan asks for it, so a tool that is missing is no mistake there."""
    compiler = tool(tmp_path / "mpicc", "mpicc: Open MPI 5.0.1 (Language: C)")
    launcher = tool(tmp_path / "mpiexec", "HYDRA build details:")
    assert mpi_family(MachineFile(mpi="mpich", mpicc=compiler)) == "mpich"
    assert mpi_family(MachineFile(mpicc=compiler)) == "openmpi"
    assert mpi_family(MachineFile(mode="hybrid", launcher=launcher)) == "mpich"
    assert mpi_family(MachineFile(mode="hybrid", launcher="srun")) is None
    assert mpi_family(MachineFile(mpicc=str(tmp_path / "nothing"))) is None
