"""What `iblinkinfo` prints: the ports of every switch and channel adapter, each link twice."""

from __future__ import annotations

import re
from collections.abc import Iterable

from weft.config.graphs.infiniband import Port, Record, bandwidth_bytes_per_s, link_list
from weft.config.graphs.model import GraphProblem, LinkList

#: Names of speeds by the signalling rate of a lane in Gbit/s.
SIGNALLING = {
    "2.5": "SDR",
    "5.0": "DDR",
    "10.0": "QDR",
    "10.3125": "FDR10",
    "14.0625": "FDR",
    "25.78125": "EDR",
    "53.125": "HDR",
    "106.25": "NDR",
    "212.5": "XDR",
}
_RECORD = re.compile(r"(?P<kind>CA|Switch|Router): (0x[0-9a-f]+ )?(?P<name>.*):$")
_PORT = re.compile(
    r"(0x[0-9a-f]+\s+)?(?P<lid>\d+)\s+(?P<port>\d+)\[\s*\] ==\((?P<state>[^)]*|[^=]*)\)==>\s*"
    r'((?P<peer>\d+)\s+(?P<peer_port>\d+))?\[\s*\] "[^"]*" \(.*\)$'
)
#: The state of a port whose link works.
_ACTIVE = re.compile(
    r"\s*(?P<width>\d+)X\s+(?P<rate>[\d.]+) Gbps(?P<fdr10> \(FDR10\))?\s+Active/\s*LinkUp\s*$"
)


def read_iblinkinfo(lines: Iterable[str]) -> LinkList:
    """The active links of what the tool printed; channel adapters are nodes.

    Raises GraphProblem with the line of the first mistake, also where the text was cut.
    """
    #: By LID, which only the lines of ports hold.
    records: dict[str, Record] = {}
    record: Record | None = None
    for number, written in enumerate(lines, 1):
        line = written.strip()
        if found := _RECORD.match(line):
            record = Record(found["kind"] == "CA", found["name"], number)
        elif (found := _PORT.match(line)) and record is not None:
            if records.setdefault(found["lid"], record) is not record:
                raise GraphProblem(f"LID {found['lid']} occurs twice", number)
            _add_port(record, found, number)
        elif line and not line.startswith("#"):
            message = f"iblinkinfo prints no line like '{line[:60]}'"
            raise GraphProblem(f"{message}; was the text cut or changed?", number)
    if not records:
        raise GraphProblem("the text holds no port of iblinkinfo")
    return link_list(records)


def _add_port(record: Record, found: re.Match[str], line: int) -> None:
    state = _ACTIVE.match(found["state"])
    if state is None or found["peer"] is None:
        return
    speed = "FDR10" if state["fdr10"] else SIGNALLING.get(state["rate"], f"{state['rate']} Gbps")
    rate = bandwidth_bytes_per_s(state["width"], speed, line)
    record.add(int(found["port"]), Port(found["peer"], int(found["peer_port"]), rate, line))
