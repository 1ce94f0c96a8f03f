"""Runs in images as a user whose machine has no /dev/fuse: as it is, and as doctor advises."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest
from weft.images import find_runtime

from tests.containers_support import ROOT, built_image, need_builder, without_fuse
from tests.people import ALICE, GROUP, command_as, need_root
from tests.workflow.conftest import SNAKEMAKE, Outcome, Project

pytestmark = [pytest.mark.slow, pytest.mark.long("images")]


@pytest.fixture
def project(tmp_path: Path) -> Project:
    """A project of Alice's with the image of `flow`."""
    need_root()
    need_builder()
    image = built_image("flow")
    copy = Project(tmp_path)
    skip = shutil.ignore_patterns("images", "vendor", "target")
    for folder in ("containers", "simulators"):
        shutil.copytree(ROOT / folder, copy.folder / folder, ignore=skip)
    images = copy.folder / "containers" / "images"
    images.mkdir()
    for file in (image, image.with_suffix(".json")):
        shutil.copy(file, images)
    copy.small("one", "[2]")
    for path in [copy.folder, *copy.folder.rglob("*")]:
        os.chown(path, ALICE.number, GROUP, follow_symlinks=False)
    return copy


def test_a_run_names_the_reason_and_then_ends_as_doctor_advises(
    project: Project, tmp_path_factory: pytest.TempPathFactory
) -> None:
    work = tmp_path_factory.mktemp("people")
    work.chmod(0o755)
    path = f"{find_runtime().parent}:{os.environ['PATH']}"

    def run(*arguments: str, **environment: str) -> Outcome:
        command = [*SNAKEMAKE, *arguments]
        command = command_as(ALICE, command, work, project.folder, cwd=project.folder)
        done = subprocess.run(
            without_fuse(command, work),
            env={**project.environment, "PATH": path, **environment},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=600,
            check=False,
        )
        return Outcome(done.returncode, done.stdout)

    inside = ("reports/one.html", "--sdm", "apptainer")
    refused = run(*inside)
    assert refused.code == 1
    assert "does not start here: " in refused.output
    assert "fuse: failed to open /dev/fuse: Permission denied" in refused.output
    assert "`snakemake doctor` prints what works" in refused.output
    advice = run("doctor")
    assert "`export APPTAINER_UNSQUASH=true`" in " ".join(advice.output.split())
    unpacked = run(*inside, APPTAINER_UNSQUASH="true")
    assert unpacked.code == 0, unpacked.output
    assert (project.folder / "reports/one.html").exists()
