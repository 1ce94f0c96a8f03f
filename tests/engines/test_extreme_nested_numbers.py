"""Numbers within `network.costs` and keyed options, which no sweep reaches: refused, or run."""

from __future__ import annotations

from pathlib import Path

import pytest
from weft.config import ConfigError, ConfigErrors, load_experiments

from tests.config.conftest import HEAD, Tree, tree
from tests.engines.test_extreme_numbers import (
    MESSAGES,
    NUMBERS,
    PROGRAM,
    UNITS,
    Case,
    failures,
    head,
)

__all__ = ["tree"]

#: What messages cost by their size, with each of its numbers in place of a name.
COSTS = (
    "network: {{costs: {{link_bandwidth: {link_bandwidth}, link_latency: {link_latency}, "
    "between_nodes: {{eager_limit: {eager_limit}, one_way: [{first}, "
    "{{size: {size}, time: {time}, byte_time: {byte_time}}}]}}, "
    "loggp: {{latency: {latency}, overhead: {overhead}, gap: {gap}, byte_time: {G}}}}}}}\n"
)
USUAL = {
    "link_bandwidth": "4 GB/s",
    "link_latency": "100 ns",
    "eager_limit": "1 KiB",
    "first": "{size: 0 B, time: 1 us, byte_time: 1 ns}",
    "size": "2 KiB",
    "time": "4 us",
    "byte_time": "1 ns",
    "latency": "1 us",
    "overhead": "1 us",
    "gap": "1 us",
    "G": "1 ns",
}


def nested(name: str) -> dict[str, str]:
    """Experiments by the number that each has within a section that no sweep reaches."""
    found = {}
    for key, usual in USUAL.items():
        for unit in UNITS.get(usual, (usual.split()[1],)) if key != "first" else ():
            for number in NUMBERS:
                case = Case(key, (), head(name, PROGRAM))
                body = case.body().partition("sweep:")[0]
                costs = COSTS.format(**USUAL | {key: f"{number} {unit}"})
                found[f"{key}: {number} {unit}"] = body + costs
    if name == "packet":
        for number in NUMBERS:
            text = head(name, MESSAGES, "dragonfly") + "topology: {p: 1, a: 2, h: 1}\n"
            latency = f"engine: {{packet: {{class_latency_cycles: {{global: {number}}}}}}}\n"
            found[f"global: {number}"] = HEAD + text + latency
    return found


@pytest.mark.slow
@pytest.mark.long("extreme_numbers")
@pytest.mark.parametrize("name", ["flow", "packet", "rdma", "model"])
def test_numbers_within_costs_and_keyed_options_are_refused_or_run(tree: Tree, name: str) -> None:
    cases = nested(name)
    for file in (tree.configs / "experiment").glob("*.yaml"):
        file.unlink()
    for i, body in enumerate(cases.values()):
        tree.write(f"experiment/n{i}.yaml", body)
    refusals = 0
    while errors := mistakes(tree):
        for each in errors:
            number = int(Path(each.file.partition(".yaml")[0]).name.removeprefix("n"))
            written = list(cases)[number]
            key = "byte_time" if written.startswith("G:") else written.partition(":")[0]
            assert key in str(each), f"{written}: {each}"
            (tree.configs / "experiment" / f"n{number}.yaml").unlink(missing_ok=True)
        refusals += len(errors)
    assert refusals
    assert failures(tree, name) == []


def mistakes(tree: Tree) -> list[ConfigError]:
    try:
        load_experiments(tree.configs)
    except ConfigErrors as errors:
        return errors.errors
    return []
