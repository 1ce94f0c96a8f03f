"""Targets that no rule makes, although the intended page is clear."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from pathlib import Path

from weft.config.compose.experiment_list import SUFFIXES
from weft.config.language.errors import nearest
from weft.files.layout import INDEX, PAPER, RELATIVE, page_name
from weft.plan.variant import base_name


def check_targets(targets: Iterable[str], experiments: Collection[str]) -> None:
    """Raises ValueError for a page outside `reports/`, and for an experiment's bare name or file.

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
        meant = _meant(path.stem, experiments)
        if path.suffix == ".html" and path.parent != RELATIVE.reports.path and meant:
            raise ValueError(f"weft makes no page at {target}{meant}")
        if target in experiments:
            raise ValueError(f"no rule is called {target}; its page is {page_name(target)}")


def _meant(page: str, experiments: Collection[str]) -> str:
    if page == INDEX or page.startswith(PAPER) or base_name(page) in experiments:
        return f"; did you mean {page_name(page)}?"
    near = nearest(page, experiments)
    return f"{near} pages are reports/<experiment>.html" if near else ""
