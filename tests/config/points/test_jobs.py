"""Jobs: what engines get of them, and mistakes that stop before anything runs."""

from typing import Any

import pytest
from weft.config.language.errors import ConfigErrors
from weft.plan import expand
from weft.plan.identity import point_id
from weft.service.tasks.programs import runs_strange_code
from weft.tables.traces import write_trace

from tests.config.conftest import SHIPPED, tree

__all__ = ["tree"]
HEAD = """
defaults: [override /topology: crossbar, override /network: infiniband_qdr,
           override /workload: jobs]
topology: {nodes: 8}
"""
TWO = (
    "{program: alltoall, ranks: 4, message_size: 2 KiB, start: 10 us}, "
    "{program: halo_exchange, ranks: 4, arguments: ['64', 2x2], repeat: until_others_end}"
)


@pytest.fixture(autouse=True)
def _programs(tree):
    for name in ("replay", "halo_exchange.c", "barrier.c"):
        (tree.root / "programs" / name).symlink_to(SHIPPED.parent / "programs" / name)


def plan(tree, jobs: str, more: str = "", engines: str = "flow"):
    tree.experiment(f"engines: [{engines}]\n{HEAD}workload: {{jobs: [{jobs}]{more}}}\n")
    return list(expand(tree.load()))


def test_every_engine_of_programs_gets_a_workload_for_each_job(tree):
    cube = HEAD.replace("crossbar", "hypercube").replace("nodes: 8", "dimensions: 3")
    tree.experiment(f"engines: [flow, packet, rdma, anet]\n{cube}workload: {{jobs: [{TWO}]}}\n")
    points = list(expand(tree.load()))
    assert [point.engine for point in points] == ["flow", "packet", "rdma", "anet"]
    for point in points:
        workload: dict[str, Any] = point.spec["workload"]
        assert (workload["kind"], workload["ranks"]) == ("program", 8)
        assert workload["program"] == "alltoall and halo_exchange"
        first, second = workload["jobs"]
        assert first["source"] == "programs/alltoall.c"
        assert len(first["source_sha256"]) == 64
        assert (first["message_bytes"], first["start_s"], first["repeat"]) == ([2048], 1e-5, 1)
        assert (second["ranks"], second["arguments"]) == (4, ["64", "2x2"])
        assert (second["start_s"], second["repeat"]) == (0.0, "until_others_end")


def test_a_trace_may_be_a_job_with_the_ranks_of_its_program(tree):
    rows: list[dict[str, Any]] = [{"rank": rank, "call": "Barrier"} for rank in range(3)]
    write_trace(tree.root / "x.weft-trace", 3, rows)
    (point,) = plan(tree, "{trace: x.weft-trace}, {program: barrier, ranks: 2}")
    workload: dict[str, Any] = point.spec["workload"]
    assert workload["ranks"] == 5
    assert workload["jobs"][0]["input"] == "x.weft-trace"
    assert len(workload["jobs"][0]["input_sha256"]) == 64


def test_a_file_decides_the_point_and_its_folder_does_not(tree):
    (tree.root / "a").mkdir()
    job = "{program: barrier, ranks: 2, input: %s, arguments: ['{input}']}"
    found = []
    for name, text in (("x.csv", "1"), ("a/x.csv", "1"), ("a/x.csv", "2")):
        (tree.root / name).write_text(text)
        (point,) = plan(tree, job % name)
        found.append(point_id(point.spec))
    assert found[0] == found[1] != found[2]


def test_points_have_the_values_that_a_sweep_gave_them(tree):
    rows = "rank,node\n" + "".join(f"{rank},{7 - rank}\n" for rank in range(8))
    (tree.root / "places.csv").write_text(rows)
    first, second = (
        TWO,
        TWO.replace("halo_exchange", "barrier").replace(", arguments: ['64', 2x2]", ""),
    )
    keys = "jobs: [{program: barrier, ranks: 1}], group_nodes: 4, placement_file: places.csv"
    tree.experiment(
        f"engines: [flow]\n{HEAD}workload: {{{keys}}}\n"
        f"sweep: {{workload.placement: [linear, random, by_group, file],\n"
        f"  workload.jobs: [[{first}], [{second}]]}}\n"
    )
    found = [point.coordinates for point in expand(tree.load())]
    placements = [each["workload.placement"] for each in found]
    assert sorted(placements) == sorted(2 * ["linear", "random", "by_group", "file"])
    programs = {tuple(job["program"] for job in each["workload.jobs"]) for each in found}
    assert programs == {("alltoall", "halo_exchange"), ("alltoall", "barrier")}
    assert len({point.point_id for point in expand(tree.load())}) == 8


def test_a_computing_program_among_them_is_said_to_compute_for_free(tree):
    (tree.root / "programs" / "own.c").write_text("int MGEN_Main(void) { return 0; }\n")
    own = plan(tree, "{program: alltoall, ranks: 2}, {program: own, ranks: 2}")
    assert own[0].spec["workload"]["source"] == "programs/own.c"
    assert plan(tree, TWO)[0].spec["workload"]["source"] == "programs/alltoall.c"


