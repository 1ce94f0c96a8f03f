"""Tables as Open MPI's component `tuned` reads them: a file of dynamic rules.

Format and numbers: ompi/mca/coll/tuned/coll_tuned_dynamic_file.c and the files
coll_tuned_*_decision.c of Open MPI 4.1. A rule holds from its number of ranks, or bytes, on. Bytes
are those of the whole broadcast or reduction; of the other collectives, all blocks together.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from weft.tuning.switch_points import Bucket

#: COLLTYPE of coll_base_functions.h.
COLLECTIVES = {"allgather": 0, "allreduce": 2, "alltoall": 3, "bcast": 7, "reduce": 11}
#: By collective: what weft calls an algorithm, and its number there.
ALGORITHMS: Mapping[str, Mapping[str, int]] = {
    "allgather": {"bruck": 2, "recursive_doubling": 3, "ring": 4, "neighbor_exchange": 5},
    "allreduce": {"linear": 1, "reduce_bcast": 2, "recursive_doubling": 3, "ring": 4,
                  "rabenseifner": 6},
    # Its pairwise exchange goes by shifts, as ours does that is called ring.
    "alltoall": {"linear": 1, "ring": 2, "bruck": 3},
    "bcast": {"linear": 1, "chain": 2, "split_binary": 4, "binary": 5, "binomial": 6, "knomial": 7,
              "scatter_allgather": 8, "scatter_ring_allgather": 9},
    "reduce": {"linear": 1, "chain": 2, "binary": 4, "binomial": 5, "in_order_binary": 6,
               "rabenseifner": 7},
}  # fmt: skip
_OF_BLOCKS = ("allgather", "alltoall")


def dynamic_rules(tables: Mapping[str, Sequence[Bucket]]) -> str:
    """The file, for `coll_tuned_use_dynamic_rules` and `coll_tuned_dynamic_rules_filename`."""
    lines = [f"{len(tables)} # collectives"]
    for collective, table in sorted(tables.items(), key=lambda item: COLLECTIVES[item[0]]):
        lines += [f"{COLLECTIVES[collective]} # {collective}", f"{len(table)} # numbers of ranks"]
        first_ranks = 1
        for bucket in table:
            blocks = bucket.ranks if collective in _OF_BLOCKS else 1
            lines += [f"{first_ranks} # ranks, at least", f"{len(bucket.steps)} # sizes"]
            first_bytes = 0
            for step in bucket.steps:
                number = ALGORITHMS[collective][step.use]
                # No fan-out of its own, and no segments.
                lines.append(f"{first_bytes} {number} 0 0 # bytes, at least: {step.use}")
                first_bytes = ((step.up_to_bytes or 0) + 1) * blocks
            first_ranks = (bucket.up_to_ranks or 0) + 1
    return "\n".join(lines) + "\n"
