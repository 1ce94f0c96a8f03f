"""Topologies that a file describes: graphs."""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar

from pydantic import PrivateAttr, model_validator

from weft.config.graphs.circles import check_circles
from weft.config.graphs.naming import NodeRule
from weft.config.graphs.read import ReadGraph, read_graph, read_routes
from weft.config.graphs.wide import check_width
from weft.config.language.errors import unknown
from weft.config.model.failures_on_graphs import graph_problem
from weft.config.model.links import LinkEntry, graph_link_problem
from weft.config.model.topology_base import Topology


class FromFile(Topology):
    """Base of topologies that a file describes; `reading` gives them their nodes."""

    of_file: ClassVar[bool] = True

    file: str
    node_names: list[str] | None = None
    nodes_per_switch: int | None = None
    routing: str
    routes: str | None = None
    rails: str
    _read: ReadGraph | None = PrivateAttr(None)

    @model_validator(mode="after")
    def _one_rule_for_nodes(self) -> FromFile:
        if self.node_names is not None and self.nodes_per_switch is not None:
            raise ValueError("give either node_names or nodes_per_switch")
        if (self.routing == "table") != (self.routes is not None):
            raise ValueError("routing: table and the key routes, a file, belong together")
        return self

    @property
    def node_count(self) -> int:
        """Number of nodes; 0 before the file was read."""
        return 0 if self._read is None else len(self._read.graph.hosts)

    def reading(self, root: Path) -> FromFile:
        """The same with what the file says; its path counts from `root`.

        Raises GraphProblem, without the name of the file, and OSError.
        """
        rule = NodeRule(tuple(self.node_names or ()), self.nodes_per_switch)
        copy = self.model_copy()
        copy._read = read_graph(root / self.file, rule)
        return copy

    @property
    def rails_problem(self) -> str | None:
        """What is wrong with `rails`, once the file was read."""
        if "rails" not in self.model_fields_set or self._read is None or self._read.graph.rails:
            return None
        return (
            f"no node of {self.file} has several links, so there is nothing to choose: leave out "
            "rails, or give the file a line for each link of a node"
        )

    @property
    def root_problem(self) -> str | None:
        """What is wrong with `root`, once the file was read."""
        root: str | None = getattr(self, "root", None)
        if root is None or self._read is None or root in self._read.graph.switches:
            return None
        return unknown("switch", root, self._read.graph.switches)

    @property
    def failure_problem(self) -> str | None:
        """What is wrong with `failed`, once the file was read."""
        if self._read is None or self.failures is None:
            return None
        return graph_problem(self._read.graph, self.failures)

    @property
    def links_problem(self) -> str | None:
        """What is wrong with `links`, once the file was read."""
        links: list[LinkEntry] = getattr(self, "links", [])
        if self._read is None or not links:
            return None
        graph = self._read.graph
        hops = list(graph.between_switches())
        classes = {each.channel_class for each in hops}
        return graph_link_problem(classes, [each.name for each in hops], len(graph.nodes), links)

    def check_width(self, most_links: int, most_nodes: int, whose: str) -> None:
        """Raises GraphProblem for a switch that no router of `whose` can be, once it was read."""
        if self._read is not None:
            check_width(self._read.graph, most_links, most_nodes, whose)

    def check_circles(self, whose: str) -> None:
        """Raises GraphProblem for a table by which packets of `whose` can deadlock, once it was
        read."""
        if self._read is not None:
            check_circles(self._read, whose)

    def routed(self, root: Path) -> FromFile:
        """The same, which was read, with the routes of its other file, if it has one.

        Raises GraphProblem, without the name of the file, and OSError.
        """
        if self._read is None or self.routes is None:
            return self
        copy = self.model_copy()
        copy._read = read_routes(self._read, root / self.routes)
        return copy

    def spec(self) -> dict[str, object]:
        """As the base class; the digest of what simulators read names the network."""
        found = super().spec()
        if self._read is None:
            return found
        if self._read.graph.rails:
            found["rails"] = self.rails
        return {**found, "sha256": self._read.sha256}
