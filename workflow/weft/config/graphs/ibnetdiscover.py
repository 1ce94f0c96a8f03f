"""What `ibnetdiscover` prints: every switch and channel adapter with its ports, each link twice."""

from __future__ import annotations

import re
from collections.abc import Iterable

from weft.config.graphs.infiniband import Port, Record, bandwidth_bytes_per_s, link_list
from weft.config.graphs.model import GraphProblem, LinkList

#: The first line of a record that has ports.
_RECORD = re.compile(r'(?P<kind>Switch|Ca|Rt)\s+\d+\s+"(?P<id>[^"]+)"(\s*#\s*"(?P<name>[^"]*)")?')
_PORT = re.compile(
    r'\[(?P<port>\d+)\](\[ext \d+\])?(\([0-9a-f]+\))?\s+"(?P<peer>[^"]+)"'
    r"\[(?P<peer_port>\d+)\](\[ext \d+\])?(\([0-9a-f]+\))?"
    r"\s*#.*?\s(?P<width>\d+)x(?P<speed>[A-Z]+\d*)$"
)
#: Lines between records, which say nothing about links.
_BESIDE = re.compile(r"(#.*|(vendid|devid|sysimgguid|switchguid|caguid|rtguid)=.*|Chassis\b.*|)$")


def read_ibnetdiscover(lines: Iterable[str]) -> LinkList:
    """The links of what the tool printed; channel adapters are nodes.

    Raises GraphProblem with the line of the first mistake, also where the text was cut.
    """
    records: dict[str, Record] = {}
    record: Record | None = None
    for number, written in enumerate(lines, 1):
        line = written.strip()
        if found := _RECORD.match(line):
            if found["id"] in records:
                raise GraphProblem(f"{found['id']} occurs twice", number)
            record = Record(found["kind"] == "Ca", found["name"] or found["id"], number)
            records[found["id"]] = record
        elif (found := _PORT.match(line)) and record is not None:
            rate = bandwidth_bytes_per_s(found["width"], found["speed"], number)
            port = Port(found["peer"], int(found["peer_port"]), rate, number)
            record.add(int(found["port"]), port)
        elif not _BESIDE.match(line):
            message = f"ibnetdiscover prints no line like '{line[:60]}'"
            raise GraphProblem(f"{message}; was the text cut or changed?", number)
    if not records:
        raise GraphProblem("the text holds no switch and no channel adapter of ibnetdiscover")
    return link_list(records)
