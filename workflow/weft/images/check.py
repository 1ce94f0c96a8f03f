"""Whether an image is the one that was built: its content beside its record.

Every job reads the whole image before it starts it: a tenth of a second to half of one for 160 MB.
No time tells of a bit that a disk has changed. Only what programs inside say is kept beside the
image, for as long as the file stays the same by its number, size and times.
"""

from __future__ import annotations

import json
import subprocess
from contextlib import suppress
from pathlib import Path

from weft.files import JsonObject, replace_text
from weft.images.apptainer import squashfs_digest
from weft.images.errors import ImageError
from weft.images.runtime import exec_command
from weft.images.sidecar import read_sidecar, sidecar_file
from weft.images.start import check_started

AGAIN = "copy it again with its .json file, or delete it and run `snakemake containers`"


def check_image(image: Path) -> None:
    """Compare the content of `image` with the record of its build.

    Raises ImageError when they differ, or when there is no record.
    """
    if not image.is_file():
        raise ImageError(f"the image {image} is not there: run `snakemake containers`")
    sidecar = read_sidecar(image)
    if sidecar is None:
        raise ImageError(f"{image} has no record {sidecar_file(image).name} beside it: {AGAIN}")
    found = squashfs_digest(image)
    if found != sidecar.squashfs_sha256:
        raise ImageError(
            f"{image} is not what was built: its content has the SHA-256 {found[:12]}…, its record "
            f"says {sidecar.squashfs_sha256[:12]}…: {AGAIN}"
        )


def described_version(image: Path, command: str) -> str:
    """The version that the program `command` inside says it has; asked once for each file.

    Raises ImageError when it says none.
    """
    known = _known(image).get("versions", {})
    if command in known:
        return str(known[command])
    words = [*exec_command(image), command, "describe"]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    try:
        version = str(json.loads(done.stdout)["version"])
    except (ValueError, TypeError, KeyError):
        check_started(image, done.stderr)
        message = (done.stderr.strip().splitlines() or ["it printed nothing"])[-1]
        raise ImageError(f"`{command} describe` does not work in {image}: {message}") from None
    _keep(image, versions={**known, command: version})
    return version


def _stamp(image: Path) -> list[int]:
    """What changes with the file: a time alone can be set back, that of its last change cannot."""
    stat = image.stat()
    return [stat.st_ino, stat.st_size, stat.st_mtime_ns, stat.st_ctime_ns]


def _notes(image: Path) -> Path:
    return image.with_name(f".{image.stem}.checked")


def _known(image: Path) -> JsonObject:
    """What was found before about the file as it is now."""
    try:
        notes: JsonObject = json.loads(_notes(image).read_text())
        return notes if notes["file"] == _stamp(image) else {}
    except (OSError, ValueError, TypeError, KeyError):
        return {}


def _keep(image: Path, **facts: object) -> None:
    # Where nothing can be written, every job reads the image.
    with suppress(OSError):
        replace_text(_notes(image), json.dumps({**_known(image), "file": _stamp(image), **facts}))
