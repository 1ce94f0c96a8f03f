"""Message sizes and numbers of ranks that a program refuses are known before anything runs."""

import shutil
from pathlib import Path

import pytest
from weft.config.points.program_takes import Allowed, said
from weft.plan import expand

SHIPPED = Path(__file__).parents[3] / "programs"
HEAD = "engines: [flow]\ntopology: {nodes: 64}\nworkload:\n  kind: program\n"


@pytest.fixture(autouse=True)
def programs(tree):
    """The shipped programs, without what the group of workloads has set."""
    shutil.copytree(SHIPPED, tree.root / "programs", dirs_exist_ok=True)
    tree.write("workload/uniform.yaml", "kind: program\n")


def line_of(tree):
    """The line of the experiment file that the only mistake names."""
    lines = (tree.configs / "experiment/x.yaml").read_text().splitlines()
    return lines[int(str(tree.error().mark).split(":")[0]) - 1]


@pytest.mark.parametrize(
    ("written", "key", "message"),
    [
        (
            "program: allreduce\n  message_size: [8 B, 20001 B, 30 B]",
            "message_size",
            "20001 B (2 of 3 values), but allreduce takes multiples of 8 B; the nearest is 20000 B",
        ),
        ("program: spaced_traffic\n  ranks: 4\n  message_size: 4 B", "message_size",
         "4 B, but spaced_traffic takes at least 8 B; the nearest is 8 B"),
        ("program: spaced_traffic\n  ranks: 5\n  message_size: 8 B", "ranks",
         "5, but spaced_traffic takes multiples of 2 from 4 on; the nearest is 4"),
        ("program: pingpong\n  ranks: 7\n  message_size: 8 B", "ranks",
         "7, but pingpong takes 2; the nearest is 2"),
        ("program: alltoall\n  ranks: 1\n  message_size: 8 B", "ranks",
         "1, but alltoall takes at least 2; the nearest is 2"),
        ("program: point_to_point\n  ranks: 1\n  message_size: 8 B", "ranks",
         "1, but point_to_point takes at least 2; the nearest is 2"),
    ],
)  # fmt: skip
def test_what_a_program_refuses_is_refused_when_it_is_planned(tree, written, key, message):
    body = f"{HEAD}  {written}\n"
    tree.refuses(body, f"workload.{key}", message)
    assert f"{key}:" in line_of(tree)


def test_a_swept_size_is_refused_where_it_is_swept(tree):
    body = HEAD + "  program: allreduce\n  message_size: 8 B\nsweep:\n"
    body += "  workload.message_size: [16 B, 17 B]\n"
    message = "17 B, but allreduce takes multiples of 8 B"
    tree.refuses(body, "workload.message_size", message)
    assert line_of(tree) == body.splitlines()[-1]


def test_jobs_and_measurements_obey_the_same_sizes(tree):
    jobs = "engines: [flow]\ntopology: {nodes: 64}\nworkload:\n  kind: jobs\n  jobs:\n"
    tree.write("workload/uniform.yaml", "kind: jobs\n")
    tree.refuses(
        f"{jobs}    - {{program: allreduce, ranks: 4, message_size: 9 B}}\n",
        "workload.jobs",
        "allreduce: 9 B, but allreduce takes multiples of 8 B",
    )


def test_sizes_are_not_added_for_a_program_that_refuses_some(tree):
    body = HEAD.replace("flow", "hardware") + "  program: allreduce\n  message_size: 8 B\n"
    tree.refuses(
        body + "engine: {hardware: {locate_jumps: true}}\n",
        "engine.hardware.locate_jumps",
        "it adds sizes that allreduce refuses, which takes multiples of 8 B",
    )


def test_what_a_program_takes_is_planned(tree):
    tree.experiment(f"{HEAD}  program: allreduce\n  ranks: 5\n  message_size: [0 B, 24 B]\n")
    assert len(expand(tree.load())) == 1


@pytest.mark.parametrize(
    ("source", "number", "nearest", "text"),
    [
        ("#define MGEN_SIZE_MULTIPLE 8", 12, 8, "multiples of 8 B"),
        ("  # define\tMGEN_SIZE_MULTIPLE 8 /* of doubles */", 13, 16, "multiples of 8 B"),
        ("#define MGEN_SIZE_MOST 100", 101, 100, "0 to 100 B"),
        ("#define MGEN_SIZE_MOST 100\n#define MGEN_SIZE_MULTIPLE 8", 200, 96,
         "multiples of 8 B from 0 B to 100 B"),
        ("#define MGEN_SIZE_LEAST 9\n#define MGEN_SIZE_MULTIPLE 8", 3, 16,
         "multiples of 8 B from 9 B on"),
        ("", 13, 13, "at least 0 B"),
    ],
)  # fmt: skip
def test_a_source_says_what_it_takes(source, number, nearest, text):
    allowed = said(source.encode()).get("SIZE", Allowed())
    assert (allowed.nearest(number), allowed.text(" B")) == (nearest, text)
