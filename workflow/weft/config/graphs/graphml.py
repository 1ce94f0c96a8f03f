"""GraphML: nodes and edges in XML, as networkx, Gephi and others write them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from xml.parsers import expat

from weft.config.graphs.link_row import LinkRow
from weft.config.graphs.model import GraphProblem, Link, LinkList

#: The attribute of a node that says whether it is a node or a switch of the network.
KIND = "kind"
KINDS = ("node", "switch")
_REFUSED = {"hyperedge": "hyperedges join more than two ends", "port": "ports of GraphML"}


def read_graphml(text: str) -> LinkList:
    """The edges of a GraphML text; names are the `id` of its nodes.

    Attributes of edges have the names of an edge list's columns; others are ignored. Raises
    GraphProblem with the line of the first mistake.
    """
    reader = _Reader()
    parser = expat.ParserCreate(namespace_separator=" ")
    parser.StartElementHandler = lambda name, said: reader.start(name, said, _line(parser))
    parser.EndElementHandler = lambda name: reader.end(name, _line(parser))
    parser.CharacterDataHandler = reader.characters
    parser.EntityDeclHandler = _refuse_entities
    try:
        parser.Parse(text, True)
    except expat.ExpatError as error:
        reason = expat.ErrorString(error.code)
        raise GraphProblem(f"not valid XML: {reason}", error.lineno) from None
    return reader.listed()


def _line(parser: expat.XMLParserType) -> int:
    return parser.CurrentLineNumber


def _refuse_entities(*_: object) -> None:
    raise GraphProblem("entities are not allowed; GraphML needs none")


@dataclass(slots=True)
class _Reader:
    #: By the identifier of a `key`: the attribute's name.
    keys: dict[str, str] = field(default_factory=dict)
    links: list[Link] = field(default_factory=list)
    places: dict[str, int] = field(default_factory=dict)
    kinds: dict[str, str] = field(default_factory=dict)
    directed: bool = False
    is_graphml: bool = False
    #: The node or edge that is open: its attributes and its line.
    said: dict[str, str] = field(default_factory=dict)
    line: int = 0
    #: The attribute whose text is being read.
    attribute: str | None = None

    def start(self, name: str, said: Mapping[str, str], line: int) -> None:
        element = name.rpartition(" ")[2]
        if not self.is_graphml and element != "graphml":
            raise GraphProblem(f"the file begins with <{element}>, must be <graphml>", line)
        self.is_graphml = True
        if element in _REFUSED:
            raise GraphProblem(f"{_REFUSED[element]} are not supported", line)
        if element == "key":
            self.keys[said.get("id", "")] = said.get("attr.name", "")
        elif element == "graph":
            if self.places:
                raise GraphProblem("a file must hold one graph, not nested in another", line)
            self.directed = said.get("edgedefault") == "directed"
        elif element == "node":
            self._open({"id": _needed(said, "id", line)}, line)
        elif element == "edge":
            ends = {"from": _needed(said, "source", line), "to": _needed(said, "target", line)}
            own = said.get("directed", str(self.directed)).lower()
            self._open(ends | {"one_way": own}, line)
        elif element == "data":
            self.attribute = self.keys.get(said.get("key", ""), "")
            self.said[self.attribute] = ""

    def characters(self, text: str) -> None:
        if self.attribute is not None:
            self.said[self.attribute] += text

    def end(self, name: str, line: int) -> None:
        element = name.rpartition(" ")[2]
        if element == "data":
            self.attribute = None
        elif element == "node":
            self._node()
        elif element == "edge":
            self.links.extend(LinkRow(self.said, self.line).links())

    def listed(self) -> LinkList:
        for link in self.links:
            for end in link.ends:
                if end.name not in self.places:
                    raise GraphProblem(f"there is no node with the id '{end.name}'", link.line)
        of = {
            kind: frozenset(name for name, own in self.kinds.items() if own == kind)
            for kind in KINDS
        }
        return LinkList(tuple(self.links), of["node"], of["switch"], tuple(self.places.items()))

    def _open(self, said: dict[str, str], line: int) -> None:
        self.said, self.line = said, line

    def _node(self) -> None:
        name, kind = self.said["id"], self.said.get(KIND, "").strip()
        if name in self.places:
            raise GraphProblem(f"the node '{name}' occurs twice", self.line)
        self.places[name] = self.line
        if kind and kind not in KINDS:
            message = f"{KIND} of '{name}' is '{kind}', must be {' or '.join(KINDS)}"
            raise GraphProblem(message, self.line)
        if kind:
            self.kinds[name] = kind


def _needed(said: Mapping[str, str], name: str, line: int) -> str:
    if not said.get(name):
        raise GraphProblem(f"'{name}' is missing", line)
    return said[name]
