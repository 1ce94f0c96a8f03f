"""What all topologies have in common: nodes, links of their own, failures."""

from __future__ import annotations

from typing import Any, ClassVar

from pydantic import ValidationInfo, field_validator, model_validator

from weft.config.language.formula import value_of
from weft.config.language.section import Settings
from weft.config.model.catalogue import CATALOGUE, TopologyEntry
from weft.config.model.failures import AROUND, Failed, catalogue_problem, routing_problem
from weft.config.model.links import LinkEntry, link_problem, specs


class Topology(Settings):
    """Base of all topologies."""

    entry: ClassVar[TopologyEntry]
    #: Whether only a file says which nodes and links there are.
    of_file: ClassVar[bool] = False

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
        # All other keys stand before this one; if one of them is wrong, the links are unknown.
        # Only its file says which channels a graph has.
        if cls.of_file:
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
        if not cls.of_file:
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
