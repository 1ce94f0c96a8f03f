"""Failures of a graph: names and numbers that it lacks, and nodes that are cut off."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import chain

from weft.config.graphs.connected import check_connected
from weft.config.graphs.model import Graph, GraphChannel, GraphProblem
from weft.config.language.errors import unknown
from weft.config.model.failures import Failed

Cable = frozenset[tuple[int, int]]


def graph_problem(graph: Graph, failed: Failed) -> str | None:
    """What is wrong with failures on a graph; None if nothing.

    Of links that are drawn only the simulators know whether they cut the network.
    """
    problem = next(chain(_counts(graph, failed), _names(graph, failed)), None)
    if problem is not None or failed.links_drawn or failed.switches_drawn:
        return problem
    gone = set(_named(graph, failed))
    left = [each for each in graph.channels if _cable(each) not in gone]
    try:
        check_connected(replace(graph, channels=left))
    except GraphProblem as error:
        return f"without these links and switches {str(error).partition(': ')[2]}"
    return None


def _counts(graph: Graph, failed: Failed) -> Iterator[str]:
    cables = {_cable(each) for each in graph.between_switches()}
    if failed.links_drawn > len(cables):
        most = f"at most {len(cables)}: as many links join two switches"
        yield f"links is {failed.links_drawn}, must be {most}"
    free = len(graph.switches) - len({*_with_nodes(graph)})
    if failed.switches_drawn > free:
        most = f"at most {free}: as many switches have no node"
        yield f"switches is {failed.switches_drawn}, must be {most}"


def _names(graph: Graph, failed: Failed) -> Iterator[str]:
    with_nodes = _with_nodes(graph)
    channels = [each.name for each in graph.between_switches()]
    for switch in failed.switches_named:
        if switch not in graph.switches:
            yield unknown("switch", str(switch), graph.switches)
        elif node := with_nodes.get(str(switch)):
            other = next((each for each in graph.nodes if each != node), node)
            yield f"without {switch} no path leads from its node {node} to {other}"
    for link in failed.links_named:
        if isinstance(link, str):
            if link not in channels:
                yield unknown("link", link, channels)
            continue
        strange = [end for end in link if end not in graph.switches]
        if strange:
            yield unknown("switch", strange[0], graph.switches)
        elif not any(_joins(graph, each, link) for each in graph.between_switches()):
            yield f"no link joins {link[0]} and {link[1]}"


def _named(graph: Graph, failed: Failed) -> Iterator[Cable]:
    for each in graph.between_switches():
        ends = {_switch(graph, each.start), _switch(graph, each.end)}
        links = failed.links_named
        is_named = any(
            each.name == link if isinstance(link, str) else ends == {*link} for link in links
        )
        if is_named or ends.intersection(map(str, failed.switches_named)):
            yield _cable(each)


def _cable(channel: GraphChannel) -> Cable:
    """Both directions have the same ends and ports."""
    return frozenset(
        [(channel.start, channel.start_port), (channel.end, channel.end_port)],
    )


def _joins(graph: Graph, channel: GraphChannel, link: list[str]) -> bool:
    return {_switch(graph, channel.start), _switch(graph, channel.end)} == {*link}


def _switch(graph: Graph, number: int) -> str:
    return graph.switches[number - len(graph.nodes)]


def _with_nodes(graph: Graph) -> dict[str, str]:
    """A node of each switch that has one."""
    first = len(graph.nodes)
    found = {c.end: graph.nodes[c.start] for c in graph.channels if c.start < first}
    return {_switch(graph, switch): node for switch, node in found.items()}
