"""GraphML: nodes and edges in XML, as networkx, igraph, Gephi and yEd write them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from xml.parsers import expat

from weft.config.graphs.file_lines import MOST_CHARACTERS
from weft.config.graphs.link_count import MOST_LINKS, LinkCount
from weft.config.graphs.link_row import OPTIONAL, LinkRow
from weft.config.graphs.model import GraphProblem, Link, LinkEnd, LinkList

#: The attribute of a node that says whether it is a node or a switch of the network.
KIND = "kind"
KINDS = ("node", "switch")
#: Attributes of nodes that name them, where all have one and no two the same: igraph and yEd
#: number the `id`.
NAMES = ("name", "label")
_REFUSED = {
    "hyperedge": "hyperedges are not supported; a link joins two ends",
    "port": "ports of GraphML are not supported; edges may have attributes from_port and to_port",
}
#: yEd draws a node in about ten elements below each other.
_MOST_DEPTH = 100
#: Large, because the parser reads what it has of an unfinished tag again with every piece.
_PIECE_BYTES = 4 * 2**20


def read_graphml(path: Path) -> LinkList:
    """The edges of a GraphML file; names are the `id` of its nodes, or what `NAMES` says.

    Attributes of edges have the names of an edge list's columns; others are ignored. Raises
    GraphProblem with the line of the first mistake, and OSError.
    """
    reader = _Reader()
    parser = expat.ParserCreate(namespace_separator=" ")
    parser.StartElementHandler = lambda name, said: reader.start(name, said, _line(parser))
    parser.EndElementHandler = lambda name: reader.end(name, _line(parser))
    parser.CharacterDataHandler = lambda text: reader.characters(text, _line(parser))
    parser.EntityDeclHandler = _refuse_entities
    try:
        for piece in _pieces(path):
            parser.Parse(piece, not piece)
    except expat.ExpatError as error:
        reason = expat.ErrorString(error.code)
        raise GraphProblem(f"not valid XML: {reason}", error.lineno) from None
    except GraphProblem:
        raise
    except (LookupError, ValueError) as error:
        raise GraphProblem(f"its encoding cannot be read: {error}; write it in UTF-8") from None
    return reader.listed()


def _pieces(path: Path) -> Iterator[bytes]:
    """The content, and an empty piece at its end."""
    with path.open("rb") as file:
        while piece := file.read(_PIECE_BYTES):
            yield piece
    yield b""


def _line(parser: expat.XMLParserType) -> int:
    return parser.CurrentLineNumber


def _refuse_entities(*_: object) -> None:
    raise GraphProblem("entities are not allowed; GraphML needs none")


@dataclass(slots=True)
class _Reader:
    #: By the identifier of a `key`: the attribute's name.
    keys: dict[str, str] = field(default_factory=dict)
    #: By `node` and `edge`: what the attributes are where an element does not say them.
    defaults: dict[str, dict[str, str]] = field(default_factory=lambda: {"node": {}, "edge": {}})
    links: list[Link] = field(default_factory=list)
    count: LinkCount = field(default_factory=LinkCount)
    #: By id: the line of the node, and what it says.
    places: dict[str, int] = field(default_factory=dict)
    said_of: dict[str, Mapping[str, str]] = field(default_factory=dict)
    directed: bool = False
    is_graphml: bool = False
    has_graph: bool = False
    #: How many elements are open.
    depth: int = 0
    #: The node or edge that is open, by the names of its attributes, and its line.
    said: dict[str, str] = field(default_factory=dict)
    line: int = 0
    #: The `key` that is open: what it is for, and its attribute.
    key: tuple[str, str] = ("", "")
    #: The attribute whose text is being read.
    attribute: str | None = None

    def start(self, name: str, said: Mapping[str, str], line: int) -> None:
        element = name.rpartition(" ")[2]
        if not self.is_graphml and element != "graphml":
            raise GraphProblem(f"the file begins with <{element[:60]}>, must be <graphml>", line)
        self.is_graphml = True
        self.depth += 1
        if self.depth > _MOST_DEPTH:
            raise GraphProblem(f"elements are nested more than {_MOST_DEPTH} deep", line)
        if element in _REFUSED:
            raise GraphProblem(_REFUSED[element], line)
        if element == "key":
            self.key = said.get("for", "all"), said.get("attr.name", "")
            self.keys[said.get("id", "")] = self.key[1]
        elif element == "default":
            self._read(self.key[1])
        elif element == "graph":
            if self.has_graph:
                raise GraphProblem("a file must hold one graph, not nested in another", line)
            self.has_graph, self.directed = True, said.get("edgedefault") == "directed"
        elif element == "node":
            self.said, self.line = {**self.defaults["node"], "id": _needed(said, "id", line)}, line
        elif element == "edge":
            ends = {"from": _needed(said, "source", line), "to": _needed(said, "target", line)}
            own = said.get("directed", str(self.directed)).lower()
            self.said, self.line = {"one_way": own, **self.defaults["edge"], **ends}, line
        elif element == "data":
            self._read(self.keys.get(said.get("key", ""), ""))
        elif element == "NodeLabel":
            # yEd keeps labels in its drawing of a node.
            self._read("label")

    def characters(self, text: str, line: int) -> None:
        if self.attribute is None:
            return
        self.said[self.attribute] += text
        if len(self.said[self.attribute]) > MOST_CHARACTERS:
            raise GraphProblem(_too_long(self.attribute), line)

    def end(self, name: str, line: int) -> None:
        element = name.rpartition(" ")[2]
        self.depth -= 1
        if element == "default":
            self._default()
        elif element == "node":
            self._node()
            self.said = {}
        elif element == "edge":
            links = LinkRow(self.said, self.line).links()
            self.count.add(links)
            self.links.extend(links)
            self.said = {}
        if element in ("data", "default", "NodeLabel"):
            self.attribute = None

    def listed(self) -> LinkList:
        for link in self.links:
            for end in link.ends:
                if end.name not in self.places:
                    raise GraphProblem(f"there is no node with the id '{end.name}'", link.line)
        names = self._names()
        of = {
            kind: frozenset(
                names[each] for each, said in self.said_of.items() if _kind(said) == kind
            )
            for kind in KINDS
        }
        links = tuple(
            replace(
                link,
                start=LinkEnd(names[link.start.name], link.start.port),
                end=LinkEnd(names[link.end.name], link.end.port),
            )
            for link in self.links
        )
        places = tuple((names[each], line) for each, line in self.places.items())
        return LinkList(links, of["node"], of["switch"], places)

    def _names(self) -> Mapping[str, str]:
        """By id: the name of the node."""
        for attribute in NAMES:
            found = {each: said.get(attribute, "").strip() for each, said in self.said_of.items()}
            if all(found.values()) and len({*found.values()}) == len(found):
                return found
        return {each: each for each in self.said_of}

    def _read(self, attribute: str) -> None:
        """Read the text that follows, if the attribute means something."""
        if attribute in (KIND, *NAMES, *OPTIONAL):
            self.attribute, self.said[attribute] = attribute, ""

    def _default(self) -> None:
        goes_to, attribute = self.key
        for element, own in self.defaults.items():
            if self.attribute is not None and goes_to in (element, "all"):
                own[attribute] = self.said[attribute]

    def _node(self) -> None:
        name, kind = self.said["id"], _kind(self.said)
        if name in self.places:
            raise GraphProblem(f"the node '{name}' occurs twice", self.line)
        if len(self.places) == MOST_LINKS:
            raise GraphProblem(f"more than {MOST_LINKS:,} nodes, the most of a file", self.line)
        if kind and kind not in KINDS:
            message = f"{KIND} of '{name}' is '{kind}', must be {' or '.join(KINDS)}"
            raise GraphProblem(message, self.line)
        self.places[name], self.said_of[name] = self.line, self.said


def _kind(said: Mapping[str, str]) -> str:
    return said.get(KIND, "").strip()


def _needed(said: Mapping[str, str], name: str, line: int) -> str:
    if not said.get(name):
        raise GraphProblem(f"'{name}' is missing", line)
    if len(said[name]) > MOST_CHARACTERS:
        raise GraphProblem(_too_long(name), line)
    return said[name]


def _too_long(name: str) -> str:
    return f"'{name}' has more than {MOST_CHARACTERS:,} characters"
