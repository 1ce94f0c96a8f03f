"""GOAL, the schedules of LogGOPSim and ATLAHS as text.

Source: T. Hoefler, C. Siebert, A. Lumsdaine, "Group Operation Assembly Language", ICPP 2009, and
the grammar of LogGOPSim's `txt2bin`. A rank has operations and dependencies between them:

    num_ranks 2
    rank 0 {
    l1: calc 1000
    l2: send 64b to 1 tag 7
    l2 requires l1
    }

`calc` counts nanoseconds. `requires` waits for the end of an operation, `irequires` for its start.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from weft.tables.traces import ANY, TraceError, TraceRow
from weft.traces.dependencies import Operation, in_order
from weft.traces.lines import MOST_TAG, TextLine, computing, read_lines

_RANKS = re.compile(r"num_ranks\s+(\d+)")
_RANK = re.compile(r"rank\s+(\d+)\s*\{")
_NEEDS = re.compile(r"([A-Za-z]\w*)\s+(requires|irequires)\s+([A-Za-z]\w*)")
_OPERATION = re.compile(
    r"(?:([A-Za-z]\w*)\s*:\s*)?(?:calc\s+(?P<ns>\d+)|(?P<way>send|recv)\s+(?P<bytes>\d+)\s*b\s+"
    r"(?:to|from)\s+(?P<peer>-1|\d+)(?:\s+tag\s+(?P<tag>-1|\d+))?)"
    r"(?:\s+cpu\s+(?P<cpu>\d+))?(?:\s+nic\s+(?P<nic>\d+))?"
)
_COMMENT = re.compile(r"/\*.*?\*/|//.*|#.*")


def goal_ranks(path: Path) -> int:
    """How many ranks the schedule has.

    Raises TraceError when it does not begin with their number.
    """
    for line in _code(path):
        if found := _RANKS.fullmatch(line.text):
            return line.whole(found[1], "num_ranks", 1)
        raise line.wrong("a schedule begins with num_ranks and their number")
    raise TraceError(f"{path} is empty")


def goal_rows(path: Path, ranks: int) -> Iterator[TraceRow]:
    """The rows of all ranks.

    Raises TraceError with file and line.
    """
    lines, expected = _code(path), 0
    next(lines)
    for line in lines:
        found = _RANK.fullmatch(line.text)
        if not found:
            raise line.wrong(f"'{line.text}' is not the begin of a rank, like 'rank {expected} {{'")
        if int(found[1]) != expected or expected >= ranks:
            raise line.wrong(f"rank {found[1]}, but the next one of {ranks} is {expected}")
        for row in in_order(_operations(lines, line, ranks)):
            yield {"rank": expected, **row}
        expected += 1
    if expected != ranks:
        raise TraceError(f"{path} has {expected} ranks, but num_ranks is {ranks}")


def _code(path: Path) -> Iterator[TextLine]:
    """Lines without comments and blanks."""
    is_comment = False
    for line in read_lines(path):
        text = line.text
        if is_comment:
            is_comment, (_, _, text) = "*/" not in text, text.partition("*/")
        text = _COMMENT.sub(" ", text)
        if "/*" in text:
            is_comment, text = True, text[: text.index("/*")]
        if text.strip():
            yield TextLine(path, line.number, text.strip())


def _operations(lines: Iterator[TextLine], begin: TextLine, ranks: int) -> list[Operation]:
    found: list[Operation] = []
    labels: dict[str, int] = {}
    cpus: set[str] = set()
    for line in lines:
        if line.text == "}":
            # A rank without operations ends at once.
            return found or [Operation(begin.wrong, {"call": "Compute"})]
        if needs := _NEEDS.fullmatch(line.text):
            who, how, what = needs.groups()
            for label in (who, what):
                if label not in labels:
                    raise line.wrong(f"there is no operation {label} before this line")
            operation = found[labels[who]]
            operation.before.append(labels[what])
            if how == "requires":
                operation.ended.append(labels[what])
            continue
        match = _OPERATION.fullmatch(line.text)
        if not match:
            raise line.wrong(f"'{line.text}' is no operation, no dependency and no '}}'")
        cpus.add(match["cpu"] or "0")
        if len(cpus) > 1:
            raise line.wrong("a rank uses several cpus; a rank of weft computes on one")
        if label := match[1]:
            if label in labels:
                raise line.wrong(f"there are two operations {label}")
            labels[label] = len(found)
        found.append(Operation(line.wrong, _row(line, match, ranks)))
    raise begin.wrong("the rank has no end: is the file cut?")


def _row(line: TextLine, match: re.Match[str], ranks: int) -> TraceRow:
    if match["ns"] is not None:
        return {"call": "Compute", "compute_s": computing(line.wrong, int(match["ns"]) * 1e-9)}
    sends = match["way"] == "send"
    peer, tag = int(match["peer"]), line.whole(match["tag"] or "0", "the tag", ANY, MOST_TAG)
    if peer >= ranks or (sends and peer == ANY):
        raise line.wrong(f"rank {peer}, ranks are 0 to {ranks - 1}")
    if sends and tag == ANY:
        raise line.wrong("a send needs a tag")
    call = "Isend" if sends else "Irecv"
    return {"call": call, "peer": peer, "bytes": line.whole(match["bytes"], "the size"), "tag": tag}
