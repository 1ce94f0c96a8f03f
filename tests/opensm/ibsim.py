"""Graphs in the format of `ibsim`, which simulates InfiniBand fabrics for OpenSM and its tools."""

from __future__ import annotations

from collections import defaultdict

from weft.config.graphs.model import Graph, GraphProblem


def ibsim_fabric(graph: Graph) -> str:
    """The fabric as text. Ports of the graph count from 0, those of the text from 1.

    Raises GraphProblem for a channel without one back between the same ports.
    """
    names = [*graph.nodes, *graph.switches]
    lines: dict[int, dict[int, str]] = defaultdict(dict)
    wired = {(each.start, each.start_port, each.end, each.end_port) for each in graph.channels}
    for each in graph.channels:
        if (each.end, each.end_port, each.start, each.start_port) not in wired:
            raise GraphProblem(f"the link {each.name} leads one way; InfiniBand's lead both ways")
        port, peer_port = each.start_port + 1, each.end_port + 1
        lines[each.start][port] = f'[{port}] "{names[each.end]}"[{peer_port}]'
    texts = []
    for number, name in enumerate(names):
        ports = lines[number]
        kind = "Hca" if number < len(graph.nodes) else "Switch"
        texts += [f'{kind} {max(ports)} "{name}"', *(ports[port] for port in sorted(ports)), ""]
    return "\n".join(texts)
