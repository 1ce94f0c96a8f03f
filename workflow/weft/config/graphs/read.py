"""Reads a graph file of any format, once as long as it does not change."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from weft.config.graphs.build import build
from weft.config.graphs.canonical import canonical, digest
from weft.config.graphs.edge_list import read_edge_list
from weft.config.graphs.file_lines import check_size, file_lines
from weft.config.graphs.graphml import read_graphml
from weft.config.graphs.iblinkinfo import read_iblinkinfo
from weft.config.graphs.ibnetdiscover import read_ibnetdiscover
from weft.config.graphs.lfts import read_lfts
from weft.config.graphs.link_count import counted_rows
from weft.config.graphs.model import Graph, GraphProblem, LinkList
from weft.config.graphs.naming import NodeRule
from weft.config.graphs.route_list import read_route_list
from weft.config.graphs.route_model import RouteNumbers
from weft.config.graphs.route_table import routes_of

_FORMATS = (
    "an edge list (.csv), GraphML (.graphml), or what ibnetdiscover or iblinkinfo print (.txt)"
)
_TABLES = "a table of routes (.csv), or what dump_fts prints (.txt)"


@dataclass(frozen=True, slots=True, eq=False)
class ReadGraph:
    """A graph with its canonical text and the digest of it, and its routes if a file gives them."""

    graph: Graph
    text: str
    sha256: str
    routes: RouteNumbers | None = None


def read_graph(path: Path, rule: NodeRule) -> ReadGraph:
    """The graph of the file.

    Raises GraphProblem, without the name of the file, and OSError.
    """
    stamp = path.stat()
    return _read(path, rule, stamp.st_mtime_ns, stamp.st_size)


@lru_cache(maxsize=16)
def _read(path: Path, rule: NodeRule, _changed: int, size: int) -> ReadGraph:
    graph = build(_listed(path, size), rule)
    text = canonical(graph)
    return ReadGraph(graph, text, digest(text))


def read_routes(read: ReadGraph, path: Path) -> ReadGraph:
    """The graph with the routes of the file, a table (.csv) or what `dump_fts` prints.

    Raises GraphProblem about the file, without its name, and OSError.
    """
    stamp = path.stat()
    return _routed(read, path, stamp.st_mtime_ns, stamp.st_size)


@lru_cache(maxsize=16)
def _routed(read: ReadGraph, path: Path, _changed: int, size: int) -> ReadGraph:
    reader = read_route_list if _ending(path) == ".csv" else read_lfts
    check_size(size)
    routes = routes_of(read.graph, reader(file_lines(path, _TABLES)))
    text = canonical(read.graph, routes)
    return ReadGraph(read.graph, text, digest(text), routes)


def _listed(path: Path, size: int) -> LinkList:
    check_size(size)
    if _ending(path) in (".graphml", ".xml"):
        return read_graphml(path)
    lines = file_lines(path, _FORMATS)
    if _ending(path) == ".csv":
        return read_edge_list(counted_rows(lines, path))
    return _reader(lines)(file_lines(path, _FORMATS))


def _ending(path: Path) -> str:
    """In lower case: some systems write LINKS.CSV."""
    return path.suffix.lower()


def _reader(lines: Iterable[str]) -> Callable[[Iterable[str]], LinkList]:
    """That of the tool which printed the lines."""
    for line in lines:
        if "==>" in line:
            return read_iblinkinfo
        if "Topology file" in line or "switchguid=" in line:
            return read_ibnetdiscover
    raise GraphProblem(f"the format is not known; a file must hold {_FORMATS}")
