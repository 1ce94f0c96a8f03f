"""SimGrid beside flow: the same lists over the same routes take the same times."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.engines.simgrid.points import (
    CROSSBAR,
    DELAYED,
    MESH,
    NETWORK,
    TOPOLOGIES,
    TORUS,
    TREE,
    UNIFORM,
    answer,
    finish_s,
    flow_answer,
    links,
    needs_simgrid,
    point,
    sent,
)

pytestmark = [pytest.mark.slow, pytest.mark.long("simgrid")]
#: Rounding of times of some 100 us, of which SimGrid's least step is 10 fs.
SAME_S = 1e-17
#: What SimGrid gives.
MEASURED = {
    "makespan_s", "accepted_rate", "message_time_mean_s", "message_time_p50_s",
    "message_time_p95_s",
    "message_time_max_s", "link_utilisation_mean", "link_utilisation_max",
}  # fmt: skip


@pytest.fixture(autouse=True)
def _simgrid() -> None:
    needs_simgrid()


def compare(folder: Path, *parts: Any, **more: Any) -> float:
    """The largest difference of an end of a message, in seconds; all else is compared here."""
    asked = point(*parts, tables=["messages", "links"], **more)
    theirs, ours = answer(folder / "simgrid", asked), flow_answer(folder / "flow", asked)
    assert set(theirs) == MEASURED
    assert theirs == pytest.approx({name: ours[name] for name in theirs}, rel=1e-9)
    found, wanted = finish_s(folder / "simgrid"), finish_s(folder / "flow")
    assert found.keys() == wanted.keys()
    found_links, wanted_links = links(folder / "simgrid"), links(folder / "flow")
    assert list(found_links) == list(wanted_links)
    for name, (carried, busy_s, share) in wanted_links.items():
        assert found_links[name] == pytest.approx((carried, busy_s, share), rel=1e-9)
    return max(abs(found[message][1] - wanted[message][1]) for message in found)


@pytest.mark.parametrize("network", [NETWORK, DELAYED], ids=["links", "delays"])
@pytest.mark.parametrize("outstanding", [1, 3, "all"])
@pytest.mark.parametrize("topology", TOPOLOGIES, ids=lambda topology: topology["kind"])
def test_every_message_ends_when_flow_says(
    tmp_path: Path, topology: dict[str, Any], outstanding: int | str, network: dict[str, float]
) -> None:
    workload = {**UNIFORM, "outstanding": outstanding}
    assert compare(tmp_path, topology, workload, network) < SAME_S


def test_messages_to_oneself_flow_alone(tmp_path: Path) -> None:
    workload = {**UNIFORM, "include_self": True, "outstanding": 2}
    assert compare(tmp_path, CROSSBAR, workload, DELAYED) < SAME_S


def test_a_file_gives_sizes_and_starts(tmp_path: Path) -> None:
    listed = sent(tmp_path, (0, 1, 1000, 0), (0, 4, 300, 5e-6), (7, 1, 2000, 1e-6), (3, 3, 9, 0))
    assert compare(tmp_path, TORUS, listed, DELAYED) < SAME_S


def test_sizes_have_times_of_their_own(tmp_path: Path) -> None:
    asked = point(TREE, {**UNIFORM, "message_bytes": [10, 1000]}, tables=["messages"])
    flow_answer(tmp_path / "flow", asked)
    answer(tmp_path / "simgrid", asked)
    found, wanted = finish_s(tmp_path / "simgrid"), finish_s(tmp_path / "flow")
    assert found.keys() == wanted.keys()
    assert all(found[each] == pytest.approx(wanted[each]) for each in found)


@pytest.mark.parametrize("network", [NETWORK, DELAYED], ids=["links", "delays"])
def test_lazy_updates_agree_for_one_message_at_a_time(
    tmp_path: Path, network: dict[str, float]
) -> None:
    assert compare(tmp_path, MESH, UNIFORM, network, update="lazy") < SAME_S
