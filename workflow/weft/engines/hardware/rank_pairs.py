"""What ranks sent to each other, as the recorder saw it: messages that the program sent itself."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from weft.engines.hardware.known_groups import Group, KnownGroups
from weft.tables.traces import CALLS, TraceRow

_SENDS = {name for name, call in CALLS.items() if call.peer == "to" and not name.startswith("Win_")}


class SentMessages:
    """Messages and bytes by source and destination, in the communicator of all."""

    def __init__(self, groups: KnownGroups) -> None:
        self._groups = groups
        self._sent: dict[tuple[int, Group, int], list[int]] = {}

    def add(self, row: TraceRow) -> None:
        """The next call of a rank, which the groups know already."""
        if row["call"] in _SENDS and (peer := row.get("peer", -1)) >= 0:
            key = row["rank"], self._groups.group(row), peer
            sent = self._sent.setdefault(key, [0, 0])
            sent[0] += 1
            sent[1] += row["bytes"]

    def rows(self) -> Iterator[tuple[int, int, int, int]]:
        """Source, destination, messages and bytes, in order."""
        found: dict[tuple[int, int], list[int]] = defaultdict(lambda: [0, 0])
        for (rank, group, peer), (messages, size) in self._sent.items():
            pair = found[rank, self._groups.member(group, peer)]
            pair[0] += messages
            pair[1] += size
        for (source, destination), (messages, size) in sorted(found.items()):
            yield source, destination, messages, size
