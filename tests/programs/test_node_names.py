"""The name of a node: the same wherever a program asks for it."""

from pathlib import Path

import pytest

from tests.programs.simulator import simulated

pytestmark = pytest.mark.slow
PROGRAM = Path(__file__).parent / "node_names.c"
#: Options that place eight ranks on two nodes, and on as many nodes as there are ranks.
PLACINGS = [(4, {"ranks_per_node": 4, "rank_to_node": "block"}), (1, {})]


@pytest.mark.parametrize("engine", ["flow", "packet", "rdma"])
@pytest.mark.parametrize(("here", "placing"), PLACINGS)
def test_ranks_have_the_name_of_their_node_wherever_they_ask(
    engine: str, here: int, placing: dict[str, object], tmp_path: Path
) -> None:
    topology = {"kind": "crossbar", "nodes": 8 // here}
    options = {"engine": engine, "topology": topology, **placing}
    simulated(tmp_path, PROGRAM, 8, arguments=(str(here),), **options)
