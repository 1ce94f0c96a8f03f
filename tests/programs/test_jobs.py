"""Jobs: several programs on one network, each with a world, a beginning and an end of its own."""

from pathlib import Path
from typing import Any

import pytest

from tests.programs.simulator import ROOT, run_line, run_point

ENGINES = ("flow", "packet", "rdma", "anet")
#: A network on which sizes matter, and calls and copies take time.
NETWORK: dict[str, Any] = {"bandwidth_bytes_per_s": 4e9, "latency_s": 1e-6, "hop_latency_s": 1e-7}
OPTIONS: dict[str, Any] = {"eager_limit_bytes": 4096}
#: Longer messages can block each other forever in `anet`, as on the machine that it is a model of.
SIZE = {"anet": 100}
TREE = {"kind": "fat_tree", "k": 4, "levels": 3, "routing": "dmodk", "nodes": 64}
LINE = {"kind": "mesh", "k": 16, "dimensions": 1, "sizes": [16], "nodes": 16}
HERE = Path(__file__).parent


def job(name: str, ranks: int, *arguments: str, **more: Any) -> dict[str, Any]:
    """A job of a program of weft, or of one beside this file."""
    folder = ROOT / "programs" if (ROOT / "programs" / f"{name}.c").is_file() else HERE
    spec = {"kind": "program", "program": name, "source": str(folder / f"{name}.c")}
    spec |= {"ranks": ranks, "message_bytes": None, "arguments": list(arguments), "input": None}
    return spec | {"start_s": 0.0, "repeat": 1} | more


def alltoall(ranks: int, size: int, **more: Any) -> dict[str, Any]:
    """An all-to-all of blocks of this size."""
    return job("alltoall", ranks, str(size), **more)


def halo(grid: str, ranks: int, size: int = 20000, **more: Any) -> dict[str, Any]:
    """Neighbours that exchange so many bytes ten times."""
    return job("halo_exchange", ranks, str(size), grid, "10", "0", **more)


def line_of(
    folder: Path,
    jobs: list[dict[str, Any]],
    engine: str,
    topology: dict[str, Any],
    group: int | None = None,
    **options: Any,
) -> tuple[dict[str, Any], str]:
    """The journal's line of a point with jobs, and its log."""
    source, ranks = Path(jobs[0]["source"]), sum(each["ranks"] for each in jobs)
    more = {"jobs": jobs} | ({} if group is None else {"group_nodes": group})
    chosen = OPTIONS | options
    return run_line(
        folder, source, ranks, None, (), NETWORK, engine, topology, chosen, None, None, more
    )


def metrics(
    folder: Path, jobs: list[dict[str, Any]], engine: str, topology: dict[str, Any], **more: Any
) -> dict[str, float]:
    """The metrics of a point with jobs."""
    line, _ = line_of(folder, jobs, engine, topology, **more)
    assert line["status"] == "done", line["error"]
    return {each["metric"]: each["value"] for each in line["metrics"]}


