"""Tables as MPICH reads them: the JSON file of MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE.

Format: maint/tuning/coll/mpir/generic.json and src/mpi/coll/src/csel.c of MPICH 4.0 to 5.0. The
file takes the place of the table that is built into the library, and MPICH ends with a failed
assertion at a collective that the file lacks. So the built-in table is read from the library
itself, and only the sections of the given collectives change.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence

from weft.tuning.switch_points import Bucket

#: A part of the file: conditions with what follows from them.
Tree = dict[str, "Tree"]
_AVERAGE = "avg_msg_size"
_BUILT_IN = re.compile(rb'\{\s*"collective=[^\0]*')


def _algorithm(name: str) -> Tree:
    return {f"algorithm=MPIR_{name}": {}}


def _adding(name: str, for_any_operator: str) -> Tree:
    """An algorithm that splits a vector: only of elements that MPICH can divide."""
    other = _algorithm(for_any_operator)
    return {
        "is_op_built_in=no": other,
        "is_op_built_in=yes": {"count<pow2": other, "count=any": _algorithm(name)},
    }


#: By collective: what weft calls an algorithm, and what chooses it there.
ALGORITHMS: Mapping[str, Mapping[str, Tree]] = {
    "allgather": {
        "bruck": _algorithm("Allgather_intra_brucks"),
        "ring": _algorithm("Allgather_intra_ring"),
        "recursive_doubling": {
            "comm_size=pow2": _algorithm("Allgather_intra_recursive_doubling"),
            "comm_size=any": _algorithm("Allgather_intra_brucks"),
        },
    },
    "allreduce": {
        "recursive_doubling": _algorithm("Allreduce_intra_recursive_doubling"),
        "rabenseifner": _adding(
            "Allreduce_intra_reduce_scatter_allgather", "Allreduce_intra_recursive_doubling"
        ),
    },
    "alltoall": {
        "bruck": _algorithm("Alltoall_intra_brucks"),
        "pairwise": _algorithm("Alltoall_intra_pairwise"),
        "scattered": _algorithm("Alltoall_intra_scattered"),
    },
    "bcast": {
        "binomial": _algorithm("Bcast_intra_binomial"),
        "scatter_allgather": _algorithm("Bcast_intra_scatter_recursive_doubling_allgather"),
        "scatter_ring_allgather": _algorithm("Bcast_intra_scatter_ring_allgather"),
    },
    "reduce": {
        "binomial": _algorithm("Reduce_intra_binomial"),
        "rabenseifner": _adding("Reduce_intra_reduce_scatter_gather", "Reduce_intra_binomial"),
    },
}


def built_in(library: bytes) -> Tree | None:
    """The table of algorithms in a file of the library; None if it is no MPICH that has one."""
    for text in _BUILT_IN.findall(library):
        try:
            found: Tree = json.loads(text)
        except ValueError:
            continue
        if b"algorithm=MPIR_" in text:
            return found
    return None


def tuning_file(base: Tree, tables: Mapping[str, Sequence[Bucket]]) -> Tree:
    """The library's own table with the sections of `tables` in place of its own."""
    changed = {f"collective={name}": _section(name, table) for name, table in tables.items()}
    return {
        key: {**tree, "comm_type=intra": changed[key]} if key in changed else tree
        for key, tree in base.items()
    }


def _section(collective: str, table: Sequence[Bucket]) -> Tree:
    sizes = [(bucket.up_to_ranks, _sizes(collective, bucket)) for bucket in table]
    # Neighbours that say the same are one.
    last = [
        part for n, part in enumerate(sizes) if [part[1]] != [p[1] for p in sizes[n + 1 : n + 2]]
    ]
    tree = _by("comm_size", last)
    if collective != "alltoall":
        return tree
    in_place = _algorithm("Alltoall_intra_pairwise_sendrecv_replace")
    return {"is_sendbuf_inplace=yes": in_place, "is_sendbuf_inplace=no": tree}


def _sizes(collective: str, bucket: Bucket) -> Tree:
    # MPICH knows no average for an allgather, only all of its blocks together.
    key, blocks = ("total_msg_size", bucket.ranks) if collective == "allgather" else (_AVERAGE, 1)
    known = ALGORITHMS[collective]
    parts = [(step.up_to_bytes, known[step.use]) for step in bucket.steps]
    return _by(key, [(most and most * blocks, tree) for most, tree in parts])


def _by(key: str, parts: Sequence[tuple[int | None, Tree]]) -> Tree:
    """Parts in order, each up to its limit."""
    return {f"{key}=any" if most is None else f"{key}<={most}": tree for most, tree in parts}
