"""Mail addresses: one spelling for all that reach the same person."""

from __future__ import annotations

import re
from unicodedata import normalize

#: As Django's fields of addresses have it.
_LONGEST = 254
#: What Unicode shows as nothing (Default_Ignorable_Code_Point): soft hyphens, joiners, marks of
#: direction, selectors of variants, fillers, tags. Mail servers leave it out of domains.
_INVISIBLE = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e"
    "\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufff8\U0001bca0-\U0001bca3"
    "\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
#: A label of a domain in the letters of ASCII.
_ENCODED = re.compile(r"(?<=[@.])xn--[a-z0-9-]+")


def plain_address(written: str) -> str:
    """The one spelling of an address, however somebody writes its letters."""
    found = written.strip()
    # A longer one is nobody's, and takes long to normalise.
    if len(found) > _LONGEST:
        return found
    seen = _INVISIBLE.sub("", normalize("NFKC", found))
    # A letter and its mark are one where nothing invisible stands between them any more.
    return _ENCODED.sub(_decoded, normalize("NFKC", seen).strip().lower())


def _decoded(label: re.Match[str]) -> str:
    try:
        return label[0].encode().decode("idna")
    except UnicodeError:
        return label[0]
