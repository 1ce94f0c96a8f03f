"""Time-independent traces of SimGrid (TIT): text, one action a line.

Source: SimGrid 3.32 and 4.1, `smpi_replay.cpp`: `<rank> <action> <numbers> [types]`. A main file
lists one file for each rank, or holds the actions of all. Computing is counted in operations of a
processor, so a speed is needed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

from weft.tables.traces import ANY, TraceError, TraceRow
from weft.traces.lines import MOST_TAG, TextLine, computing, read_lines

#: Bytes of types by the numbers that SimGrid has for them.
_TYPES = {"0": 8, "1": 4, "2": 1, "3": 2, "4": 8, "5": 4, "6": 1, "7": 8, "8": 1, "9": 1, "10": 2,
          "11": 4, "12": 8, "13": 8, "14": 16, "15": 4, "16": 1, "17": 1, "18": 2}  # fmt: skip
#: Actions that take no time.
_FREE = ("init", "finalize", "comm_size", "comm_split", "comm_dup", "location")
_MESSAGES = {"send": "Send", "ssend": "Ssend", "isend": "Isend", "issend": "Issend",
             "recv": "Recv", "irecv": "Irecv"}  # fmt: skip
_REDUCTIONS = {"reduce": "Reduce", "allreduce": "Allreduce", "scan": "Scan", "exscan": "Exscan"}
_BLOCKS = {"gather": "Gather", "scatter": "Scatter", "allgather": "Allgather",
           "alltoall": "Alltoall"}  # fmt: skip


def tit_files(path: Path) -> list[Path] | None:
    """The files of the ranks that a main file lists; None where it holds the actions itself."""
    first = next((line.text.split() for line in read_lines(path) if line.text.split()), None)
    if first is None:
        raise TraceError(f"{path} is empty")
    if len(first) > 1 or first[0].isdigit():
        return None
    return [path.parent / line.text.strip() for line in read_lines(path) if line.text.strip()]


def tit_ranks(path: Path) -> int:
    """How many ranks the trace has.

    Raises TraceError when it cannot be read.
    """
    files = tit_files(path)
    if files is not None:
        return len(files)
    found = {line.whole(line.text.split()[0], "rank") for line in _actions(path)}
    missing = next(rank for rank in range(len(found) + 1) if rank not in found)
    if missing < len(found):
        raise TraceError(f"{path} has actions of rank {max(found)}, but none of rank {missing}")
    return len(found)


def tit_rows(path: Path, ranks: int, flops_per_s: float) -> Iterator[TraceRow]:
    """The rows of all ranks.

    Raises TraceError with file and line.
    """
    files = tit_files(path)
    for rank in range(ranks):
        own = _Rank(rank, ranks, flops_per_s)
        for line in _actions(files[rank] if files else path):
            if line.whole(line.text.split()[0], "rank") == rank:
                yield from own.rows(line)
            elif files:
                raise line.wrong(f"an action of another rank in the file of rank {rank}")
        yield {"rank": rank, "call": "Compute", "compute_s": own.compute_s}


def _actions(path: Path) -> Iterator[TextLine]:
    return (line for line in read_lines(path) if line.text.strip())


class _Rank:
    """The actions of one rank, as rows."""

    def __init__(self, rank: int, ranks: int, flops_per_s: float) -> None:
        self.rank, self.ranks, self.flops_per_s = rank, ranks, flops_per_s
        self.compute_s = 0.0
        self.element = 1
        #: Requests by source, target and tag, in their order.
        self.open: dict[tuple[int, int, int], list[int]] = {}
        self.used: set[int] = set()

    def rows(self, line: TextLine) -> Iterator[TraceRow]:
        """The rows of an action."""
        action, *words = line.text.split()[1:] or [""]
        action = action.lower()
        if action in _FREE:
            if action == "init":
                # With a number, sizes count doubles unless an action says another type.
                self.element = 8 if words else 1
            return
        if action in ("compute", "sleep"):
            scale = self.flops_per_s if action == "compute" else 1.0
            more_s = line.real(_word(line, words, 0), action) / scale
            self.compute_s = computing(line.wrong, self.compute_s + more_s)
            return
        make = self._maker(action)
        if make is None:
            raise line.wrong(f"weft does not read the action '{action}'")
        for row in make(line, action, words):
            yield {"rank": self.rank, "compute_s": self.compute_s, **row}
            self.compute_s = 0.0

    def _maker(self, action: str) -> Callable[[TextLine, str, list[str]], list[TraceRow]] | None:
        if action in _MESSAGES:
            return self._message
        if action in _REDUCTIONS:
            return self._reduction
        if action in _BLOCKS:
            return self._block
        own = {"wait": self._wait, "waitall": self._waitall, "barrier": self._barrier}
        return {**own, "bcast": self._bcast}.get(action)

    def _message(self, line: TextLine, action: str, words: list[str]) -> list[TraceRow]:
        peer = line.whole(_word(line, words, 0), "the partner", ANY)
        tag = line.whole(_word(line, words, 1), "the tag", ANY, MOST_TAG)
        if peer >= self.ranks:
            raise line.wrong(f"rank {peer}, ranks are 0 to {self.ranks - 1}")
        row: TraceRow = {"call": _MESSAGES[action], "peer": peer, "tag": tag}
        row |= self._amount(line, words, 2)
        if action.startswith("i"):
            number = next(n for n in range(len(self.used) + 1) if n not in self.used)
            ways = (peer, self.rank) if action == "irecv" else (self.rank, peer)
            self.open.setdefault((*ways, tag), []).append(number)
            self.used.add(number)
            row["request"] = number
        return [row]

    def _wait(self, line: TextLine, _action: str, words: list[str]) -> list[TraceRow]:
        source, target, tag = (line.whole(_word(line, words, i), "a rank", ANY) for i in range(3))
        requests = self.open.get((source, target, tag))
        # SimGrid, too, takes a wait without a request for one that a test has ended.
        if not requests:
            return []
        number = requests.pop(0)
        self.used.remove(number)
        return [{"call": "Wait", "request": number}]

    def _waitall(self, _line: TextLine, _action: str, _words: list[str]) -> list[TraceRow]:
        requests, self.used, self.open = sorted(self.used), set(), {}
        return [{"call": "Waitall", "more": requests}] if requests else []

    def _barrier(self, _line: TextLine, _action: str, _words: list[str]) -> list[TraceRow]:
        return [{"call": "Barrier"}]

    def _bcast(self, line: TextLine, _action: str, words: list[str]) -> list[TraceRow]:
        root = self._root(line, words, 1)
        return [{"call": "Bcast", "peer": root, **self._amount(line, words, 0, kind=2)}]

    def _reduction(self, line: TextLine, action: str, words: list[str]) -> list[TraceRow]:
        work = computing(
            line.wrong, line.real(_word(line, words, 1), "the work") / self.flops_per_s
        )
        rooted = action == "reduce"
        row: TraceRow = {"call": _REDUCTIONS[action]}
        row |= self._amount(line, words, 0, kind=3 if rooted else 2)
        row |= {"peer": self._root(line, words, 2)} if rooted else {}
        # The replay has no time inside of a call: the operations come behind it.
        return [row, {"call": "Compute", "compute_s": work}] if work > 0 else [row]

    def _block(self, line: TextLine, action: str, words: list[str]) -> list[TraceRow]:
        rooted = action in ("gather", "scatter")
        root = self._root(line, words, 2) if rooted else 0
        # Of the side that the rank is on: sent, or received.
        receives = action in ("allgather", "alltoall") or (action == "gather") == (
            root == self.rank
        )
        kind = (3 if rooted else 2) + int(receives)
        row: TraceRow = {"call": _BLOCKS[action]}
        row |= self._amount(line, words, int(receives), kind=kind)
        return [{**row, "peer": root} if rooted else row]

    def _root(self, line: TextLine, words: list[str], place: int) -> int:
        root = line.whole(words[place], "the root") if len(words) > place else 0
        if root >= self.ranks:
            raise line.wrong(f"the root is {root}, ranks are 0 to {self.ranks - 1}")
        return root

    def _amount(
        self, line: TextLine, words: list[str], place: int, kind: int | None = None
    ) -> TraceRow:
        at = place + 1 if kind is None else kind
        number = words[at] if len(words) > at else None
        if number is not None and number not in _TYPES:
            raise line.wrong(f"weft does not know the size of the type {number}")
        element = self.element if number is None else _TYPES[number]
        count = line.whole(_word(line, words, place), "the size")
        return {"bytes": count * element, "element_bytes": element}


def _word(line: TextLine, words: list[str], place: int) -> str:
    if place >= len(words):
        raise line.wrong("the action has too few numbers")
    return words[place]
