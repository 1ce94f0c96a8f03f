"""Text inside a page, compressed: the page's script, or any reader of gzip, unpacks it."""

from __future__ import annotations

import base64
import gzip


def packed(text: str) -> str:
    """`text` compressed by gzip, in base64; the same each time."""
    return base64.b64encode(gzip.compress(text.encode(), mtime=0)).decode()


def unpacked(text: str) -> str:
    """What `packed` was given."""
    return gzip.decompress(base64.b64decode(text)).decode()
