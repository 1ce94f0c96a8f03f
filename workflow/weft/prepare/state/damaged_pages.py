"""Pages that something has overwritten are made again: Snakemake only compares times."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path

from weft.files.layout import INDEX, RELATIVE
from weft.files.page_seal import page_damage


def asked_pages(targets: Iterable[str], own: Iterable[str], papers: Iterable[str]) -> set[Path]:
    """The pages that a command makes, by its targets: those named, and those behind them.

    `own` and `papers` are the names of the experiments and of the papers in this run.
    """
    targets = set(targets)
    index = str(RELATIVE.reports.page(INDEX))
    pages = {path for path in map(_page, targets) if path}
    every = not targets or not targets.isdisjoint(("all", index))
    if every:
        pages |= {RELATIVE.reports.page(name) for name in own}
    if every or "papers" in targets:
        pages |= {RELATIVE.reports.paper(name) for name in papers}
        pages.add(Path(index))
    return pages


def remove_damaged(pages: Iterable[Path]) -> None:
    """Remove those that are not as weft wrote them, so that they are made again, and name them."""
    for page in sorted(pages):
        if damage := damage_of(page):
            print(f"weft: {page} {damage}: it is made again", file=sys.stderr, flush=True)
            page.unlink(missing_ok=True)


def damage_of(page: Path) -> str | None:
    """How a page is damaged; None for one that is whole, is not there, or cannot be read."""
    try:
        return page_damage(page.read_bytes())
    except OSError:
        return None


def _page(target: str) -> Path | None:
    path = Path(target)
    if path.parent == RELATIVE.archives.path and path.suffix == ".zip":
        return RELATIVE.reports.page(path.stem)
    inside = path.suffix == ".html" and path.is_relative_to(RELATIVE.reports.path)
    return path if inside else None
