"""What a command prints about its time before it computes: for papers, and for dry runs."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import yaml

from weft.files.layout import RELATIVE
from weft.plan.variant import base_name
from weft.progress import Run, ShardWatch


def say_papers(
    papers: Mapping[str, Sequence[str]],
    watches: Mapping[str, Sequence[ShardWatch]],
    configs: Path,
    *,
    quick: bool,
) -> None:
    """Print how long each paper that has something to compute takes, as its file declares.

    `papers` holds the experiments by the name under which a paper runs, `watches` the shards by
    experiment. A machine without history has no other estimate.
    """
    for paper, names in papers.items():
        declared = _declared(configs / "paper" / f"{base_name(paper)}.yaml")
        full, short = declared.get("full"), declared.get("quick")
        open_shards = [watch for name in names for watch in watches.get(name, ())]
        if _ended(open_shards) or not (short if quick else full):
            continue
        page = RELATIVE.reports.paper(paper)
        if quick:
            text = f"{page} takes {short} of CPU time"
        else:
            text = f"{page} takes {full} of CPU time"
            text += f", its short form (--config effort=quick) {short}" if short else ""
        print(f"weft: {text}", file=sys.stderr)


def say_dry(watches: Iterable[ShardWatch]) -> None:
    """Print what a run prints as it begins: the points to compute and their time."""
    run = Run(tuple(watches))
    if not run.ended:
        print(f"weft: {run.opening()}", file=sys.stderr)


def _ended(watches: Sequence[ShardWatch]) -> bool:
    return Run(watches).ended


def _declared(path: Path) -> Mapping[str, str]:
    if not path.is_file():
        return {}
    about = yaml.safe_load(path.read_text())
    found = about.get("computing") if isinstance(about, dict) else None
    return found if isinstance(found, dict) else {}
