"""A ZIP of folders as uploads: browsers send names of files without their folders."""

from __future__ import annotations

import io
import zipfile
import zlib
from pathlib import PurePosixPath

from weft.service.project import UPLOADS, upload_problem

#: All that reading a hostile ZIP raises.
_BROKEN = (zipfile.BadZipFile, zlib.error, NotImplementedError, RuntimeError, EOFError, OSError,
           ValueError)  # fmt: skip


def unpacked(content: bytes, most_files: int, most_bytes: int) -> dict[str, bytes]:
    """The files of a ZIP below `uploads`; nothing is written.

    Raises ValueError for what is no ZIP, for more than the limits, and for a name that leads out.
    """
    found: dict[str, bytes] = {}
    left = most_bytes
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as packed:
            entries = [each for each in packed.infolist() if not each.is_dir()]
            if len(entries) > most_files:
                raise _RefusedError(f"it has {len(entries):,} files; at most {most_files}")
            for entry in entries:
                path = f"{UPLOADS}/{entry.filename}"
                if problem := upload_problem(path):
                    raise _RefusedError(f"{entry.filename[:100]!r}: {problem}")
                # Others may ask for gigabytes before the first byte.
                if entry.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
                    raise _RefusedError(f"{entry.filename}: pack it with the usual compression")
                if path in found:
                    raise _RefusedError(f"it has two files {entry.filename}")
                # What the ZIP says of the size is no more than a claim.
                with packed.open(entry) as file:
                    found[path] = file.read(left + 1)
                left -= len(found[path])
                if left < 0:
                    raise _RefusedError(f"its files have more than {most_bytes:,} bytes together")
    except _RefusedError:
        raise
    except _BROKEN as error:
        raise ValueError(f"it is no ZIP that can be read: {error}") from error
    if both := next((p for each in found for p in _above(each) if p in found), None):
        raise ValueError(f"{both} is a file and a folder")
    return found


class _RefusedError(ValueError):
    pass


def _above(path: str) -> list[str]:
    return [str(each) for each in PurePosixPath(path).parents]
