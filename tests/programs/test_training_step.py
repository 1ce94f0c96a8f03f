"""`training_step`: a step without contention has a closed form, and sums hide behind computing."""

from __future__ import annotations

import csv
from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest

from tests.programs import simulator

SOURCE = simulator.ROOT / "programs" / "training_step.c"
BANDWIDTH, LATENCY_S = 1e9, 1e-6
#: Messages of all sizes take LATENCY_S and their bytes: no rendezvous.
NETWORK = {"bandwidth_bytes_per_s": BANDWIDTH, "latency_s": LATENCY_S, "hop_latency_s": 0.0}
SEGMENT = 64 * 1024
LAYERS = 3


def step(
    folder: Path,
    ranks: int,
    arguments: list[object],
    engine: str = "flow",
    network: dict[str, Any] = NETWORK,
    **options: Any,
) -> dict[str, float]:
    texts = tuple(str(each) for each in arguments)
    return simulator.simulated(
        folder,
        SOURCE,
        ranks,
        None,
        texts,
        network,
        engine=engine,
        payload="sizes",
        allreduce_algorithm="ring",
        **options,
    )


def ring_s(ranks: int, size: int) -> float:
    """2(p - 1) steps, each with a p-th of the bytes."""
    return 2 * (ranks - 1) * (LATENCY_S + size / ranks / BANDWIDTH)


@pytest.mark.parametrize(
    ("forward_s", "backward_s"),
    [(0.002, 0.004), (0.0005, 0.0009), (0.0, 0.0)],
    ids=["hidden", "bound", "free"],
)
def test_a_data_parallel_step_is_its_computing_and_the_sums_that_do_not_fit_behind_it(
    tmp_path: Path, forward_s: float, backward_s: float
) -> None:
    ranks, size = 8, 800_000
    found = step(
        tmp_path, ranks, [size, LAYERS, forward_s * ranks, backward_s * ranks, "allreduce"]
    )
    one, end = ring_s(ranks, size), LAYERS * forward_s
    for layer in range(1, LAYERS + 1):
        end = max(end, LAYERS * forward_s + layer * backward_s) + one
    assert found["program_time_s"] == pytest.approx(end, rel=1e-6)
    exposed = end - LAYERS * (forward_s + backward_s)
    assert found["exposed_time_s"] == pytest.approx(exposed, rel=1e-6)
    # One sum at least, the last, has nothing to hide behind; and no more than all have not.
    assert one * (1 - 1e-6) <= found["exposed_time_s"] <= LAYERS * one * (1 + 1e-6)


def test_a_tensor_parallel_step_waits_for_four_sums_in_each_layer(tmp_path: Path) -> None:
    ranks, replicas, gradients, activations = 8, 2, 400_000, 160_000
    arguments = [gradients, LAYERS, 0.008, 0.016, "allreduce", replicas, activations]
    found = step(tmp_path, ranks, arguments)
    waits = 4 * ring_s(ranks // replicas, activations) + ring_s(replicas, gradients)
    computing = (0.008 + 0.016) / ranks
    assert found["exposed_time_s"] == pytest.approx(LAYERS * waits, rel=1e-6)
    assert found["program_time_s"] == pytest.approx(LAYERS * (waits + computing), rel=1e-6)


def test_no_bytes_are_no_sum(tmp_path: Path) -> None:
    found = step(tmp_path, 4, [0, LAYERS, 0.004, 0.008, "double_tree"])
    assert found["exposed_time_s"] == 0
    assert found["messages"] == 0


@pytest.mark.parametrize("engine", ["flow", "packet", "rdma"])
@pytest.mark.parametrize("ranks", [1, 2, 3, 4, 5, 7, 8, 13])
def test_a_double_tree_ends_on_any_number_of_ranks(tmp_path: Path, engine: str, ranks: int) -> None:
    """Two trees of p - 1 edges; every segment crosses each edge of its tree up and down."""
    size = 5 * SEGMENT + 3
    found = step(tmp_path, ranks, [size, 1, 0, 0, "double_tree"], engine)
    assert found["payload_bytes"] == 2 * (ranks - 1) * size
    assert found["messages"] == 2 * (ranks - 1) * (3 + 3)


@pytest.mark.parametrize("ranks", [2, 6, 7, 16, 33])
def test_a_rank_is_inside_of_one_tree_at_most(tmp_path: Path, ranks: int) -> None:
    """So no rank sends or receives more than twice the bytes, as round a ring."""
    size = 4 * SEGMENT
    step(tmp_path, ranks, [size, 1, 0, 0, "double_tree"], tables=["rank_pairs"])
    sent: dict[int, int] = defaultdict(int)
    both: set[tuple[int, int]] = set()
    (table,) = (tmp_path / "out").glob("rank*pairs*.csv")
    with table.open(newline="") as file:
        for row in csv.DictReader(file):
            sent[int(row["source"])] += int(float(row["bytes"]))
            both.add((int(row["source"]), int(row["destination"])))
    assert set(sent) == set(range(ranks))
    assert all(each <= 2 * size for each in sent.values())
    assert all((b, a) in both for a, b in both), "what goes up comes down"


def test_large_sums_over_a_double_tree_take_little_longer_than_round_a_ring(
    tmp_path: Path,
) -> None:
    """Both move twice the bytes through a link; the trees fill and empty their pipelines."""
    ranks, size = 16, 400 * SEGMENT
    tree = double_tree_s(tmp_path, ranks, size, "flow", "round_robin")
    least = 2 * size * (ranks - 1) / ranks / BANDWIDTH
    assert least <= tree <= 1.15 * ring_s(ranks, size)


def test_a_nic_that_serves_in_order_slows_a_double_tree_down_in_all_engines(
    tmp_path: Path,
) -> None:
    """A segment that waits for one receiver holds those to the others back."""
    ranks, size = 16, 100 * SEGMENT
    tree = {
        engine: double_tree_s(tmp_path, ranks, size, engine, "in_order")
        for engine in ("flow", "packet", "rdma")
    }
    assert tree["flow"] > 1.5 * ring_s(ranks, size)
    assert tree["packet"] == pytest.approx(tree["flow"], rel=0.05)
    assert tree["rdma"] == pytest.approx(tree["flow"], rel=0.05)


def double_tree_s(folder: Path, ranks: int, size: int, engine: str, service: str) -> float:
    """The time of one sum over a double tree by NICs with this `nic.service`."""
    # A segment is above the limits of libraries, so receives that are posted pace the senders.
    found = step(
        folder,
        ranks,
        [size, 1, 0, 0, "double_tree"],
        engine,
        network=NETWORK | {"nic": {"service": service}},
        eager_limit_bytes=16384,
    )
    return found["program_time_s"]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["8", "1", "0", "0"], "training_step sums by allreduce or double_tree"),
        (["8", "1", "0", "0", "butterfly"], "training_step sums by allreduce or double_tree"),
        (["8", "1", "0", "0", "allreduce", "3"], "replicas divide the ranks (4)"),
        (["8", "0", "0", "0", "allreduce"], "argument 2 (layers)"),
        (["8", "1", "-1", "0", "allreduce"], "seconds of a forward pass"),
    ],
)
def test_wrong_arguments_are_named(tmp_path: Path, arguments: list[str], words: str) -> None:
    assert words in simulator.refusal(tmp_path, SOURCE, 4, tuple(arguments))
