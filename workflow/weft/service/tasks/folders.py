"""A packed project as uploads: browsers send names of files without their folders."""

from __future__ import annotations

import io
import tarfile
import unicodedata
import zipfile
import zlib
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import PurePosixPath

from weft.service.project import UPLOADS, upload_problem

#: Endings of packed projects; what is in them decides how they are read.
PACKED = (".zip", ".tar", ".tgz", ".gz")
#: All that reading a hostile file raises.
_BROKEN = (zipfile.BadZipFile, tarfile.TarError, zlib.error, NotImplementedError, RuntimeError,
           EOFError, OSError, OverflowError, ValueError)  # fmt: skip
_GZIP = b"\x1f\x8b"
#: Zlib finds out for itself what it reads, gzip's head included.
_ANY_HEAD = 32 + zlib.MAX_WBITS
#: What the file managers of other systems add.
_OF_SYSTEMS = frozenset({"__MACOSX", "Thumbs.db", "desktop.ini"})
#: What a tar file holds beside each file, and at its end.
_BESIDE_BYTES, _END_BYTES = 8 << 10, 64 << 10
#: The name of an entry, and what reads so many of its bytes.
_Entry = tuple[str, Callable[[int], bytes]]


def is_packed(name: str) -> bool:
    """Whether a file is a project with folders, by its name."""
    return name.lower().endswith(PACKED)


class Upload(dict[str, bytes]):
    """Contents of a packed project by their paths below `uploads`."""

    #: Files that no program needs: hidden ones, and those that a system adds by itself.
    left_out: int = 0

    def said(self, name: str) -> str:
        """What was left out of the file called `name`, in one sentence; empty if nothing was."""
        if not self.left_out:
            return ""
        files = "1 file was" if self.left_out == 1 else f"{self.left_out} files were"
        return f"{name}: {files} left out, as hidden files and those of the system are."


def unpacked(content: bytes, most_files: int, most_bytes: int) -> Upload:
    """The files of a ZIP or a tar file below `uploads`; nothing is written.

    Raises ValueError for what is neither, for more than the limits, and for a name that leads out
    or means something to a shell.
    """
    try:
        if content.startswith(_GZIP) or content[257:262] == b"ustar":
            kind = "tar file"
            return _taken(_of_tar(content, most_files, most_bytes), most_bytes)
        kind = "ZIP"
        return _taken(_of_zip(content, most_files), most_bytes)
    except _RefusedError:
        raise
    except _BROKEN as error:
        raise ValueError(f"it is no {kind} that can be read: {error}") from error


def _taken(entries: Iterator[_Entry], most_bytes: int) -> Upload:
    found = Upload()
    left = most_bytes
    for name, read in entries:
        if _is_needless(name):
            found.left_out += 1
            continue
        # A Mac writes an umlaut as two characters, and its owner types one.
        path = unicodedata.normalize("NFC", f"{UPLOADS}/{name}")
        if problem := upload_problem(path):
            raise _RefusedError(f"{name[:100]!r}: {problem}")
        if path in found:
            raise _RefusedError(f"it has two files {name}")
        # What the file says of the size is no more than a claim.
        found[path] = read(left + 1)
        left -= len(found[path])
        if left < 0:
            raise _RefusedError(f"its files have more than {most_bytes:,} bytes together")
    if both := next((p for each in found for p in _above(each) if p in found), None):
        raise _RefusedError(f"{both} is a file and a folder")
    return found


def _of_zip(content: bytes, most_files: int) -> Iterator[_Entry]:
    with zipfile.ZipFile(io.BytesIO(content)) as packed:
        entries = [each for each in packed.infolist() if not each.is_dir()]
        count = sum(not _is_needless(each.filename) for each in entries)
        if count > most_files:
            raise _RefusedError(f"it has {count:,} files; at most {most_files}")
        for entry in entries:
            if _is_needless(entry.filename):
                yield entry.filename, _nothing
                continue
            # Others may ask for gigabytes before the first byte.
            if entry.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
                raise _RefusedError(f"{entry.filename}: pack it with the usual compression")
            yield entry.filename, partial(_of_entry, packed, entry)


def _of_entry(packed: zipfile.ZipFile, entry: zipfile.ZipInfo, most_bytes: int) -> bytes:
    with packed.open(entry) as file:
        return file.read(most_bytes)


def _of_tar(content: bytes, most_files: int, most_bytes: int) -> Iterator[_Entry]:
    whole_bytes = most_bytes + most_files * _BESIDE_BYTES + _END_BYTES
    if content.startswith(_GZIP):
        content = zlib.decompressobj(_ANY_HEAD).decompress(content, whole_bytes + 1)
    if len(content) > whole_bytes:
        raise _RefusedError(f"its files have more than {most_bytes:,} bytes together")
    count = 0
    with tarfile.open(fileobj=io.BytesIO(content), mode="r:") as packed:
        for entry in packed:
            name = entry.name.removeprefix("./")
            if entry.isdir():
                continue
            if _is_needless(name):
                yield name, _nothing
                continue
            if not entry.isreg() or entry.issparse():
                raise _RefusedError(f"{entry.name[:100]!r} is no regular file")
            count += 1
            if count > most_files:
                raise _RefusedError(f"it has more than {most_files} files")
            file = packed.extractfile(entry)
            assert file is not None
            yield name, file.read


def _nothing(most_bytes: int) -> bytes:
    """What is left out of a packed project is not read."""
    del most_bytes
    return b""


def _is_needless(name: str) -> bool:
    """Whether a file is hidden or a system's own; what leads out of its folder is neither."""
    parts = name.split("/")
    if not {"", ".", ".."}.isdisjoint(parts) or "\\" in name:
        return False
    return any(part.startswith(".") or part in _OF_SYSTEMS for part in parts)


class _RefusedError(ValueError):
    pass


def _above(path: str) -> list[str]:
    return [str(each) for each in PurePosixPath(path).parents]
