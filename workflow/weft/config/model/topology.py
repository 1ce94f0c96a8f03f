"""Topologies: models of what the catalogue says of each, made from its keys."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal

from pydantic import (
    Field,
    PrivateAttr,
    ValidationInfo,
    create_model,
    field_validator,
    model_validator,
)

from weft.config.graphs.naming import NodeRule
from weft.config.graphs.read import ReadGraph, read_graph, read_routes
from weft.config.graphs.wide import check_width
from weft.config.language.errors import unknown
from weft.config.language.formula import value_of
from weft.config.language.section import Settings
from weft.config.model.catalogue import CATALOGUE, Key, TopologyEntry
from weft.config.model.failures import (
    AROUND,
    Failed,
    catalogue_problem,
    routing_problem,
)
from weft.config.model.failures_on_graphs import graph_problem
from weft.config.model.links import (
    LinkEntry,
    Slower,
    graph_link_problem,
    link_problem,
    specs,
)

Count = Annotated[int, Field(ge=1)]
#: 2 to the power of more than these is more than the most nodes.
_MOST_DIMENSIONS = CATALOGUE.most_nodes.bit_length() - 1


class Topology(Settings):
    """Base of all topologies."""

    entry: ClassVar[TopologyEntry]

    def values(self) -> dict[str, Any]:
        """Its keys; those that were not given follow from others."""
        found = {key.name: getattr(self, key.name) for key in self.entry.keys}
        for key in self.entry.keys:
            if found[key.name] is None and key.formula is not None:
                found[key.name] = value_of(key.formula, found)
        return found

    @property
    def node_count(self) -> int:
        """Number of nodes."""
        return value_of(self.entry.nodes, self.values())

    @model_validator(mode="after")
    def _not_endless(self) -> Topology:
        if self.node_count > CATALOGUE.most_nodes:
            raise ValueError(f"the topology has more than {CATALOGUE.most_nodes:,} nodes")
        return self

    @field_validator("links", check_fields=False)
    @classmethod
    def _links_are_there(cls, links: list[LinkEntry], info: ValidationInfo) -> list[LinkEntry]:
        # All other keys stand before this one; where one of them is wrong, nobody knows the links.
        # Only its file says which channels a graph has.
        if issubclass(cls, FromFile):
            return links
        if links and all(key in info.data for key in cls.model_fields if key != "links"):
            topology = cls.model_construct(**info.data)
            known = {**topology.values(), "nodes": topology.node_count}
            if problem := link_problem(cls.entry, known, links, topology.tapered):
                raise ValueError(problem)
        return links

    @field_validator("failed", check_fields=False)
    @classmethod
    def _failures_are_there(cls, failed: Failed | None, info: ValidationInfo) -> Failed | None:
        others = [key for key in cls.model_fields if key not in ("failed", "links", "taper")]
        if failed is None or not all(key in info.data for key in others):
            return failed
        if problem := routing_problem(info.data.get("routing")):
            raise ValueError(problem)
        if not issubclass(cls, FromFile):
            topology = cls.model_construct(**info.data)
            known = {**topology.values(), "nodes": topology.node_count}
            if problem := catalogue_problem(cls.entry, known, failed):
                raise ValueError(problem)
        return failed

    @property
    def failures(self) -> Failed | None:
        """What failed."""
        found: Failed | None = getattr(self, "failed", None)
        return found

    @property
    def tapered(self) -> float:
        """How many times slower the links are that `taper` is about."""
        return float(getattr(self, "taper", 1.0))

    def spec(self) -> dict[str, object]:
        """As the base class, with the keys that follow from others and the number of nodes."""
        found = {"kind": self.entry.kind, **self.values(), "nodes": self.node_count}
        unsaid = {
            key.name for key in self.entry.keys if key.unsaid and found[key.name] == key.value
        }
        # Links that are all alike leave no trace.
        taper: dict[str, object] = {"taper": self.tapered} if self.tapered != 1 else {}
        own: list[LinkEntry] = getattr(self, "links", [])
        links: dict[str, object] = {"links": specs(own)} if own else {}
        plain = {
            key: value for key, value in found.items() if value is not None and key not in unsaid
        }
        around: dict[str, object] = {}
        if (routing := getattr(self, "routing", None)) in AROUND:
            around["routing"] = routing
        if self.failures is not None:
            around["failed"] = self.failures.spec()
        return plain | taper | links | around


class Grid(Topology):
    """Base of mesh and torus: either k and dimensions, or the size of each dimension."""

    @model_validator(mode="before")
    @classmethod
    def _one_way_to_say_it(cls, given: object) -> object:
        if not isinstance(given, dict):
            return given
        by_k, by_sizes = given.get("k") is not None, given.get("sizes") is not None
        if by_k == by_sizes:
            raise ValueError("give either k (and dimensions) or sizes")
        if by_sizes and given.get("dimensions") is not None:
            raise ValueError("sizes say how many dimensions there are; leave out dimensions")
        return given

    def values(self) -> dict[str, object]:
        """As the base class; regular grids have k, dimensions and sizes, others only sizes."""
        found = super().values()
        sizes = found["sizes"] or [found["k"]] * (found["dimensions"] or 2)
        if len(sizes) > _MOST_DIMENSIONS:
            raise ValueError(f"the topology has more than {CATALOGUE.most_nodes:,} nodes")
        regular = (sizes[0], len(sizes)) if len(set(sizes)) == 1 else (None, None)
        return found | {"sizes": sizes, "k": regular[0], "dimensions": regular[1]}


class FromFile(Topology):
    """Base of topologies that a file describes; `reading` gives them their nodes."""

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
        return f"no node of {self.file} has several links"

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


_AROUND = "Instead of the topology's own routing, one of graphs: it goes round failures, too."
_FAILED = "Links and switches that failed; needs one of the routings of graphs."
_LINKS = "Links whose bandwidth or latency differs from that of the network."
_LINKS_OF_A_FILE = (
    "Links whose bandwidth or latency is another one than in the file; an entry replaces both."
)
_TAPER = (
    "How many times slower than the network the links between switches, or between groups of "
    "routers, are: 2 is 2:1 oversubscription."
)


def _field(key: Key) -> tuple[object, object]:
    """Type of a key and what Pydantic shall know of it."""
    number = Annotated[int, Field(ge=key.minimum, le=key.maximum)]
    kinds: dict[str, Any] = {
        "integer": number,
        "integers": Annotated[list[number], Field(min_length=1)],
        "choice": Literal[tuple(key.allowed)],
        "file": str,
        "text": str,
        "texts": Annotated[list[str], Field(min_length=1)],
    }
    kind = kinds[key.type]
    if key.default == "required":
        return kind, Field(description=key.meaning)
    optional = kind if key.value is not None else kind | None
    return optional, Field(key.value, description=key.meaning)


def _routing(entry: TopologyEntry) -> tuple[object, object]:
    """Its own routings, if an experiment chooses among them, and those of graphs."""
    key = next((key for key in entry.keys if key.name == "routing"), None)
    if key is None:
        return Literal[AROUND] | None, Field(None, description=_AROUND)
    return Literal[(*key.allowed, *AROUND)], Field(key.value, description=key.meaning)


def _model(entry: TopologyEntry) -> type[Topology]:
    # Where one key may take the place of others, a base checks the choice among them.
    is_file = any(key.type == "file" for key in entry.keys)
    is_grid = not is_file and any(key.default == "nothing" for key in entry.keys)
    fields: dict[str, Any] = {"kind": (Literal[entry.kind], ...)}
    fields |= {key.name: _field(key) for key in entry.keys}
    if not is_file:
        fields["routing"] = _routing(entry)
    fields["failed"] = Failed | None, Field(None, description=_FAILED)
    if entry.tapered:
        fields["taper"] = Slower, Field(1.0, description=_TAPER)
    links = _LINKS_OF_A_FILE if is_file else _LINKS
    fields["links"] = list[LinkEntry], Field([], description=links)
    base = FromFile if is_file else Grid if is_grid else Topology
    name = entry.kind.title().replace("_", "")
    model = create_model(name, __base__=base, __doc__=entry.meaning, **fields)
    model.entry = entry
    return model


TOPOLOGIES: dict[str, type[Topology]] = {each.kind: _model(each) for each in CATALOGUE.topologies}
