"""A small project whose image `small` is quick to build."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from weft.images import image_file
from weft.images.sidecar import sidecar_file

from tests.containers_support import ROOT, built_image, need_builder

#: A definition that is quick to build: its first stage is the base image, its last one file.
SMALL = """\
Bootstrap: localimage
From: {{ base }}
Stage: builder

%files
    notes /out/notes

%post
    POST

Bootstrap: scratch
Stage: final

%files from builder
    /out/notes /notes
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project with the shipped base image and nothing else."""
    need_builder()
    base = built_image("base")
    for name in ("containers/base.def", "containers/install_packages", "envs/base.apt.lock"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    (tmp_path / "notes").write_text("one\n")
    images = tmp_path / "containers" / "images"
    images.mkdir()
    for file in (base, sidecar_file(base)):
        (images / file.name).symlink_to(file)
    return tmp_path


@pytest.fixture
def define(project: Path) -> Callable[[str], Path]:
    """Writes the definition `small`, whose `%post` is given, and says what its image is called."""

    def write(post: str) -> Path:
        (project / "containers" / "small.def").write_text(SMALL.replace("POST", post))
        return image_file("small", project)

    return write
