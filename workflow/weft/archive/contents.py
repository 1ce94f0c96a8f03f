"""What every archive holds about itself: its head, and the checksums of all other files."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass

from weft.files import parsed_json

#: Archives of this schema are written; newer ones are refused.
ARCHIVE_SCHEMA = 1
HEAD, SUMS, CRATE = "archive.json", "SHA256SUMS", "ro-crate-metadata.json"
#: Folders of an archive beside those that a project has.
FIGURES, WHEELS = "figures", "wheels"
_SUM = re.compile(r"([0-9a-f]{64})  (.+)")


class ArchiveError(ValueError):
    """An archive cannot be used; the text says which and why."""


@dataclass(frozen=True, slots=True)
class ArchiveHead:
    """What `archive.json` says: the page, the experiments behind it, those that it shows beside
    them, and the weft that packed it."""

    page: str
    experiments: tuple[str, ...]
    beside: tuple[str, ...]
    weft: str
    python: str
    anonymous: bool = False
    schema: int = ARCHIVE_SCHEMA

    def text(self) -> str:
        """As the file holds it."""
        return json.dumps(asdict(self), indent=1, sort_keys=True) + "\n"


def read_head(text: bytes, name: str) -> ArchiveHead:
    """The head of the archive called `name`.

    Raises ArchiveError for a newer schema, and for a text that is no head.
    """
    try:
        found = parsed_json(text)
        if found["schema"] > ARCHIVE_SCHEMA:
            raise ArchiveError(
                f"{name}: a newer weft packed it (schema {found['schema']}; this version of weft"
                f" reads {ARCHIVE_SCHEMA}): use weft {found.get('weft', 'of its time')} or later"
            )
        return ArchiveHead(
            page=str(found["page"]),
            experiments=tuple(map(str, found["experiments"])),
            beside=tuple(map(str, found["beside"])),
            weft=str(found["weft"]),
            python=str(found["python"]),
            anonymous=bool(found["anonymous"]),
            schema=int(found["schema"]),
        )
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        if isinstance(error, ArchiveError):
            raise
        raise ArchiveError(f"{name}: its {HEAD} cannot be read ({plain_reason(error)})") from error


def plain_reason(error: Exception) -> str:
    """Why the JSON of an archive cannot be read, in words for people."""
    if isinstance(error, KeyError):
        return f"it lacks {error}"
    return str(error) if isinstance(error, ValueError) else "it has values of another kind"


def sums_text(sums: Mapping[str, str]) -> str:
    """Checksums by file, as `sha256sum --check` reads them."""
    return "".join(f"{digest}  {path}\n" for path, digest in sorted(sums.items()))


def read_sums(text: bytes, name: str) -> dict[str, str]:
    """SHA-256 by file; raises ArchiveError for a line that is none."""
    found = {}
    for line in text.decode(errors="replace").splitlines():
        match = _SUM.fullmatch(line)
        if match is None:
            raise ArchiveError(f"{name}: its {SUMS} has a line without a checksum: {line[:80]!r}")
        found[match[2]] = match[1]
    return found
