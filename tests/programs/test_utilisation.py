"""What `utilisation` of the table `links` means: the same for every engine, list or program."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from weft.engines.base import Engine
from weft.engines.native import NativeEngine
from weft.engines.simgrid.engine import SimGridEngine

from tests.engines.simgrid import points
from tests.programs import simulator

pytestmark = [pytest.mark.slow, pytest.mark.long("programs")]

BYTES = 65_536
BANDWIDTH = 4e9
NETWORK = {"bandwidth_bytes_per_s": BANDWIDTH, "latency_s": 0.0, "hop_latency_s": 0.0}
CROSSBAR = {"kind": "crossbar", "nodes": 3}
#: Routers that send a flit in every cycle.
ROUTERS = {"virtual_channels": 4, "flit_bytes": 16, "packet_flits": 16, "vc_buffer_flits": 32}
PROGRAMS: dict[str, dict[str, Any]] = {
    "flow": {"model": "max_min"},
    "equal_share": {"model": "equal_share"},
    "rdma": {},
    "packet": ROUTERS,
}


def run_program(folder: Path, engine: str, senders: int, table: str) -> Path:
    """The table that the program leaves."""
    simulator.run_point(
        folder,
        Path(__file__).parent / "into_one.c",
        3,
        [BYTES],
        ("{message_bytes}", str(senders)),
        NETWORK,
        "flow" if engine == "equal_share" else engine,
        CROSSBAR,
        payload="sizes",
        tables=[table],
        **PROGRAMS[engine],
    )
    return folder / "out" / f"{table}-p.csv"


def of_program(folder: Path, engine: str, senders: int) -> dict[str, tuple[float, float]]:
    return dict(_read(run_program(folder, engine, senders, "links")))


def of_list(folder: Path, engine: str, senders: int) -> dict[str, tuple[float, float]]:
    messages = points.sent(folder, *((sender, 2, BYTES, 0.0) for sender in range(senders)))
    point = points.point(CROSSBAR, messages, NETWORK, tables=["links"])
    runner: Engine = NativeEngine(engine, "crate", ("links",))
    if engine == "simgrid":
        points.needs_simgrid()
        runner = SimGridEngine(("links",))
    elif engine == "flow":
        point["options"] = {"model": "max_min", "tables": ["links"]}
    else:
        options = simulator.OPTIONS | simulator.PACKET_OPTIONS | ROUTERS
        point["options"] = {**options, "max_cycles": 10**6, "tables": ["links"]}
    (line,) = points.run(runner, folder / "run", [point])
    assert line["error"] is None, line
    return dict(_read(folder / "run" / f"links-{'a' * 12}.csv"))


def _read(path: Path) -> Iterator[tuple[str, tuple[float, float]]]:
    with path.open(newline="") as file:
        for row in csv.DictReader(file):
            yield row["link"], (float(row["utilisation"]), float(row["busy_s"]))


CASES = [(of_program, engine) for engine in PROGRAMS]
CASES += [(of_list, engine) for engine in ("flow", "packet", "simgrid")]


@pytest.mark.parametrize(("way", "engine"), CASES)
@pytest.mark.parametrize("senders", [1, 2])
def test_it_is_what_a_link_carried_of_what_it_could_have_carried(
    way: Any, engine: str, senders: int, tmp_path: Path
) -> None:
    """Two messages share the last link, so that each leaves half of its own link unused."""
    found = way(tmp_path, engine, senders)
    last = found["ejection/2"][0]
    # Packets need a few cycles on their way.
    assert last == pytest.approx(1, abs=0.01)
    assert last <= 1
    for sender in (0, 1):
        share = last / senders if sender < senders else 0
        assert found[f"injection/{sender}"][0] == pytest.approx(share, rel=1e-9)
    assert found["ejection/0"] == (0, 0)


@pytest.mark.parametrize(("way", "engine"), CASES)
def test_a_flow_keeps_its_links_busy_at_any_rate(way: Any, engine: str, tmp_path: Path) -> None:
    """A link of packets is busy while it carries one, else while a message is under way on it."""
    found = way(tmp_path, engine, 2)
    is_fluid = engine not in ("packet", "rdma")
    least_s = BYTES / BANDWIDTH
    expected_s = 2 * least_s if is_fluid else least_s
    assert found["injection/0"][1] == pytest.approx(expected_s, rel=1e-6)
    assert found["ejection/2"][1] == pytest.approx(2 * least_s, rel=1e-6)


@pytest.mark.parametrize("engine", ["flow", "equal_share"])
def test_links_are_distributed_by_what_they_carry(engine: str, tmp_path: Path) -> None:
    """Of six links, two carry half of what they could, and one all."""
    with run_program(tmp_path, engine, 2, "series").open(newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["metric"] == "link_share"]
    shares = {"0–10 %": 3 / 6, "50–60 %": 2 / 6, "90–100 %": 1 / 6}
    assert len(rows) > 100
    for row in rows:
        assert float(row["value"]) == pytest.approx(shares.get(row["label"], 0)), row
