"""`make release`: puts together what a site needs that has no internet and may build nothing.

The folder gets its name when it is complete. Images that are not built are left out, and named.
"""

from __future__ import annotations

import os
import platform
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from weft import __version__
from weft.files import open_lock, remove_folder, take_lock
from weft.files.layout import CLONE, Layout
from weft.images.apptainer import announce
from weft.images.errors import ImageError
from weft.release.errors import ReleaseError
from weft.release.page import ReleaseFacts, write_instructions
from weft.release.parts import copy_images, copy_simulators, get_packages, pack_sources, seal

NAME = f"weft-{__version__}"


def make_release(releases: Path) -> Path:
    """Make the release of this version in a folder of `releases`, which is returned.

    An earlier one of the same version is replaced. Raises ReleaseError and ImageError with what to
    do where a part cannot be had.
    """
    with _unfinished(releases) as folder:
        announce("sources: packing the commit that is checked out")
        commit = pack_sources(folder / f"{NAME}.tar.gz", NAME)
        announce("simulators: copying what `make build` has built")
        simulators_need = copy_simulators(folder / "simulators")
        announce("images: comparing those that are there with their records")
        images = copy_images(folder / "images")
        announce("packages: downloading those of envs/requirements.txt")
        packages_need = get_packages(folder / "wheels")
        facts = ReleaseFacts(
            name=NAME,
            commit=commit,
            python=f"{sys.version_info.major}.{sys.version_info.minor}",
            processor=platform.machine(),
            packages_need=packages_need,
            simulators_need=simulators_need,
            images=images,
        )
        write_instructions(facts, folder)
        announce("checksums: of every file")
        size_bytes = seal(folder)
    announce(f"the release is {releases / NAME}, {size_bytes / 1024**2:.0f} MiB")
    for line in images.differ:
        announce(line)
    if images.missing:
        announce(
            f"it lacks the images {', '.join(images.missing)}: run `snakemake containers`, and"
            " `make release` again"
        )
    return releases / NAME


@contextmanager
def _unfinished(releases: Path) -> Iterator[Path]:
    """A folder that becomes the release if the block ends well, and is removed if not."""
    releases.mkdir(exist_ok=True)
    # What a killed one has left goes with the next one.
    with open_lock(releases / ".lock") as lock:
        if not take_lock(lock):
            raise ReleaseError(f"another `make release` works in {releases}")
        folder = releases / ".unfinished"
        remove_folder(folder)
        folder.mkdir()
        try:
            yield folder
            remove_folder(releases / NAME)
            folder.rename(releases / NAME)
        finally:
            remove_folder(folder)


if __name__ == "__main__":
    try:
        os.chdir(CLONE)
        make_release(Layout(CLONE).releases)
    except (ReleaseError, ImageError, OSError) as error:
        sys.exit(f"weft: {error}")
    except KeyboardInterrupt:
        sys.exit("weft: interrupted; no release was made")
