"""Traces of others, in the form of weft."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Literal

from weft.engines.hardware.recorded import recorded_ranks, recorded_rows
from weft.tables.traces import TraceError, write_whole
from weft.traces.chakra import ENDING as CHAKRA
from weft.traces.chakra import chakra_files, chakra_rows
from weft.traces.goal import goal_ranks, goal_rows
from weft.traces.otf2 import ENDING as OTF2
from weft.traces.otf2 import otf2_ranks, otf2_rows
from weft.traces.tit import tit_ranks, tit_rows

Format = Literal["chakra", "goal", "otf2", "tit", "recorded"]


def convert(
    source: Path,
    target: Path,
    form: Format | None = None,
    flops_per_s: float | None = None,
    say: Callable[[str], None] = lambda _: None,
) -> tuple[int, int]:
    """Write `source` as a trace to `target`; its ending says the format unless given.

    `flops_per_s` is the speed of a processor, for formats that count operations. `say`
    gets what the rows count otherwise than the source; the trace stores it, too.
    Returns the numbers of ranks and of events. Raises TraceError.
    """
    notes: list[str] = []

    def noted(what: str) -> None:
        notes.append(what)
        say(what)

    if not source.exists():
        raise TraceError(f"there is no file {source}")
    form = form or _form(source)
    if form == "tit" and not flops_per_s:
        raise TraceError("a trace of SimGrid counts operations: say how many a second, by --flops")
    if form == "goal":
        ranks = goal_ranks(source)
        rows = goal_rows(source, ranks)
    elif form == "tit":
        ranks = tit_ranks(source)
        rows = tit_rows(source, ranks, flops_per_s or 1.0)
    elif form == "chakra":
        files = chakra_files(source)
        ranks = len(files)
        rows = chakra_rows(files, flops_per_s)
    elif form == "otf2":
        ranks = otf2_ranks(source)
        rows = otf2_rows(source, noted)
    else:
        ranks = recorded_ranks(source)
        rows = recorded_rows(source, ranks)
    return ranks, write_whole(target, ranks, rows, str(source), notes)


def _form(source: Path) -> Format:
    if source.is_dir():
        return "chakra" if any(source.glob(f"*{CHAKRA}")) else "recorded"
    if source.suffix == CHAKRA:
        return "chakra"
    if source.suffix == OTF2:
        return "otf2"
    name = source.name.removesuffix(".gz")
    if name.endswith(".goal"):
        return "goal"
    if name.endswith((".tit", ".trace", ".txt")):
        return "tit"
    raise TraceError(
        f"{source} ends in no format that weft knows; --format says it: chakra, goal, otf2, tit"
    )
