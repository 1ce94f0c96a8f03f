"""Targets that hold two experiments side by side, `reports/compare/a..b.html`."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches
from pathlib import Path

from weft.files.layout import STAMP, ExperimentFolder, Results
from weft.prepare.request import COMPARISONS

BETWEEN, ENDING = "..", ".html"


def check_comparisons(targets: Sequence[str], *, alone: bool, results: Path) -> None:
    """Stop where something to compare was not run: comparing computes nothing.

    Raises ValueError for one that was not, with the names that come near, for a target that
    names other than two, and where a command asks for more than what stands `alone`.
    """
    known = sorted(path.parent.name for path in results.glob(f"*/{STAMP}"))
    for target in (each for each in targets if each.startswith(COMPARISONS)):
        if not alone:
            raise ValueError(f"{target} computes nothing and needs a command of its own")
        names = target.removeprefix(COMPARISONS).removesuffix(ENDING).split(BETWEEN)
        if len(names) != 2 or not all(names) or not target.endswith(ENDING):
            raise ValueError(f"{target}: write {COMPARISONS}a{BETWEEN}b{ENDING} to compare a and b")
        for name in names:
            if not _ran(Results(results).experiment(name)):
                near = _near(name, known)
                raise ValueError(f"nothing to compare: '{name}' was not run here; {near}")


def _ran(folder: ExperimentFolder) -> bool:
    return folder.plan.is_file() and folder.stamp.is_file()


def _near(name: str, known: Sequence[str]) -> str:
    base = [each for each in known if each.partition("@")[0] == name.partition("@")[0]]
    near = list(dict.fromkeys([*get_close_matches(name, known, n=3), *base]))[:5]
    if near:
        return f"nearest: {', '.join(near)}"
    return f"known: {', '.join(known[:8])}" if known else "nothing was run yet"
