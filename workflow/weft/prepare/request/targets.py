"""Targets that no rule makes, although the intended page is clear."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from pathlib import Path

from weft.config.compose.experiment_list import SUFFIXES
from weft.config.language.errors import meant, nearest
from weft.files.layout import INDEX, PAPER, RELATIVE, page_name
from weft.plan.variant import AT, base_name


def check_targets(targets: Iterable[str], experiments: Collection[str]) -> None:
    """Raises ValueError for a page outside `reports/`, for a page or an archive without its ending,
    and for an experiment's bare name or file.

    Snakemake itself says of others that no rule makes them; a project may have rules of its own.
    """
    for target in targets:
        path = Path(target)
        if path.parent.name == "experiment" and path.suffix in SUFFIXES:
            raise ValueError(f"no rule makes {target}; its page is {page_name(path.stem)}")
        if path.exists():
            continue
        if path.parent == RELATIVE.reports.path and path.name == ".html":
            raise ValueError(f"weft makes no page at {target}: name an experiment")
        if wrong := _misplaced(path, experiments) or _other_ending(path, experiments):
            raise ValueError(wrong)
        if target in experiments:
            raise ValueError(f"no rule is called {target}; its page is {page_name(target)}")


def _misplaced(path: Path, experiments: Collection[str]) -> str | None:
    """What to say of a page outside the folder of pages."""
    if path.suffix != ".html" or path.parent == RELATIVE.reports.path:
        return None
    found = _meant(path.stem, experiments, _PAGES)
    return f"weft makes no page at {path}{found}" if found else None


def _other_ending(path: Path, experiments: Collection[str]) -> str | None:
    """What to say of a page or an archive without its ending, or with another one."""
    folder = meant(path.parent.name, _FOLDERS)
    if folder is None or path.suffix == _FOLDERS[folder].ending:
        return None
    kind, here = _FOLDERS[folder], path.parent.name == folder
    # The overrides in the name of a variant may have dots.
    ended = bool(path.suffix) and (AT not in path.name or path.suffix in _ENDINGS)
    found = _meant(path.stem if ended else path.name, experiments, kind)
    if found is None and (ended or not here):
        # A project may have rules for other files there.
        return None
    return f"weft makes no {kind.noun} at {path}{found or f'; {kind.usage}'}"


@dataclass(frozen=True, slots=True)
class _Kind:
    """What weft makes in one folder."""

    noun: str
    ending: str
    usage: str

    def path(self, page: str) -> str:
        """The file of a page."""
        if self.ending == ".zip":
            return str(RELATIVE.archives.archive(page))
        return page_name(page)


_PAGES = _Kind("page", ".html", "pages are reports/<experiment>.html")
_ARCHIVES = _Kind("archive", ".zip", "archives are archives/<page>.zip")
_FOLDERS = {RELATIVE.reports.path.name: _PAGES, RELATIVE.archives.path.name: _ARCHIVES}
#: Endings that are no part of a variant's name.
_ENDINGS = (".html", ".htm", ".pdf", ".tar", ".tgz", ".zip")


def _meant(page: str, experiments: Collection[str], kind: _Kind) -> str | None:
    if page == INDEX or page.startswith(PAPER) or base_name(page) in experiments:
        return f"; did you mean {kind.path(page)}?"
    near = nearest(page, experiments)
    return f"{near} {kind.usage}" if near else None
