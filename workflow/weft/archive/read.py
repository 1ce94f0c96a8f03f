"""Reading an archive that somebody else made: all of it is checked before anything is used."""

from __future__ import annotations

import stat
import zlib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile, ZipInfo

from weft.archive.contents import HEAD, SUMS, ArchiveError, ArchiveHead, read_head, read_sums

#: More than any archive holds that weft makes.
MOST_FILES = 200_000
MOST_BYTES = 64 << 30
#: How many times as large as the ZIP its files may be, and what is small whatever it is packed in.
MOST_RATIO, SMALL_BYTES = 100, 256 << 20
#: What is read as a whole.
_MOST_HEAD_BYTES, _MOST_SUMS_BYTES = 1 << 20, 64 << 20
_PIECE = 1 << 20
_ENCRYPTED = 0x1
_BROKEN = (BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError)


@dataclass(frozen=True, slots=True)
class OpenArchive:
    """An archive whose files are all there, as they were packed."""

    head: ArchiveHead
    path: Path
    names: Sequence[str]
    zipped: ZipFile

    def below(self, folder: str) -> Iterator[str]:
        """The files of a folder, by their paths in the archive."""
        return (name for name in self.names if name.startswith(f"{folder}/"))

    def content(self, name: str) -> bytes:
        """What is in a file."""
        return self.zipped.read(name)

    @property
    def digest(self) -> str:
        """A name for what is in the archive."""
        return sha256(self.zipped.read(SUMS)).hexdigest()[:12]


@contextmanager
def open_archive(path: Path) -> Iterator[OpenArchive]:
    """The archive in `path`, once every file of it agrees with its checksum.

    Raises ArchiveError with the first reason not to use it. Nothing is written.
    """
    try:
        size = path.stat().st_size
        with ZipFile(path) as zipped:
            entries = zipped.infolist()
            _check_entries(entries, size, str(path))
            head = read_head(_small(zipped, HEAD, _MOST_HEAD_BYTES, str(path)), str(path))
            _check_sums(zipped, str(path))
            yield OpenArchive(head, path, tuple(e.filename for e in entries), zipped)
    except OSError as error:
        raise ArchiveError(f"{path} cannot be read: {error.strerror or error}") from error
    except _BROKEN as error:
        raise ArchiveError(f"{path} is damaged or not a complete ZIP file ({error})") from error


def _check_entries(entries: Sequence[ZipInfo], size: int, name: str) -> None:
    """Raise ArchiveError for entries that no archive has, by what the ZIP says of them."""
    if len(entries) > MOST_FILES:
        raise ArchiveError(f"{name}: {len(entries):,} files, at most {MOST_FILES:,} are allowed")
    seen: set[str] = set()
    for entry in entries:
        if reason := next(_reasons(entry, seen), None):
            raise ArchiveError(f"{name}: the entry {entry.orig_filename!r} {reason}")
        seen.add(entry.filename)
    total = sum(entry.file_size for entry in entries)
    most = min(MOST_BYTES, max(SMALL_BYTES, MOST_RATIO * size))
    if total > most:
        raise ArchiveError(
            f"{name}: its files are {total:,} bytes, which is more than the {most:,} that are"
            f" allowed for a ZIP of {size:,}"
        )
    if sum(entry.compress_size for entry in entries) > size:
        raise ArchiveError(f"{name}: its entries share bytes")


def _reasons(entry: ZipInfo, seen: Iterable[str]) -> Iterator[str]:
    path, kind = entry.orig_filename, stat.S_IFMT(entry.external_attr >> 16)
    parts = path.split("/")
    if kind not in (0, stat.S_IFREG) or path.endswith("/"):
        yield "is not a regular file"
    # An absolute path begins with an empty part.
    if not {"", ".", ".."}.isdisjoint(parts):
        yield "leads out of the archive"
    if not path.isprintable() or "\\" in path or ":" in path:
        yield "has a name with other characters than weft writes"
    if entry.filename in seen:
        yield "is there twice"
    if entry.flag_bits & _ENCRYPTED or entry.compress_type not in (ZIP_STORED, ZIP_DEFLATED):
        yield "is encrypted or compressed in a way that weft does not write"


def _small(zipped: ZipFile, entry: str, most: int, name: str) -> bytes:
    try:
        if zipped.getinfo(entry).file_size > most:
            raise ArchiveError(f"{name}: its {entry} is larger than {most:,} bytes")
    except KeyError:
        raise ArchiveError(f"{name} is not an archive of weft: it has no {entry}") from None
    return zipped.read(entry)


def _check_sums(zipped: ZipFile, name: str) -> None:
    listed = read_sums(_small(zipped, SUMS, _MOST_SUMS_BYTES, name), name)
    there = {entry.filename for entry in zipped.infolist()} - {SUMS}
    if odd := sorted(there ^ listed.keys()):
        what = "lacks" if odd[0] in listed else "has, and its checksums do not list,"
        raise ArchiveError(f"{name} {what} {odd[0]}")
    for entry, digest in listed.items():
        found = sha256()
        with zipped.open(entry) as file:
            while piece := file.read(_PIECE):
                found.update(piece)
        if found.hexdigest() != digest:
            raise ArchiveError(f"{name}: {entry} was altered after it was packed")
