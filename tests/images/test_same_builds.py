"""The same sources give the same files, whoever builds the image and however often."""

import os
import shutil
import stat
import sys
import tempfile
from pathlib import Path

import pytest
from weft.images.apptainer import squashfs_digest
from weft.images.build import build_image, ensure_image
from weft.images.definition import read_definition
from weft.images.sidecar import read_sidecar

from tests.containers_support import ROOT, built_image, need_builder, use_toolchain
from tests.people import ALICE, need_root, run_as

pytestmark = [pytest.mark.slow, pytest.mark.long("image_builds")]


@pytest.mark.parametrize("name", ["simulators", "flow", "hardware"])
def test_two_builds_have_the_same_file_system(name: str, tmp_path: Path) -> None:
    need_builder()
    first, second = built_image(name), tmp_path / "second.sif"
    definition = read_definition(name, ROOT)
    parents = {parent: built_image(parent) for parent in definition.parents}
    build_image(definition, second, parents, ROOT, tmp_path / "log")
    known = read_sidecar(first)
    assert known is not None
    assert squashfs_digest(second) == squashfs_digest(first) == known.squashfs_sha256


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
    """The definition `small`: what the toolchain makes, on the image with a C compiler."""
    use_toolchain(project)
    shutil.copy(ROOT / "envs/compiler.apt.lock", project / "envs")
    shutil.copy(ROOT / "containers/compiler.def", project / "containers")
    shutil.copytree(ROOT / "programs/include", project / "programs/include")
    text = """\
Bootstrap: localimage
From: {{ toolchain }}
Stage: builder

%files
    programs/include /src/programs/include

%post
    mkdir -p /out/bin
    echo 'int main(void) { return 0; }' >/src/a.c
    gcc -o /out/bin/weft-small /src/a.c

Bootstrap: localimage
From: {{ compiler }}
Stage: final

%files from builder
    /out/bin/* /usr/local/bin/

"""
    define(text, project)


def define(text: str, project: Path) -> None:
    text += "%labels\n    org.label-schema.build-date 2026-01-01\n"
    (project / "containers/small.def").write_text(text)
