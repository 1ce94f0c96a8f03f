"""Writing a file so that readers see the old one or the new one, and never a part."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """A temporary file's path; what is written there becomes `path` when the block ends well."""
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        yield temporary
        temporary.replace(path)
    except IsADirectoryError as error:
        raise IsADirectoryError(
            error.errno, "a folder lies where this file belongs; remove it", str(path)
        ) from error
    except PermissionError as error:
        if error.filename2 is None:  # Not even written.
            raise
        # Whose folder lets one write: what stands there does not let itself be replaced.
        raise PermissionError(
            error.errno,
            f"{error.strerror}: it cannot be replaced; an immutable file shows an i in `lsattr`, "
            "which `chattr -i` removes, and in a sticky folder only the owner replaces a file",
            str(path),
        ) from error
    except OSError as error:
        if error.filename is None:  # As on a full disk: the write fails, not the opening.
            error.filename = str(path)
        raise
    finally:
        temporary.unlink(missing_ok=True)


def replace_text(path: Path, text: str) -> None:
    """Write `text` to `path` as a whole."""
    with replacing(path) as temporary:
        temporary.write_text(text)


def replace_bytes(path: Path, content: bytes) -> None:
    """Write `content` to `path` as a whole."""
    with replacing(path) as temporary:
        temporary.write_bytes(content)
