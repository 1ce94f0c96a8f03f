"""Targets that no rule makes, although it is clear which page is meant."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from pathlib import Path, PurePosixPath

from weft.config.language.errors import nearest
from weft.plan.variant import base_name
from weft.prepare.request import INDEX, PAPER


def check_targets(targets: Iterable[str], experiments: Collection[str]) -> None:
    """Raises ValueError for a page that is not in `reports/`, and for an experiment's bare name.

    Snakemake itself says of others that no rule makes them; a project may have rules of its own.
    """
    for target in targets:
        path = PurePosixPath(target)
        if Path(target).exists():
            continue
        meant = _meant(path.stem, experiments)
        if path.suffix == ".html" and path.parent.name != "reports" and meant:
            raise ValueError(f"weft makes no page at {target}{meant}")
        if target in experiments:
            raise ValueError(f"no rule is called {target}; its page is reports/{target}.html")


def _meant(page: str, experiments: Collection[str]) -> str:
    if page == INDEX or page.startswith(PAPER) or base_name(page) in experiments:
        return f"; did you mean reports/{page}.html?"
    near = nearest(page, experiments)
    return f"{near} pages are reports/<experiment>.html" if near else ""