def test_a_program_of_a_stranger_among_jobs_is_strange():
    shipped = {"source": "programs/alltoall.c"}
    jobs = [shipped, {"source": "uploads/own.c"}]
    assert runs_strange_code(['{"source": "programs/alltoall.c", "jobs": [{"source": "own.c"}]}'])
    assert runs_strange_code([str({**shipped, "jobs": jobs}).replace("'", '"')])
    assert not runs_strange_code([str({**shipped, "jobs": [shipped]}).replace("'", '"')])


WRONG = [
    ("{program: alltoall, ranks: 9}", "", "workload.jobs", "jobs have 9 = 9 ranks, but the"),
    ("{program: alltoall, ranks: 0}", "", "workload.jobs[0].ranks", "greater than or equal to 1"),
    ("{program: alltoall}", "", "workload.jobs[0]", "a job with a program needs ranks"),
    ("{ranks: 2}", "", "workload.jobs[0]", "a job needs one of program and trace"),
    ("{program: altoall, ranks: 2}", "", "workload.jobs[0].program", "did you mean 'alltoall'?"),
    ("{trace: x.weft-trace}", "", "workload.jobs[0].trace", "there is no file x.weft-trace"),
    ("{trace: x.csv}", "", "workload.jobs[0].trace", "a trace ends in .weft-trace"),
    (TWO, ", placement: liner", "workload.placement", "did you mean 'linear'?"),
    (TWO, ", placement: file", "workload", "placement: file needs the key placement_file"),
    (TWO, ", placement_file: x.csv", "workload", "placement_file needs placement: file"),
    (TWO, ", placement: by_group", "workload", "placement: by_group needs the key group_nodes"),
    (TWO, ", placement: by_group, group_nodes: 3", "workload.group_nodes", "not a multiple of it"),
    (
        TWO,
        "}\nengine: {flow: {compute: measured}",
        "engine.flow.compute",
        "computing is measured of one program, not of jobs",
    ),
    (
        "{program: barrier, ranks: 5}, {program: barrier, ranks: 1}",
        ", placement: by_group, group_nodes: 4",
        "workload.jobs",
        "the jobs need 2 + 1 = 3 groups of 4 nodes, but the topology has 2",
    ),
    ("{program: barrier, ranks: 2, start: -1 us}", "", "workload.jobs[0].start", "is negative"),
    ("{program: barrier, ranks: 2, start: 3}", "", "workload.jobs[0].start", "with its unit"),
    ("{program: barrier, ranks: 2, repeat: 0}", "", "workload.jobs[0].repeat", "equal to 1"),
    (
        "{program: barrier, ranks: 2, repeat: until_other_end}",
        "",
        "workload.jobs[0].repeat",
        "did you mean 'until_others_end'?",
    ),
    (
        "{program: barrier, ranks: 2, repeat: until_others_end}",
        "",
        "workload",
        "give one of them a number",
    ),
    ("{program: barrier, rank: 2}", "", "workload.jobs[0].rank", "did you mean 'ranks'?"),
    ("", "", "workload.jobs", "at least 1"),
    (
        "{program: barrier, ranks: 2, arguments: ['{input}']}",
        "",
        "workload.jobs[0].arguments",
        "so input is required",
    ),
]


@pytest.mark.parametrize(("jobs", "more", "key", "words"), WRONG)
def test_a_mistake_stops_before_anything_runs_with_file_line_and_key(tree, jobs, more, key, words):
    with pytest.raises(ConfigErrors) as caught:
        plan(tree, jobs, more)
    (error,) = caught.value.errors
    assert (error.file, error.key) == ("configs/experiment/x.yaml", key)
    assert error.mark is not None
    assert words in error.message


def test_engines_that_run_no_jobs_say_which_do(tree):
    with pytest.raises(ConfigErrors) as caught:
        plan(tree, TWO, engines="hardware")
    assert "hardware runs no jobs; use flow, packet, rdma or anet" in str(caught.value)


def test_a_node_runs_one_job(tree):
    rows = "".join(f"{rank},{node}\n" for rank, node in enumerate([0, 1, 2, 3, 3, 4, 5, 6]))
    (tree.root / "places.csv").write_text("rank,node\n" + rows)
    more = ", placement: file, placement_file: places.csv"
    with pytest.raises(ConfigErrors) as caught:
        plan(tree, TWO, more + "}\nengine: {flow: {ranks_per_node: 2}")
    assert "workload.placement_file" in str(caught.value)
    assert "places.csv: node 3 has ranks of the jobs 1 and 2" in str(caught.value)


def test_a_file_places_the_ranks_of_all_jobs(tree):
    rows = "".join(f"{rank},{7 - rank}\n" for rank in range(8))
    (tree.root / "places.csv").write_text("rank,node\n" + rows)
    (point,) = plan(tree, TWO, ", placement: file, placement_file: places.csv")
    options = point.spec["options"]
    assert (options["rank_to_node"], options["rank_file"]) == ("file", "places.csv")
    (drawn,) = plan(tree, TWO, ", placement: random")
    assert drawn.spec["options"]["rank_to_node"] == "random"


def test_groups_are_part_of_the_workload_where_jobs_are_placed_by_them(tree):
    (point,) = plan(tree, TWO, ", placement: by_group, group_nodes: 4")
    assert point.spec["workload"]["group_nodes"] == 4
    assert point.spec["options"]["rank_to_node"] == "linear"
    (other,) = plan(tree, TWO, ", placement: random, group_nodes: 4")
    assert "group_nodes" not in other.spec["workload"]
