"""Pages that carry a checksum of themselves, in a comment at their end."""

from __future__ import annotations

import re
from zlib import crc32

_SEAL = re.compile(rb"<!-- crc32 ([0-9a-f]{8}) -->\n")
#: Length of `<!-- crc32 01234567 -->` and the end of its line.
_LENGTH = 24


def sealed_page(html: str) -> str:
    """A page with its checksum, CRC-32 of all bytes before the comment."""
    return f"{html}<!-- crc32 {crc32(html.encode()):08x} -->\n"


def page_damage(content: bytes) -> str | None:
    """How a page differs from what `sealed_page` makes, in words that go behind its path; None for
    one that is whole."""
    seal = _SEAL.fullmatch(content[-_LENGTH:])
    if seal is None:
        return "does not end with weft's checksum"
    if seal[1] != b"%08x" % crc32(content[:-_LENGTH]):
        return "was altered after it was written"
    return None
