"""Where the ranks of jobs run: what keeps them from finding nodes of their own."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import accumulate
from pathlib import Path

from weft.config.language.errors import Problem
from weft.config.language.section import Settings
from weft.config.model.jobs import ReadyJobs
from weft.config.model.topology_base import Topology
from weft.config.points.placement import FILE, KEY, OPTION, is_measured
from weft.config.points.rank_file import rank_file_problem, rank_nodes

_JOBS = "workload.jobs"


def job_problems(
    engine: str, topology: Topology, workload: ReadyJobs, options: Settings, root: Path
) -> Iterator[Problem]:
    """Why the jobs do not fit on the topology as the options place their ranks."""
    if getattr(options, "compute", "declared") != "declared":
        message = "computing is measured of one program, not of jobs; use declared"
        yield Problem(f"engine.{engine}.compute", message)
        return
    option = f"engine.{engine}.{OPTION}"
    if is_measured(options):
        yield Problem(option, "jobs are not measured; use linear, block, random or file")
        return
    ranks = [program.ranks for program in workload.programs]
    nodes, each = topology.node_count, int(getattr(options, "ranks_per_node", 1))
    if sum(ranks) > nodes * each:
        held = f"{nodes} nodes" + (f" with {each} ranks each" if each > 1 else "")
        counts = " + ".join(map(str, ranks))
        message = f"the jobs have {counts} = {sum(ranks)} ranks, but the topology has {held}"
        yield Problem(_JOBS, message, (_JOBS, "topology"))
        return
    if workload.group_nodes is not None:
        yield from _by_groups(ranks, nodes, each, workload.group_nodes)
        return
    file, kind = getattr(options, FILE, None), getattr(options, OPTION, "linear")
    if file is None:
        yield from _in_order(ranks, nodes, each, kind)
        return
    problem = rank_file_problem(root, file, sum(ranks), nodes, each)
    problem = problem or _shared(rank_nodes(root, file), ranks, file)
    if problem:
        yield Problem("workload.placement_file", problem, (KEY, "workload.placement_file"))


def _by_groups(ranks: Sequence[int], nodes: int, each: int, group: int) -> Iterator[Problem]:
    """Groups that the topology does not have."""
    key = "workload.group_nodes"
    if nodes % group:
        message = f"{group}, but the topology has {nodes} nodes, which is not a multiple of it"
        yield Problem(key, message, (key, "topology"))
        return
    needed = [-(-count // (each * group)) for count in ranks]
    if sum(needed) > nodes // group:
        counts = " + ".join(map(str, needed))
        message = (
            f"the jobs need {counts} = {sum(needed)} groups of {group} nodes, but the topology has "
            f"{nodes // group}"
        )
        yield Problem(_JOBS, message, (_JOBS, key, "topology"))


def _in_order(ranks: Sequence[int], nodes: int, each: int, kind: str) -> Iterator[Problem]:
    """Nodes that get ranks of two jobs, where nodes take ranks in their order."""
    if kind == "linear":
        shared = len(ranks) > 1 and sum(ranks) > nodes
    else:
        shared = any(count % each for count in accumulate(ranks[:-1]))
    if shared:
        message = (
            f"with {each} ranks on each node some nodes get ranks of two jobs; a node runs one"
        )
        yield Problem(_JOBS, message, (_JOBS, "topology"))


def _shared(nodes: Sequence[int], ranks: Sequence[int], file: str) -> str | None:
    """A node that the file gives to two jobs."""
    job_of: dict[int, int] = {}
    numbers = (job for job, count in enumerate(ranks, start=1) for _ in range(count))
    for job, node in zip(numbers, nodes, strict=True):
        other = job_of.setdefault(node, job)
        if other != job:
            return f"{file}: node {node} has ranks of the jobs {other} and {job}; a node runs one"
    return None
