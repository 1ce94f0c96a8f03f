"""Which ranks of a program exchange most, in a sentence."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from weft.config.model.program_figures import RankPairs
from weft.report.data.source import Study
from weft.report.data.units import counted, listing, quantity
from weft.report.kinds.rank_pairs.rows import Matrix, RankPair, Sent, matrices

#: So many matrices of a figure have a part of its sentence.
_MOST = 3
#: More differences between the numbers of ranks are no pattern that a sentence can hold.
_FEW = 6
#: Means over runs differ in the last digits.
_SAME = 1 - 1e-9


def exchange_findings(study: Study, figure: RankPairs) -> list[str]:
    """One sentence about the matrices of the figure."""
    found = [text for each in matrices(study, figure).found if (text := exchange(each, figure.of))]
    if not found:
        return []
    text = "; ".join(found[:_MOST])
    return [f"{text}." if ":" in text else f"{text[:1].upper()}{text[1:]}."]


def exchange(matrix: Matrix, of: Sent) -> str:
    """Which pairs have most, without a full stop; nothing where no rank sends to another."""
    pairs = [p for p in matrix.pairs if matrix.block > 1 or p.source != p.destination]
    most = max((pair.sent(of) for pair in pairs), default=0)
    if not most:
        return ""
    top = [pair for pair in pairs if pair.sent(of) >= most * _SAME]
    amount = quantity(most, "B") if of == "bytes" else counted(most, "message")
    goes = "data goes" if of == "bytes" else "messages go"
    if len(pairs) == 1:
        text = f"all {goes} {_pairs(matrix, top, 1)} ({amount})"
    elif len(top) == len(pairs) and matrix.block == 1:
        text = _alike(matrix, pairs, amount)
    else:
        share = sum(pair.sent(of) for pair in top) / sum(pair.sent(of) for pair in pairs)
        each = " each" if len(top) > 1 else ""
        text = f"most {goes} {_pairs(matrix, top, len(pairs))} ({amount}{each}, {share:.0%} of all)"
    panel = f"{matrix.panel}: " if matrix.panel else ""
    return f"{panel}{text}{' in the run that was recorded' if matrix.is_measured else ''}"


def _alike(matrix: Matrix, pairs: Sequence[RankPair], amount: str) -> str:
    """Of ranks that send as much to each rank that they send to."""
    degrees = list(Counter(pair.source for pair in pairs).values())
    low, high = min(degrees), max(degrees)
    who = f"{counted(len(degrees), 'rank')} send{'s' if len(degrees) == 1 else ''}"
    if len(degrees) == matrix.ranks:
        who = "each rank sends"
    if low == matrix.ranks - 1:
        return f"{who} {amount} to every other rank"
    number = f"{low}" if low == high else f"{low} to {high}"
    others = "1 other rank" if high == 1 else f"each of {number} other ranks"
    apart = _apart(matrix, pairs)
    if high == 1:
        apart = apart.replace("numbers differ", "number differs")
    return f"{who} {amount} to {others}{apart}"


def _pairs(matrix: Matrix, top: Sequence[RankPair], pairs: int) -> str:
    source, destination = (_ranks(matrix, end) for end in (top[0].source, top[0].destination))
    if len(top) == 1:
        return f"from {source} to {destination}"
    apart = _apart(matrix, top) if matrix.block == 1 else ""
    example = "" if apart else f", such as from {source} to {destination}"
    between = "ranks" if matrix.block == 1 else f"groups of {matrix.block} ranks"
    return f"between {len(top):,} of {pairs:,} pairs of {between}{apart}{example}"


def _ranks(matrix: Matrix, cell: int) -> str:
    if matrix.block == 1:
        return f"rank {cell}"
    first = cell * matrix.block
    return f"ranks {first}–{min(first + matrix.block, matrix.ranks) - 1}"


def _apart(matrix: Matrix, pairs: Sequence[RankPair]) -> str:
    """By how much the numbers of ranks differ, where that is a pattern; rank 0 follows the last."""
    steps = {abs(pair.destination - pair.source) for pair in pairs}
    around = {min(step, matrix.ranks - step) for step in steps}
    if len(around) > _FEW or len(around) * 2 >= len(pairs):
        return ""
    behind = "" if around == steps else f" modulo {matrix.ranks}"
    return f" whose numbers differ by {listing(map(str, sorted(around)))}{behind}"
