"""The form of a graph that simulators read, and its digest, which identifies the network."""

from __future__ import annotations

import json
from hashlib import sha256

from weft.config.graphs.model import Graph
from weft.config.graphs.route_model import RouteNumbers

SCHEMA = 1


def canonical(graph: Graph, routes: RouteNumbers | None = None) -> str:
    """The graph as JSON: names, and one list for each property of the channels and of the routes.

    The text depends on the network alone, not on the format or the order of the file.
    """
    channels = graph.channels
    columns: dict[str, list[object]] = {
        "from": [each.start for each in channels],
        "from_port": [each.start_port for each in channels],
        "to": [each.end for each in channels],
        "to_port": [each.end_port for each in channels],
        "bandwidth_bytes_per_s": [each.bandwidth_bytes_per_s for each in channels],
        "latency_s": [each.latency_s for each in channels],
        "class": [each.channel_class for each in channels],
        "name": [each.name for each in channels],
    }
    said = {
        name: values
        for name, values in columns.items()
        if any(value is not None for value in values)
    }
    whole: dict[str, object] = {
        "schema": SCHEMA,
        "nodes": list(graph.nodes),
        "switches": list(graph.switches),
        "channels": said,
    }
    if graph.rails:
        whole["rails"] = list(graph.rails)
    if routes is not None:
        # One class: tables by which packets could deadlock in it are refused (`check_circles`).
        classes = [0] * len(routes.ports)
        entries = {"router": routes.switches, "node": routes.nodes, "port": routes.ports}
        whole["routes"] = {"by": "destination", **entries, "class": classes}
    return json.dumps(whole, ensure_ascii=False, separators=(",", ":")) + "\n"


def digest(text: str) -> str:
    """SHA-256 of a canonical text, in hex digits."""
    return sha256(text.encode()).hexdigest()
