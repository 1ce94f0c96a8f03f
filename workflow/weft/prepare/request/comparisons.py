"""Targets that hold two experiments side by side, `reports/compare/a..b.html`."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches
from pathlib import Path

from weft.files.layout import BETWEEN, ExperimentFolder, Results
from weft.prepare.request.request import COMPARISONS

ENDING = ".html"
#: A file's name has 255 bytes at most, and a temporary one has more than the page's.
LONGEST = 230


def check_comparisons(targets: Sequence[str], *, alone: bool, results: Path) -> None:
    """Stop if one of the two was not run: a comparison computes nothing.

    Raises ValueError for a name that was not run, with the nearest names; for a target that does
    not name two; and if a command has more targets than those that stand `alone`.
    """
    known = [folder.name for folder in Results(results).collected()]
    for target in (each for each in targets if each.startswith(COMPARISONS)):
        if not alone:
            raise ValueError(f"{target} computes nothing and needs a command of its own")
        names = target.removeprefix(COMPARISONS).removesuffix(ENDING).split(BETWEEN)
        if len(names) != 2 or not all(names) or not target.endswith(ENDING):
            raise ValueError(f"{target}: write {COMPARISONS}a{BETWEEN}b{ENDING} to compare a and b")
        if len("".join(names)) > LONGEST:
            raise ValueError(f"{target}: no file can have a name of this length; use --config run=")
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
