"""Every MPI family, in every mode, on this computer."""

import json
import os
import shutil
import sys
from pathlib import Path

import pytest
from weft.engines.base import EngineError
from weft.engines.hardware.engine import HardwareEngine

from tests.containers_support import built_image
from tests.hardware.conftest import make_point
from tests.missing import missing

pytestmark = [pytest.mark.slow, pytest.mark.long("programs")]

#: Name -> what a machine file says, and the beginning of what the library says.
INSTALLED = {
    "locked MPICH": ({}, "MPICH"),
    "system MPICH": ({"mpicc": "mpicc.mpich", "launcher": "mpiexec.mpich"}, "MPICH"),
    "system Open MPI": ({"mpicc": "mpicc.openmpi", "launcher": "mpiexec.openmpi"}, "Open MPI"),
}


def need_tools(machine: dict) -> None:
    for tool in (machine.get("mpicc"), machine.get("launcher")):
        if tool is not None and shutil.which(tool) is None:
            missing(f"{tool} is not installed")


def measured(engine: HardwareEngine, job) -> dict:
    engine.run(job)
    (line,) = map(json.loads, job.journal.read_text().splitlines())
    assert line["status"] == "done", (line["error"], line["log"])
    return line


@pytest.mark.parametrize("name", INSTALLED)
def test_native(name, make_job):
    machine, library = INSTALLED[name]
    need_tools(machine)
    line = measured(HardwareEngine(), make_job([make_point("a", [8, 4096])], **machine))
    environment = line["environment"]
    assert environment["mode"] == "native"
    assert environment["mpi_library"].startswith(library)
    assert environment["mpi"] == ("openmpi" if library == "Open MPI" else "mpich")
    assert len(environment["hosts"]) == 2
    assert list(environment["fabric"]) == environment["hosts"][:1]
    assert environment["switch_distance"] == 0


@pytest.mark.parametrize("name", INSTALLED)
def test_native_binding_is_found_as_it_was_asked(name, make_job):
    if len(os.sched_getaffinity(0)) < 2:
        pytest.skip("one processor only")
    machine, _ = INSTALLED[name]
    need_tools(machine)
    line = measured(HardwareEngine(), make_job([make_point("a", [8])], **machine, bind="core"))
    assert line["environment"]["binding"]["ok"], line["environment"]["binding_problem"]
    assert line["environment"]["binding"]["asked"] == "core"


@pytest.mark.parametrize("name", INSTALLED)
def test_hybrid_runs_the_images_program_with_the_images_mpi(name, make_job):
    machine, library = INSTALLED[name]
    need_tools(machine)
    image = built_image("hardware")
    launcher = {key: machine[key] for key in machine if key == "launcher"}
    job = make_job([make_point("a", [8, 65536])], **launcher, mode="hybrid", image=image)
    environment = measured(HardwareEngine(), job)["environment"]
    assert environment["image"] == image.name
    assert "apptainer" in environment["apptainer_version"]
    assert environment["mpi_library"].startswith(library)
    native = make_job([make_point("b", [8])], **machine)
    HardwareEngine().run(native)
    own = json.loads(native.journal.read_text().splitlines()[-1])["environment"]["mpi_library"]
    assert environment["mpi_library"] != own


#: What has to be mounted beside the libraries that a program is linked with: plugins.
PLUGINS = {
    "locked MPICH": [],
    "system MPICH": [],
    "system Open MPI": ["openmpi", "pmix2"],
}


@pytest.mark.parametrize("name", INSTALLED)
def test_bind_runs_in_the_image_with_the_machines_mpi(name, make_job):
    machine, _ = INSTALLED[name]
    need_tools(machine)
    image = built_image("hardware")
    system = Path("/usr/lib") / f"{os.uname().machine}-{sys.platform}-gnu"
    binds = [str(system / folder) for folder in PLUGINS[name]]
    native = make_job([make_point("b", [8])], **machine)
    own = measured(HardwareEngine(), native)["environment"]["mpi_library"]
    native.journal.unlink()
    job = make_job([make_point("a", [8, 65536])], **machine, mode="bind", binds=binds, image=image)
    environment = measured(HardwareEngine(), job)["environment"]
    assert environment["image"] == image.name
    assert environment["mpi_library"] == own


def test_a_folder_to_mount_that_does_not_exist_is_named(make_job):
    job = make_job(
        [make_point("a", [8])], mode="bind", binds=["/opt/no/mpi"], image=built_image("hardware")
    )
    with pytest.raises(EngineError, match=r"machine\.binds: there is no folder /opt/no/mpi on n"):
        HardwareEngine().run(job)
