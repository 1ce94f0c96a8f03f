"""A point is named by what its files hold, and not by where they lie."""

import shutil
from pathlib import Path

import pytest
from weft.config import load_experiments
from weft.engines.shards import digest
from weft.plan import expand
from weft.plan.identity import by_content, point_id

HEAD = "title: Mine\nquestion: Q?\n"
TRACE = (
    "engines: [flow]\ndefaults: [override /topology: crossbar, override /workload: trace]\n"
    "workload: {file: ring.csv}\n"
)
GRAPH = (
    "engines: [flow]\ntopology: {kind: graph, file: net.csv, node_names: [a, b]}\n"
    "defaults: [override /topology: graph, override /workload: uniform]\n"
)
PROGRAM = (
    "engines: [rdma]\n"
    "defaults: [override /workload: pingpong, override /network: opennsim_table3]\n"
    "workload: {program: own, input: ring.csv, arguments: ['{input}']}\n"
)
SEVERAL = (
    "engines: [rdma]\n"
    "defaults: [override /workload: pingpong, override /network: opennsim_table3]\n"
    "workload: {program: {name: own, sources: [src/main.c], include: [inc]}}\n"
)
MAIN = '#include <mpi.h>\n#include "own.h"\nint main(void) { return N; }\n'


def fill(folder: Path) -> None:
    for name in ("src", "inc"):
        (folder / name).mkdir(parents=True)
    (folder / "ring.csv").write_text("src,dst,bytes\n0,1,8\n")
    (folder / "net.csv").write_text("from,to\ns0,s1\ns0,a\ns1,b\n")
    (folder / "own.c").write_text("#include <mpi.h>\nint main(void) { return 0; }\n")
    (folder / "src" / "main.c").write_text(MAIN)
    (folder / "inc" / "own.h").write_text("#define N 0\n")


def names(tree, folder: Path) -> list[str]:
    (found,) = load_experiments(tree.configs, ["own"], search_path=[folder.parent])
    points = expand(found)
    assert [point_id(point.spec) for point in points] == [point.point_id for point in points]
    return [point.point_id for point in points]


@pytest.mark.parametrize(
    ("body", "file", "old", "new"),
    [
        (TRACE, "ring.csv", "8", "9"),
        (GRAPH, "net.csv", "s1,b", "s0,b"),
        (PROGRAM, "own.c", "0", "1"),
        (PROGRAM, "ring.csv", "8", "9"),
        (SEVERAL, "inc/own.h", "0", "1"),
    ],
)
def test_moved_files_name_the_same_points_and_others_others(
    tree, tmp_path: Path, body: str, file: str, old: str, new: str
) -> None:
    here, there = tmp_path / "here" / "experiment", tmp_path / "far" / "there" / "experiment"
    fill(here)
    (here / "own.yaml").write_text(HEAD + body)
    before = names(tree, here)
    shutil.move(here.parent, there.parent)
    assert names(tree, there) == before
    path = there / file
    path.write_text(path.read_text().replace(old, new))
    assert names(tree, there) != before


def test_the_digest_of_a_journal_line_does_not_depend_on_the_folder() -> None:
    def of(file: str, sha256: str = "0") -> str:
        workload = {"kind": "messages", "file": file, "file_sha256": sha256}
        return digest({"point_id": "a", "workload": workload}, "1", 1)

    assert of("data/ring.csv") == of("../elsewhere/ring.csv")
    assert of("data/ring.csv") != of("data/ring.csv", "1")
    assert of("data/ring.csv") != of("data/star.csv")


def test_a_path_without_a_digest_stays() -> None:
    part = {"file": "data/ring.csv", "pattern": "a/b"}
    assert by_content(part) is part


def test_files_of_a_program_keep_their_places_to_each_other() -> None:
    def build(*paths: str) -> dict[str, object]:
        files = [[path, str(n)] for n, path in enumerate(paths)]
        return {"build": {"root": ".", "sources": [paths[0]], "include": [], "files": files}}

    assert by_content(build("p/a/x.c", "p/b/x.c")) == by_content(build("a/x.c", "b/x.c"))
    assert by_content(build("p/a/x.c", "p/b/x.c")) != by_content(build("p/b/x.c", "p/a/x.c"))


def test_of_what_a_program_reads_name_and_content_count_and_the_place_does_not() -> None:
    def build(name: str, path: str, sha256: str) -> dict[str, object]:
        files, data = [["a/x.c", "0"]], [[name, path, sha256]]
        return {
            "build": {"root": ".", "sources": ["a/x.c"], "include": [], "files": files}
            | {"data": data}
        }

    assert by_content(build("n", "a/n", "0")) == by_content(build("n", "far/m", "0"))
    assert by_content(build("n", "a/n", "0")) != by_content(build("n", "a/n", "1"))
    assert by_content(build("n", "a/n", "0")) != by_content(build("m", "a/n", "0"))
