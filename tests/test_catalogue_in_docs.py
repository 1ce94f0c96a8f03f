"""Tables of the documents that repeat the catalogue say what it says."""

import re
from pathlib import Path

import pytest
from weft.config.model.catalogue import CATALOGUE, METRIC_UNITS, Routing, TopologyEntry
from weft.tables.metrics import of_each_job

DOCS = Path(__file__).parents[1] / "docs"
#: Number of nodes for which a pattern means something, as the documents put it.
NODES = {
    "nothing": ("any", "as "),
    "power_of_two": ("power of two",),
    "even_power_of_two": ("4, 16, 64, …",),
    "digits": ("where there are digits",),
    "file": ("what the file needs",),
}


def table(page: str, first: str) -> list[list[str]]:
    """The rows of the table whose header begins with `first`, without quotes of code."""
    lines = iter((DOCS / page).read_text().splitlines())
    next(line for line in lines if line.startswith(f"| {first} |"))
    next(lines)
    rows = []
    for line in lines:
        if not line.startswith("|"):
            break
        rows.append([cell.strip() for cell in line.strip("|").split("|")])
    return rows


def test_the_table_of_patterns() -> None:
    rows = {name.strip("`"): (receiver, nodes) for name, receiver, nodes in
            table("workloads.md", "`pattern`")}  # fmt: skip
    assert rows.keys() == {each.name for each in CATALOGUE.patterns}
    for pattern in CATALOGUE.patterns:
        receiver, nodes = rows[pattern.name]
        assert receiver.startswith(pattern.receiver), pattern.name
        assert nodes.startswith(NODES[pattern.needs]), pattern.name


def test_the_table_of_kinds_names_the_simulators_that_answer() -> None:
    rows = table("workloads.md", "`kind`")
    assert [row[0].strip("`") for row in rows] == CATALOGUE.workloads.kinds
    for kind, *_, engines in rows:
        answering = {name for name, each in CATALOGUE.engines.items() if kind[1:-1] in each.answers}
        assert {name for name in CATALOGUE.engines if f"`{name}`" in engines} == answering


def test_the_table_of_topologies_names_every_key() -> None:
    rows = {kind.strip("`"): keys for kind, keys, *_ in table("topologies.md", "`topology`")}
    assert rows.keys() == {each.kind for each in CATALOGUE.topologies}
    for topology in CATALOGUE.topologies:
        # The torus has the keys of the mesh, and more.
        said = rows[topology.kind].replace("as `mesh`", rows["mesh"])
        assert {key.name for key in topology.keys} == set(re.findall(r"`(\w+)`", said))


def test_a_metric_of_several_simulators_has_one_unit() -> None:
    metrics = [metric for each in CATALOGUE.engines.values() for metric in each.metrics]
    names = {(n, each.unit) for each in metrics for n in (each.name, *of_each_job(each.name))}
    assert names == set(METRIC_UNITS.items())


ROUTINGS = [(each, routing) for each in CATALOGUE.topologies for routing in each.routings]


def routing_rows() -> list[list[str]]:
    return table("topologies.md", "`topology` | `routing`")


def test_the_table_of_routings_is_complete() -> None:
    kind, found = "", []
    for first, name, *_ in routing_rows():
        kind = first.strip("`") or kind
        always = name.removesuffix(", always").replace(" ", "_")
        found.append((kind, name.strip("`") if name.startswith("`") else always))
    assert found == [(topology.kind, routing.name) for topology, routing in ROUTINGS]


@pytest.mark.parametrize("number", range(len(ROUTINGS)), ids=[r.name for _, r in ROUTINGS])
def test_a_routing_is_what_the_catalogue_says(number: int) -> None:
    topology, routing = ROUTINGS[number]
    _, _, way, classes, flow = routing_rows()[number]
    assert way == routing.way
    assert classes.startswith(str(routing.classes))
    assert ("wait_for_tail_credit" in classes) == routing.needs_own_buffers
    assert all(f"`{each.name}`" in classes for each in topology.ring_classes[1:])
    assert (flow == "yes") == answered_by_flow(topology, routing)


def answered_by_flow(topology: TopologyEntry, routing: Routing) -> bool:
    supports = CATALOGUE.engines["flow"].supports
    chosen = routing.name in supports["topology.routing"] or not topology.has_routing_key
    return topology.kind in supports["topology.kind"] and chosen