@pytest.mark.parametrize("engine", ENGINES)
def test_jobs_on_disjoint_parts_of_a_network_take_exactly_as_long_as_alone(engine, tmp_path):
    size = SIZE.get(engine, 20000)
    jobs = [alltoall(8, size // 7), halo("2x2", 4, size), alltoall(3, size)]
    # Each on a subtree of its own, or on a piece of the line.
    topology, group = (LINE, None) if engine == "anet" else (TREE, 16)
    found = metrics(tmp_path, jobs, engine, topology, group=group)
    for number in (1, 2, 3):
        time_s, alone_s = (found[f"job{number}_{name}"] for name in ("time_s", "alone_time_s"))
        assert time_s == alone_s > 0
        assert found[f"job{number}_slowdown"] == 1


@pytest.mark.parametrize("engine", ENGINES)
def test_alone_is_what_the_program_takes_without_jobs(engine, tmp_path):
    size = SIZE.get(engine, 20000)
    jobs = [alltoall(8, size), halo("8", 8, size)]
    found = metrics(tmp_path, jobs, engine, LINE)
    source = ROOT / "programs" / "alltoall.c"
    own, _ = run_point(
        tmp_path, source, 8, None, (str(size),), NETWORK, engine, LINE, **OPTIONS
    )  # fmt: skip
    assert found["job1_alone_time_s"] == own["program_time_s"]


@pytest.mark.parametrize("engine", ENGINES)
def test_one_job_is_the_program_bit_by_bit(engine, tmp_path):
    source = ROOT / "programs" / "alltoall.c"
    size = SIZE.get(engine, 5000)
    own, _ = run_point(
        tmp_path, source, 16, None, (str(size),), NETWORK, engine, LINE, **OPTIONS
    )  # fmt: skip
    found = metrics(tmp_path, [alltoall(16, size)], engine, LINE)
    jobs = {name: found.pop(name) for name in [*found] if name.startswith("job1_")}
    samples = {name: own.pop(name) for name in ("collective_time_s", "pairwise_time_s")}
    assert found == own
    assert {name: jobs[f"job1_{name}"] for name in samples} == samples
    assert jobs["job1_time_s"] == own["program_time_s"]
    assert jobs["job1_slowdown"] == 1


@pytest.mark.parametrize("engine", ENGINES)
def test_jobs_that_share_links_slow_each_other_down(engine, tmp_path):
    # Ranks of both jobs alternate along a line of routers.
    nodes = [*range(0, 16, 2), *range(1, 16, 2)]
    rows = "".join(f"{rank},{node}\n" for rank, node in enumerate(nodes))
    (tmp_path / "ranks.csv").write_text("rank,node\n" + rows)
    size = SIZE.get(engine, 20000)
    jobs = [alltoall(8, size), alltoall(8, size)]
    found = metrics(
        tmp_path, jobs, engine, LINE, rank_to_node="file", rank_file=str(tmp_path / "ranks.csv")
    )
    assert found["job1_slowdown"] > 1.2
    assert found["job2_slowdown"] > 1.2


@pytest.mark.parametrize("engine", ["flow", "packet", "rdma"])
def test_a_job_begins_when_it_begins_and_runs_as_often_as_it_shall(engine, tmp_path):
    once = metrics(tmp_path, [halo("4x4", 16)], engine, TREE)["program_time_s"]
    late = halo("4x4", 16, start_s=1e-3, repeat=3)
    found = metrics(tmp_path, [alltoall(4, 8), late], engine, TREE, group=16)
    assert found["job2_time_s"] == pytest.approx(once, rel=1e-9)
    assert found["program_time_s"] == pytest.approx(1e-3 + 3 * once, rel=1e-9)


@pytest.mark.parametrize("engine", ["flow", "packet", "rdma"])
def test_a_job_that_runs_until_the_others_end_is_cut_then(engine, tmp_path):
    others = halo("4x4", 16, repeat=5)
    forever = alltoall(8, 100, repeat="until_others_end")
    line, log = line_of(tmp_path, [others, forever], engine, TREE, group=16)
    found = {row["metric"]: row["value"] for row in line["metrics"]}
    assert "never received" not in log
    assert found["program_time_s"] == pytest.approx(5 * found["job1_time_s"], rel=1e-9)
    assert found["job2_slowdown"] == 1
    error = line_of(
        tmp_path, [others, job("own_world", 2, repeat="until_others_end")], engine, TREE
    )[0]
    assert "job 2 takes no simulated time" in error["error"]


@pytest.mark.parametrize("engine", ["flow", "packet", "rdma"])
def test_two_jobs_share_a_bottleneck_as_computed_by_hand(engine, tmp_path):
    # Both messages cross the links from router 2 to router 4 of a line: job 1 from 1 to 5, job 2
    # from 2 to 4. Until the short one has arrived each gets half of the bandwidth B; then the long
    # one has all of it. Short: 2 S / B. Long: (S + L) / B. Latencies and calls (2 us beside
    # 262 us) and headers come on top: within 1 %.
    rows = "".join(f"{rank},{node}\n" for rank, node in enumerate((1, 5, 2, 4)))
    (tmp_path / "ranks.csv").write_text("rank,node\n" + rows)
    short, long = 1 << 20, 3 << 20
    jobs = [job("point_to_point", 2, str(size)) for size in (short, long)]
    found = metrics(
        tmp_path, jobs, engine, LINE, rank_to_node="file", rank_file=str(tmp_path / "ranks.csv")
    )
    assert found["job1_slowdown"] == pytest.approx(2, rel=0.01)
    assert found["job2_slowdown"] == pytest.approx((short + long) / long, rel=0.01)
    both = found["job1_time_s"], found["job2_time_s"]
    by_hand = 2 * short / 4e9, (short + long) / 4e9
    assert both == pytest.approx(by_hand, rel=0.01)


def test_ranks_groups_and_memory_of_a_job_are_its_own(tmp_path):
    # The same program twice, and another one between: each checks its variables and its world.
    first, last = job("own_world", 5, "5", repeat=3), job("own_world", 3, "3", repeat=2)
    line, log = line_of(tmp_path, [first, halo("2x2", 4), last], "flow", TREE)
    assert line["status"] == "done", line["error"] + log


def test_messages_name_the_rank_of_the_job(tmp_path):
    line, _ = line_of(tmp_path, [halo("4x4", 16), job("own_world", 3, "4")], "flow", TREE)
    assert "rank 0 of job 2 ended with code 1" in line["error"]


def test_links_that_several_jobs_use_are_listed_with_what_each_sent(tmp_path):
    line, _ = line_of(
        tmp_path, [alltoall(4, 4000), alltoall(4, 4000)], "flow", LINE, tables=["links"]
    )
    assert line["status"] == "done", line["error"]
    (table,) = (tmp_path / "out").glob("job_links-*.csv")
    assert table.read_text().splitlines() == ["link,job,bytes,other_bytes"]
    nodes = [0, 1, 4, 5, 2, 3, 6, 7]
    rows = "".join(f"{rank},{node}\n" for rank, node in enumerate(nodes))
    (tmp_path / "ranks.csv").write_text("rank,node\n" + rows)
    line, _ = line_of(
        tmp_path,
        [alltoall(4, 4000), alltoall(4, 4000)],
        "flow",
        LINE,
        tables=["links"],
        rank_to_node="file",
        rank_file=str(tmp_path / "ranks.csv"),
    )
    rows = [row.split(",") for row in table.read_text().splitlines()[1:]]
    # Both jobs cross the four links between the nodes 2 and 5 in both directions, and no other.
    assert len({link for link, *_ in rows}) == 6
    assert {job for _, job, *_ in rows} == {"1", "2"}
    for link, _, own, others in rows:
        assert [link, "1" if _ == "2" else "2", others, own] in rows


@pytest.mark.parametrize(
    ("jobs", "reason"),
    [
        ([alltoall(2, 8, start_s=-1.0)], "job 1: start_s is -1, must be from 0"),
        ([alltoall(2, 8), alltoall(2, 8, repeat=0)], "job 2: repeat is 0"),
        ([alltoall(0, 8), alltoall(2, 8)], "job 1: ranks is 0"),
        ([alltoall(2, 8, repeat="until_others_end")], "one must have a count"),
        ([alltoall(2, 8)] * 9, "9 jobs, at most 8"),
        ([alltoall(9, 8), alltoall(9, 8)], "18 ranks do not fit on 16 nodes"),
    ],
)
def test_a_simulator_refuses_jobs_that_cannot_be(jobs, reason, tmp_path):
    line, _ = line_of(tmp_path, jobs, "flow", LINE)
    assert reason in line["error"]
