"""Files that an experiment outside of the clone names lie beside it, or in the folder above."""

import os
from pathlib import Path

import pytest
from weft.config import ConfigErrors, load_experiments
from weft.plan import expand

HEAD = "title: Mine\nquestion: Q?\n"
LIST = "src,dst,bytes\n0,1,8\n"
TRACE = "engines: [flow]\ndefaults: [override /topology: crossbar, override /workload: trace]\n"
PROGRAM = (
    "engines: [rdma]\n"
    "defaults: [override /workload: pingpong, override /network: opennsim_table3]\n"
)
GRAPH = "from,to\ns0,s1\ns0,a\ns1,b\n"
SOURCE = "#include <mpi.h>\nint main(void) { return 0; }\n"


@pytest.fixture
def mine(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("other place") / "mine"
    (folder / "experiment").mkdir(parents=True)
    (folder / "data").mkdir()
    return folder


def specs(tree, mine: Path, body: str, part: str) -> str:
    (mine / "experiment" / "own.yaml").write_text(HEAD + body)
    (found,) = load_experiments(tree.configs, ["own"], search_path=[mine])
    return "".join(expand(found).shared(part))


def from_project(tree, path: Path) -> str:
    return os.path.relpath(path.resolve(), tree.root.resolve())


@pytest.mark.parametrize("place", ["experiment/ring.csv", "data/ring.csv"])
def test_a_list_of_messages(tree, mine: Path, place: str) -> None:
    (mine / place).write_text(LIST)
    named = place.removeprefix("experiment/")
    found = specs(tree, mine, f"{TRACE}workload: {{file: {named}}}\n", "workload")
    assert f'"file":"{from_project(tree, mine / place)}"' in found


def test_a_program_and_its_input(tree, mine: Path) -> None:
    (mine / "experiment" / "own_program.c").write_text(SOURCE)
    (mine / "experiment" / "cells.txt").write_text("1\n")
    body = "workload: {program: own_program, input: cells.txt, arguments: ['{input}']}\n"
    found = specs(tree, mine, PROGRAM + body, "workload")
    assert f'"source":"{from_project(tree, mine / "experiment" / "own_program.c")}"' in found
    assert f'"input":"{from_project(tree, mine / "experiment" / "cells.txt")}"' in found


def test_a_network(tree, mine: Path) -> None:
    (mine / "data" / "net.csv").write_text(GRAPH)
    body = (
        "engines: [flow]\ntopology: {kind: graph, file: data/net.csv, node_names: [a, b]}\n"
        "defaults: [override /topology: graph, override /workload: uniform]\n"
    )
    found = specs(tree, mine, body, "topology")
    assert f'"file":"{from_project(tree, mine / "data" / "net.csv")}"' in found


def test_a_table_of_ranks(tree, mine: Path) -> None:
    (mine / "experiment" / "ranks.csv").write_text("rank,node\n0,1\n1,0\n")
    body = "engine: {rdma: {rank_to_node: file, rank_file: ranks.csv}}\n"
    found = specs(tree, mine, PROGRAM + body, "options")
    assert f'"rank_file":"{from_project(tree, mine / "experiment" / "ranks.csv")}"' in found


def test_a_file_of_the_project_where_none_lies_beside(tree, mine: Path) -> None:
    (tree.root / "ring.csv").write_text(LIST)
    found = specs(tree, mine, f"{TRACE}workload: {{file: ring.csv}}\n", "workload")
    assert '"file":"ring.csv"' in found


def test_what_is_nowhere_is_said_with_all_places(tree, mine: Path) -> None:
    (mine / "data" / "ring.csv").write_text(LIST)
    with pytest.raises(ConfigErrors) as caught:
        specs(tree, mine, f"{TRACE}workload: {{file: data/rng.csv}}\n", "workload")
    message = str(caught.value)
    assert f"(looked in {mine / 'experiment'} and {mine} and {tree.root})" in message
    assert "did you mean 'data/ring.csv'?" in message


def test_an_experiment_of_the_project_names_files_from_the_project(tree) -> None:
    (tree.configs / "experiment" / "ring.csv").write_text(LIST)
    tree.refuses(f"{TRACE}workload: {{file: ring.csv}}\n", "workload.file", "no file ring.csv")


def test_a_workspace_that_links_to_the_tree_counts_from_itself(tree, mine: Path) -> None:
    (mine / ".weft").mkdir()
    for name in ("configs", "programs"):
        (mine / ".weft" / name).symlink_to(tree.root / name)
    (mine / "data" / "ring.csv").write_text(LIST)
    (mine / "experiment" / "own.yaml").write_text(
        f"{HEAD}{TRACE}workload: {{file: data/ring.csv}}\n"
    )
    (found,) = load_experiments(mine / ".weft" / "configs", ["own"], search_path=[mine])
    assert '"file":"../data/ring.csv"' in "".join(expand(found).shared("workload"))
