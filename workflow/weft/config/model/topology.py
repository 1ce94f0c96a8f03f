"""Topologies: models of what the catalogue says of each, made from its keys."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import (
    AfterValidator,
    BeforeValidator,
    ConfigDict,
    Field,
    ValidationInfo,
    create_model,
    field_validator,
)

from weft.config.language.section import ProjectFile
from weft.config.model.catalogue import CATALOGUE, Key, TopologyEntry
from weft.config.model.failures import (
    AROUND,
    Failed,
)
from weft.config.model.links import (
    LinkEntry,
    Slower,
)
from weft.config.model.topology_base import Topology
from weft.config.model.topology_from_file import FromFile

Count = Annotated[int, Field(ge=1)]
#: 2 to the power of more than these is more than the most nodes.
_MOST_DIMENSIONS = CATALOGUE.most_nodes.bit_length() - 1


#: Nodes of the smallest network.
_FEWEST = 2


class Grid(Topology):
    """Base of mesh and torus: either k and dimensions, or the size of each dimension."""

    # Also of `sizes` that are not given, and beside mistakes in other keys.
    model_config = ConfigDict(validate_default=True)

    @field_validator("sizes", check_fields=False)
    @classmethod
    def _is_said_once(cls, sizes: list[int] | None, info: ValidationInfo) -> list[int] | None:
        # The other two stand before this one; a wrong k is absent.
        if sizes is None and info.data.get("k", 0) is None:
            raise ValueError("this key is required, or k (and dimensions)")
        given = [key for key in ("k", "dimensions") if info.data.get(key) is not None]
        if sizes is not None and given:
            raise ValueError(
                f"sizes stand for k and dimensions; leave out {' and '.join(given)}, or sizes"
            )
        return sizes

    def values(self) -> dict[str, object]:
        """As the base class; regular grids have k, dimensions and sizes, others only sizes."""
        found = super().values()
        sizes = found["sizes"] or [found["k"]] * (found["dimensions"] or 2)
        if len(sizes) > _MOST_DIMENSIONS:
            raise ValueError(f"the topology has more than {CATALOGUE.most_nodes:,} nodes")
        regular = (sizes[0], len(sizes)) if len(set(sizes)) == 1 else (None, None)
        return found | {"sizes": sizes, "k": regular[0], "dimensions": regular[1]}


_AROUND = (
    "The topology's own, `{}`, unless given; or a routing of graphs, which also routes around "
    "failures."
)
_FAILED = "Links and switches that failed; needs one of the routings of graphs."
_LINKS = "Links whose bandwidth or latency differs from that of the network."
_LINKS_OF_A_FILE = (
    "Links whose bandwidth or latency differs from the file; an entry replaces both values."
)
_TAPER = (
    "How many times slower than the network the links between switches, or between groups of "
    "routers, are: 2 is 2:1 oversubscription."
)


def _not_alone(nodes: object) -> object:
    """One rank runs on a network of two nodes, and so do many ranks of one node."""
    if nodes == 1:
        raise ValueError(
            f"a network has {_FEWEST} nodes or more; with workload.ranks: 1, or with rank_to_node:"
            " block and ranks_per_node of the engine, the others stay idle"
        )
    return nodes


def _field(key: Key) -> tuple[object, object]:
    """Type of a key and what Pydantic shall know of it."""
    # With one of them larger, there would be more nodes.
    most = CATALOGUE.most_nodes if key.maximum is None else key.maximum
    number = Annotated[int, Field(ge=key.minimum, le=most)]
    kinds: dict[str, Any] = {
        "integer": number,
        "integers": Annotated[list[number], Field(min_length=1)],
        "choice": Literal[tuple(key.allowed)],
        "file": Annotated[str, ProjectFile()],
        "text": str,
        "texts": Annotated[list[str], Field(min_length=1)],
    }
    kind = kinds[key.type]
    if key.default == "required":
        own = Field(description=key.meaning)
        alone = key.name == "nodes" and key.minimum == _FEWEST
        return (Annotated[kind, BeforeValidator(_not_alone)] if alone else kind), own
    optional = kind if key.value is not None else kind | None
    return optional, Field(key.value, description=key.meaning)


def _routing(entry: TopologyEntry) -> tuple[object, object]:
    """Its own routings, if an experiment chooses among them, and those of graphs."""
    key = next((key for key in entry.keys if key.name == "routing"), None)
    if key is None:
        only = entry.routings[0].name
        # Its name and no name are one question, so that both find the same answers.
        unnamed = AfterValidator(lambda name: None if name == only else name)
        own = Field(None, description=_AROUND.format(only))
        return Annotated[Literal[(only, *AROUND)] | None, unnamed], own
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
