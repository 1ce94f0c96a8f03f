"""The version of what makes pages: another one whenever weft words or draws them differently.

Snakemake sees changes of a rule's script, not of the package behind it. The version is a parameter
of the rules that make pages, so that a newer weft makes them again. It computes no point again.
The plans are part of it: a page that is dated in the future, as after a clock that went wrong,
seems newer than every plan.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from pathlib import Path

import weft
from weft.engines.external.version import digest
from weft.prepare.state.damaged_pages import damage_of

#: Folders of the package that decide what a page says; the rest decides what is computed.
_FOLDERS = ("analysis", "report")
_SUFFIXES = (".css", ".html", ".js", ".py")


def made_by(page: str, plans: Iterable[str]) -> str:
    """The version of what makes a page of these plans; a plan may be missing. Another text for a
    page that is damaged, so that a dry run, which removes nothing, sees that it would be made
    again."""
    version = f"{page_version()}; plans {digest(filter(Path.is_file, map(Path, plans)))}"
    damage = damage_of(Path(page))
    return f"{version}; the page {damage}" if damage else version


@cache
def page_version(package: Path = Path(weft.__file__).parent) -> str:
    """A digest of the sources and templates in `package` that make pages."""
    files = (file for folder in _FOLDERS for file in (package / folder).rglob("*"))
    return digest(sorted(file for file in files if file.suffix in _SUFFIXES))
