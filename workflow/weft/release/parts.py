"""What a release is made of, each part put into its folder."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from packaging.utils import parse_wheel_filename

from weft.archive.wheels import download_packages
from weft.engines.base import EngineError
from weft.engines.native import NativeEngine
from weft.engines.provenance import git_commit, git_words
from weft.engines.registry import engine, engine_names
from weft.files import SUMS, duplicate, write_sums
from weft.files.layout import CLONE
from weft.images.apptainer import announce
from weft.images.check import check_image
from weft.images.record import differences, engine_images
from weft.images.sidecar import Sidecar, read_sidecar, sidecar_file
from weft.release.errors import ReleaseError

#: What a program asks of the C library, as its symbols and the tags of wheels name it.
_SYMBOL = re.compile(rb"GLIBC_2\.(\d+)")
_TAG = re.compile(r"manylinux_2_(\d+)_")
#: Earlier names of such tags.
_NAMED = {"manylinux1": 5, "manylinux2010": 12, "manylinux2014": 17}
#: What an environment holds, and what pip needs to build those packages that come as sources.
_LOCKS = ("requirements.txt", "build.txt")
#: How many packages a line of progress stands for.
_STEP = 20


@dataclass(frozen=True, slots=True)
class ReleasedImages:
    """The images in a release, those that are missing, and where others hold other files."""

    there: tuple[Sidecar, ...]
    missing: tuple[str, ...]
    differ: tuple[str, ...]


def pack_sources(file: Path, name: str) -> str:
    """Write the sources of the checked-out commit to `file`, below a folder `name`.

    Returns the commit. Raises ReleaseError where there is none, or where tracked files differ.
    """
    commit = git_commit()
    if commit is None:
        raise ReleaseError(
            f"a release holds the sources of a commit, and no Git tracks {CLONE}: use a clone"
        )
    if commit.endswith("-dirty"):
        raise ReleaseError(
            "a release holds the sources of a commit, and tracked files differ from it: commit the"
            " changes that `git status` lists"
        )
    words = ["git", *git_words(CLONE), "archive", f"--prefix={name}/", "-o", str(file), commit]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise ReleaseError(f"git cannot pack the sources: {done.stderr.strip()}")
    return commit


def get_packages(folder: Path) -> int:
    """Download the packages of the locked environment; returns the 2.x of the C library they need.

    Raises ReleaseError where pip cannot get them.
    """
    folder.mkdir()
    seen: list[str] = []

    def count(name: str) -> None:
        seen.append(name)
        if len(seen) % _STEP == 0:
            announce(f"packages: {len(seen)} so far, now {name}")

    try:
        for lock in _LOCKS:
            download_packages(CLONE / "envs" / lock, folder, each=count)
    except ValueError as error:
        raise ReleaseError(f"{error}: make the release where pip reaches an index") from error
    return max((_wheel_needs(path.name) for path in folder.glob("*.whl")), default=0)


def copy_simulators(folder: Path) -> int:
    """Copy the built simulators; returns the 2.x of the C library they need.

    Raises ReleaseError where one is missing, altered or built from other sources.
    """
    folder.mkdir()
    found = list(_simulators())
    for path in found:
        duplicate(path, folder / path.name)
        shutil.copymode(path, folder / path.name)
    write_sums(folder, (path.name for path in found))
    return max(int(hit) for path in found for hit in _SYMBOL.findall(path.read_bytes()) or [b"0"])


def copy_images(folder: Path) -> ReleasedImages:
    """Copy the images that are there, with their records.

    Raises ImageError where one is not what was built.
    """
    there, missing = [], []
    for name in engine_images():
        image = CLONE / name
        if not image.is_file():
            missing.append(image.stem.rpartition("-")[0])
            continue
        check_image(image)
        folder.mkdir(exist_ok=True)
        for path in (image, sidecar_file(image)):
            duplicate(path, folder / path.name)
        if sidecar := read_sidecar(image):
            there.append(sidecar)
            announce(f"images: {image.name}, {sidecar.bytes / 1024**2:.1f} MiB")
    return ReleasedImages(tuple(there), tuple(missing), tuple(differences()) if there else ())


def seal(folder: Path) -> int:
    """Write the checksums of every file in `folder`; returns the bytes of all files."""
    files = [path for path in folder.rglob("*") if path.is_file()]
    write_sums(folder, (path.relative_to(folder).as_posix() for path in files))
    return sum(path.stat().st_size for path in [*files, folder / SUMS])


def _simulators() -> Iterator[Path]:
    for found in map(engine, engine_names("simulator")):
        if isinstance(found, NativeEngine) and found.program == "crate":
            try:
                yield found.checked_binary()
            except EngineError as error:
                raise ReleaseError(str(error)) from error


def _wheel_needs(name: str) -> int:
    """Which 2.x of the C library a wheel needs: that of its least demanding tag."""
    tags = (str(tag.platform) for tag in parse_wheel_filename(name)[3])
    return min((_tag_needs(tag) for tag in tags), default=0)


def _tag_needs(tag: str) -> int:
    if found := _TAG.match(tag):
        return int(found[1])
    return next((least for named, least in _NAMED.items() if tag.startswith(f"{named}_")), 0)
