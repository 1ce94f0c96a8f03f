"""An image is the file that was built, or it does not run."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from weft.images import ImageError
from weft.images.build import ensure_image
from weft.images.check import check_image
from weft.images.sidecar import sidecar_file

pytestmark = [pytest.mark.slow, pytest.mark.long("images")]


@pytest.fixture
def image(project: Path, define: Callable[[str], Path]) -> Path:
    """A small image of its own, just built."""
    define("true")
    return ensure_image("small", project)


def alter(image: Path) -> None:
    """Change one byte of the file system; size and time of the file are as before."""
    stat = image.stat()
    content = bytearray(image.read_bytes())
    content[content.rindex(b"hsqs") + 100] ^= 1
    image.write_bytes(content)
    os.utime(image, ns=(stat.st_atime_ns, stat.st_mtime_ns))


def test_a_bit_that_no_time_of_the_file_shows_is_seen(image: Path) -> None:
    """As on a disk that rots: of the file only its content changes."""
    check_image(image)
    stat, notes = image.stat(), image.with_name(f".{image.stem}.checked")
    if notes.exists():
        before = notes.read_text()
        alter(image)
        now = image.stat()
        notes.write_text(before.replace(str(stat.st_ctime_ns), str(now.st_ctime_ns)))
    else:
        alter(image)
    with pytest.raises(ImageError, match="is not what was built"):
        check_image(image)


def test_an_altered_image_of_the_same_name_is_refused(image: Path) -> None:
    check_image(image)
    alter(image)
    with pytest.raises(ImageError, match=r"small-\w+\.sif is not what was built: its content has"):
        check_image(image)


def test_an_image_without_its_record_is_refused(image: Path) -> None:
    sidecar_file(image).unlink()
    with pytest.raises(ImageError, match=r"has no record small-\w+\.json beside it: copy it again"):
        check_image(image)
