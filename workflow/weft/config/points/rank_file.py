"""Tables that say which rank runs on which node: read before anything runs."""

from __future__ import annotations

import csv
from pathlib import Path

COLUMNS = ["rank", "node"]


def rank_file_problem(
    root: Path, file: str, ranks: int, nodes: int, ranks_per_node: int
) -> str | None:
    """What is wrong with the table for `ranks` ranks on `nodes` nodes, or None."""
    path = root / file
    try:
        with path.open(newline="", encoding="utf-8-sig") as lines:
            rows = list(csv.reader(lines))
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        return f"{file} cannot be read: {error}"
    if not rows or [name.strip() for name in rows[0]] != COLUMNS:
        return f"{file} line 1: the columns must be rank,node"
    node_of: dict[int, int] = {}
    count: dict[int, int] = {}
    for line, row in enumerate(rows[1:], start=2):
        if not row:
            continue
        pair = _pair(row)
        if pair is None:
            return f"{file} line {line}: expected a rank and a node, like 3,17; got {','.join(row)}"
        rank, node = pair
        if not 0 <= rank < ranks:
            return f"{file} line {line}: rank is {rank}, ranks are 0 to {ranks - 1}"
        if not 0 <= node < nodes:
            return f"{file} line {line}: node is {node}, nodes are 0 to {nodes - 1}"
        if rank in node_of:
            return f"{file} line {line}: rank {rank} already has a node"
        node_of[rank] = node
        count[node] = count.get(node, 0) + 1
        if count[node] > ranks_per_node:
            return (
                f"{file} line {line}: node {node} has {count[node]} ranks, ranks_per_node is "
                f"{ranks_per_node}"
            )
    lacking = next((rank for rank in range(ranks) if rank not in node_of), None)
    return None if lacking is None else f"{file}: rank {lacking} has no node"


def _pair(row: list[str]) -> tuple[int, int] | None:
    try:
        rank, node = (int(cell) for cell in row)
    except ValueError:
        return None
    return rank, node


def rank_nodes(root: Path, file: str) -> list[int]:
    """The node of each rank, by a table in which nothing is wrong."""
    with (root / file).open(newline="", encoding="utf-8-sig") as lines:
        rows = [row for row in list(csv.reader(lines))[1:] if row]
    return [node for _, node in sorted((int(rank), int(node)) for rank, node in rows)]
