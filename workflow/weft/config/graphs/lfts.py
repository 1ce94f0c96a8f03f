"""The forwarding tables of an InfiniBand fabric, as `dump_fts` prints them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from weft.config.graphs.model import GraphProblem
from weft.config.graphs.route_model import RouteEntry

_SWITCH = re.compile(r"Unicast lids .* guid 0x[0-9a-f]+ \((?P<name>.*)\):$")
_ENTRY = re.compile(
    r"0x[0-9a-f]+ (?P<port>\d+) : \((?P<kind>[A-Za-z ]+?) portguid 0x[0-9a-f]+: '(?P<name>.*)'\)$"
)
_END = re.compile(r"(?P<count>\d+) (valid )?lids dumped$")
_BESIDE = ("Lid  Out   Destination", "Port     Info", "")


def read_lfts(lines: Iterable[str]) -> Iterator[RouteEntry]:
    """The entries for channel adapters, of every switch.

    Raises GraphProblem with the line of the first mistake, also where the text was cut.
    """
    found, number = 0, 0
    switch, listed = None, 0
    for number, written in enumerate(lines, 1):
        line = written.strip()
        if header := _SWITCH.match(line):
            _check_ended(switch, number)
            switch, listed = header["name"], 0
        elif (entry := _ENTRY.match(line)) and switch is not None:
            listed += 1
            if entry["kind"] == "Channel Adapter":
                found += 1
                yield RouteEntry(switch, entry["name"], number, int(entry["port"]))
        elif end := _END.match(line):
            if switch is None or int(end["count"]) != listed:
                message = f"{listed} entries are above, not {end['count']}; was the text cut?"
                raise GraphProblem(message, number)
            switch = None
        elif line not in _BESIDE:
            message = f"dump_fts prints no line like '{line[:60]}'; was the text cut or changed?"
            raise GraphProblem(message, number)
    _check_ended(switch, number)
    if not found:
        raise GraphProblem("the text holds no entry of dump_fts")


def _check_ended(switch: str | None, line: int) -> None:
    if switch is not None:
        raise GraphProblem(f"the table of {switch} does not end; was the text cut?", line)
