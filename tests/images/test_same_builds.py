"""The same sources give the same files, whoever builds the image and however often.

A small image shows it that holds something of each kind. Of the shipped ones `snakemake containers`
says whether a build on another machine gave the same: it compares them with `images.lock`.
"""

import os
import shutil
import stat
import sys
import tempfile
from pathlib import Path

import pytest
from weft.images.apptainer import squashfs_digest
from weft.images.build import ensure_image

from tests.containers_support import ROOT, use_toolchain
from tests.people import ALICE, need_root, run_as

pytestmark = [pytest.mark.slow, pytest.mark.long("image_builds")]


@pytest.mark.parametrize("stages", ["one stage", "two stages"])
def test_root_and_another_user_build_the_same_file_system(project: Path, stages: str) -> None:
    need_root()
    {"one stage": define_one_stage, "two stages": define_two_stages}[stages](project)
    code = "from pathlib import Path; from weft.images.build import ensure_image; "
    code += f"ensure_image('small', Path({str(project)!r}))"
    by_root = ensure_image("small", project)
    digest = squashfs_digest(by_root)
    by_root.unlink()
    project.chmod(0o755)
    for path in (project / "containers/images", *(project / "containers/images").glob("*small*")):
        os.chown(path, ALICE.number, -1, follow_symlinks=False)
    with tempfile.TemporaryDirectory() as work:
        Path(work).chmod(0o755)
        command = [*_mounting(), sys.executable, "-c", code]
        done = run_as(ALICE, command, Path(work), project, Path(work))
    assert done.returncode == 0, done.stderr
    assert (by_root.stat().st_uid, squashfs_digest(by_root)) == (ALICE.number, digest)


def _mounting() -> list[str]:
    """What doctor advises a user who may not open /dev/fuse; nothing where everybody may."""
    open_to_all = stat.S_IROTH | stat.S_IWOTH
    fuse = Path("/dev/fuse")
    if fuse.exists() and fuse.stat().st_mode & open_to_all == open_to_all:
        return []
    return ["env", "APPTAINER_UNSQUASH=true"]


def define_one_stage(project: Path) -> None:
    """The definition `small`, on the base image."""
    define("Bootstrap: localimage\nFrom: {{ base }}\n%post\n    echo one >/notes\n", project)


def define_two_stages(project: Path) -> None:
    """The definition `small`: of all that shipped images do, a little.

    One crate with those that it needs, one program for each MPI, and one package of Debian.
    """
    use_toolchain(project)
    for name in ("install_crates", "install_mpi_programs"):
        shutil.copy(ROOT / "containers" / name, project / "containers")
    known = (ROOT / "envs/toolchain.apt.lock").read_text().splitlines()
    package = next(line for line in known if line.startswith("busybox-static="))
    base = (ROOT / "envs/base.apt.lock").read_text()
    (project / "envs/small.apt.lock").write_text(f"{base}{package}\n")
    for name in ("simulators", "hardware", "programs/include", "programs/lib"):
        shutil.copytree(
            ROOT / name, project / name, ignore=shutil.ignore_patterns("target", "build")
        )
    shutil.copy(ROOT / "programs/pingpong.c", project / "programs")
    text = """\
Bootstrap: localimage
From: {{ toolchain }}
Stage: builder

%files
    simulators /src/simulators
    hardware/*.[ch] /src/hardware/
    programs/pingpong.c /src/programs/
    programs/include /src/programs/include
    programs/lib /src/programs/lib
    containers/vendor/simulators /src/vendor
    containers/install_crates /weft/install_crates
    containers/install_mpi_programs /weft/install_mpi_programs

%post
    /weft/install_crates static model
    /weft/install_mpi_programs

Bootstrap: localimage
From: {{ base }}
Stage: final

%files from builder
    /out/bin/* /usr/local/bin/

%files
    envs/small.apt.lock /weft/apt.lock
    containers/install_packages /weft/install_packages

%post
    /weft/install_packages busybox-static

"""
    define(text, project)


def define(text: str, project: Path) -> None:
    text += "%labels\n    org.label-schema.build-date 2026-01-01\n"
    (project / "containers/small.def").write_text(text)
