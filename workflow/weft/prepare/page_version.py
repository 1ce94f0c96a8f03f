"""The version of what makes pages: another one whenever weft words or draws them differently.

Snakemake sees changes of a rule's script, not of the package behind it. The version is a parameter
of the rules that make pages, so that a newer weft makes them again. It computes no point again.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

import weft
from weft.engines.external.version import digest
from weft.prepare.damaged_pages import damage_of

#: Folders of the package that decide what a page says; the rest decides what is computed.
_FOLDERS = ("analysis", "report")
_SUFFIXES = (".css", ".html", ".js", ".py")


def made_by(page: str) -> str:
    """The version of what makes a page; another text for one that is damaged, so that a dry run,
    which removes nothing, sees that it would be made again."""
    damage = damage_of(Path(page))
    return f"{page_version()}; the page {damage}" if damage else page_version()


@cache
def page_version(package: Path = Path(weft.__file__).parent) -> str:
    """A digest of the sources and templates in `package` that make pages."""
    files = (file for folder in _FOLDERS for file in (package / folder).rglob("*"))
    return digest(sorted(file for file in files if file.suffix in _SUFFIXES))
