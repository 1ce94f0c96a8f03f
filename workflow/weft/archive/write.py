"""Writing an archive: the same files give the same ZIP, bit by bit."""

from __future__ import annotations

import stat
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZIP_STORED, ZipFile, ZipInfo

from weft.archive.contents import SUMS, WHEELS, sums_text
from weft.files import replacing

#: A file of the disk, or what is in it.
Content = Path | bytes
#: The first moment that a ZIP can hold.
_WHEN = (1980, 1, 1, 0, 0, 0)
_UNIX = 3


def write_archive(out: Path, files: Mapping[str, Content]) -> None:
    """Write the `files`, by their paths in the archive, and their checksums to `out`."""
    sums = {}
    with replacing(out) as temporary, ZipFile(temporary, "w") as zipped:
        for path in sorted(files):
            # One file at a time in memory: tables of a shard, a wheel.
            content = _bytes(files[path])
            sums[path] = sha256(content).hexdigest()
            _add(zipped, path, content)
        _add(zipped, SUMS, sums_text(sums).encode())


def _bytes(content: Content) -> bytes:
    return content if isinstance(content, bytes) else content.read_bytes()


def _add(zipped: ZipFile, path: str, content: bytes) -> None:
    info = ZipInfo(path, _WHEN)
    info.create_system = _UNIX
    info.external_attr = (stat.S_IFREG | 0o644) << 16
    # Wheels are ZIP files themselves.
    packed = path.startswith(f"{WHEELS}/")
    info.compress_type = ZIP_STORED if packed else ZIP_DEFLATED
    zipped.writestr(info, content, compresslevel=None if packed else 9)
