"""Lines that carry a checksum of themselves, so that a changed digit is seen.

A sealed line is a JSON object whose last member is `"crc32"`: eight hex digits of CRC-32 over all
bytes before it. `simulators/engine` writes the same.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any
from zlib import crc32

#: What a JSON text of weft's holds, before its reader looks for the keys that it needs.
JsonObject = dict[str, Any]
_SEAL = re.compile(rb',"crc32":"([0-9a-f]{8})"}')
#: Length of `,"crc32":"01234567"}`.
_LENGTH = 20


def sealed(fields: Mapping[str, object]) -> str:
    """`fields` as one line of JSON with its checksum, without the line's end."""
    return sealed_text(json.dumps(fields, sort_keys=True))


def sealed_text(text: str) -> str:
    """The same for the `text` of a JSON object that is not empty."""
    text = text[:-1]
    return f'{text},"crc32":"{crc32(text.encode()):08x}"}}'


def seal_of(line: bytes) -> str | None:
    """The checksum that a line carries; None for a line without one."""
    match = _SEAL.fullmatch(line[-_LENGTH:])
    return match[1].decode() if match else None


def unsealed(line: bytes, *, required: bool) -> JsonObject:
    """The fields of a line without its checksum.

    Raises ValueError when the line is no JSON object, does not fit its checksum, or has none where
    it is `required`.
    """
    seal = seal_of(line)
    if seal is None and required:
        raise ValueError("it has no checksum")
    if seal is not None and seal != f"{crc32(line[:-_LENGTH]):08x}":
        raise ValueError("it does not match its checksum")
    fields = parsed_json(line)
    fields.pop("crc32", None)
    return fields


def parsed_json(text: bytes) -> JsonObject:
    """The object that a JSON text holds.

    Raises ValueError in words for people: those of the decoders name offsets.
    """
    try:
        found = json.loads(text)
    except UnicodeDecodeError as error:
        raise ValueError("it has bytes that are no UTF-8 text") from error
    except (ValueError, RecursionError) as error:
        raise ValueError("it is not whole JSON") from error
    if not isinstance(found, dict):
        raise ValueError("it is not a JSON object")
    return found
