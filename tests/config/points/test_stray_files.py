"""One rule for every key that names a file: what the file is after all links and references lies in
the project or beside the experiment, unless the machine file allows its folder."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, get_args, get_origin

import pytest
from weft.config import ConfigErrors, load_experiments
from weft.config.language.attribute_docs import attribute_docs
from weft.config.language.section import Settings
from weft.config.model.engine import declared_engines
from weft.config.model.experiment import ExperimentFile
from weft.config.model.kinds import KINDS
from weft.config.model.network import Network
from weft.config.model.report import Report
from weft.config.points.named_files import branches

from tests.config.conftest import HEAD, SHIPPED, Tree

#: Texts about files that name none which an experiment reads.
NO_FILE = {
    "file.paper": "the name of a file in configs/paper",
    "workload.program": "a word without a path; the file of that name is checked",
    "workload.jobs.program": "likewise",
    "workload.program.build.executable": "a path in the copy of the folder, below it",
    "workload.jobs.program.build.executable": "likewise",
    "workload.program.build.files": "patterns below the folder, whose links may not leave it",
    "workload.jobs.program.build.files": "likewise",
    "workload.program.passes": "patterns of what a program prints",
    "workload.program.fails": "likewise",
    "workload.jobs.program.passes": "likewise",
    "workload.jobs.program.fails": "likewise",
    "topology.node_names": "names of nodes",
    "workload.arguments": "the program gets them as they are, and opens what it may",
    "workload.outstanding": "a number or a word",
}
TRACE = "defaults: [override /topology: crossbar, override /workload: trace]\n"
GRAPH = "defaults: [override /topology: graph, override /workload: uniform]\n"
RANKS = "engines: [rdma]\ndefaults: [override /workload: pingpong]\n"
JOBS = "defaults: [override /workload: jobs]\n"
#: An experiment for every key: PATH is the path.
KEYS = {
    "topology.file": GRAPH + "topology: {file: PATH, node_names: [a]}\n",
    "topology.routes": GRAPH
    + "topology: {file: net.csv, node_names: [a], routing: table, routes: PATH}\n",
    "network.calibrated_from": "network: {calibrated_from: PATH.yaml,"
    " bandwidth: null, latency: null}\n",
    "workload.file": TRACE + "workload: {file: PATH}\n",
    "workload.input": f"{RANKS}workload: {{input: PATH, arguments: ['{{input}}']}}\n",
    "workload.placement_file": JOBS
    + "workload: {placement: file, placement_file: PATH, jobs: [{program: pingpong, ranks: 2}]}\n",
    "workload.jobs.trace": JOBS + "workload: {jobs: [{trace: PATH.weft-trace}]}\n",
    "workload.jobs.input": JOBS + "workload: {jobs: [{program: pingpong, ranks: 2, input: PATH,"
    " arguments: ['{input}']}]}\n",
    "engine.anet.ports_file": RANKS.replace("rdma", "anet")
    + "engine: {anet: {ports_file: PATH}}\n",
    "engine.model.curve_file": "engines: [model]\ndefaults: [override /workload: alltoall]\n"
    "engine: {model: {curve_file: PATH}}\n",
}
KEYS |= {
    f"engine.{name}.rank_file": RANKS.replace("rdma", name)
    + f"engine: {{{name}: {{rank_to_node: file, rank_file: PATH}}}}\n"
    for name in ("rdma", "flow", "packet", "anet")
}
IN_PROGRAMS = {
    "sources": "sources: [PATH.c]",
    "executable": "executable: PATH",
    "include": "sources: [a.c], include: [PATH]",
    "data": "sources: [a.c], data: {x: PATH}",
    "build.folder": "build: {folder: PATH, command: [make], executable: x}",
}
KEYS |= {
    f"workload.program.{key}": "engines: [rdma]\ntopology: {nodes: 8}\n"
    f"workload: {{kind: program, program: {{name: a, {text}}}}}\n"
    for key, text in IN_PROGRAMS.items()
}
KEYS |= {
    f"workload.jobs.program.{key}": JOBS
    + f"workload: {{jobs: [{{ranks: 2, program: {{name: a, {text}}}}}]}}\n"
    for key, text in IN_PROGRAMS.items()
}


def sections() -> Iterator[tuple[str, type[Settings]]]:
    yield from (("topology", model) for model in KINDS["topology"].values())
    yield from (("workload", model) for model in KINDS["workload"].values())
    yield "network", Network
    engines = declared_engines(SHIPPED)
    yield from ((f"engine.{name}", engine.model) for name, engine in engines.items())
    yield from (("report", Report), ("file", ExperimentFile))


def texts(model: type[Settings], key: str) -> Iterator[tuple[str, bool, str]]:
    """Every key of a model whose value is or holds a text, whether it is marked as a file, and
    what its model says of it."""
    about = attribute_docs(model)
    for name, field in model.model_fields.items():
        said = field.description or about.get(name, "")
        kind = Annotated[field.annotation, *field.metadata] if field.metadata else field.annotation
        for where, is_file in _texts(kind, f"{key}.{name}"):
            yield where, is_file, said if where == f"{key}.{name}" else ""


def _texts(kind: Any, key: str) -> Iterator[tuple[str, bool]]:
    for plain, is_file in branches(kind):
        if isinstance(plain, type) and issubclass(plain, Settings):
            yield from ((where, marked) for where, marked, _ in texts(plain, key))
        elif plain is str:
            yield key, is_file
        elif get_origin(plain) in (list, dict):
            yield from _texts(get_args(plain)[-1], key)


def every_text() -> list[tuple[str, bool, str]]:
    return [each for section, model in sections() for each in texts(model, section)]


def test_every_key_that_names_a_file_has_a_case_here() -> None:
    assert {key for key, is_file, _ in every_text() if is_file} == {*KEYS}


def test_no_key_that_speaks_of_a_file_lacks_the_mark() -> None:
    speaks = re.compile(r"\b(path|paths|file|files|folder|folders|directory|CSV)\b", re.IGNORECASE)
    for key, is_file, said in every_text():
        named = speaks.search(said) or speaks.search(key.rpartition(".")[2].replace("_", " "))
        assert not named or is_file or key in NO_FILE, f"{key}: {said}"


@pytest.fixture(autouse=True)
def _project(tree: Tree) -> None:
    (tree.root / "net.csv").write_text("from,to\na,s\nb,s\n")
    (tree.configs / "experiment" / "a.c").write_text("int main(void) { return 0; }\n")


@pytest.fixture
def elsewhere(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of the user that is none of the experiment's, under any name that a key takes."""
    folder = tmp_path_factory.mktemp("elsewhere")
    for name in ("secret", "secret.c", "secret.yaml", "secret.weft-trace"):
        (folder / name).write_text("root:hash\n")
    return folder


def refused(tree: Tree, key: str, text: str, real: Path) -> None:
    tree.experiment(KEYS[key].replace("PATH", text))
    error = tree.error()
    assert re.sub(r"\[\d+\]|\.x$", "", error.key) == key
    assert error.mark is not None
    assert f"{real}, which lies neither in the project nor in" in error.message
    assert f"allow it with readable: [{real.parent}] in the machine file" in error.message
    assert "root:hash" not in error.message


def ending(key: str) -> str:
    found = re.search(r"PATH(\.[\w-]+)", KEYS[key])
    return found[1] if found else ""


@pytest.mark.parametrize("key", KEYS)
def test_no_key_follows_a_link_out_of_the_project(tree: Tree, elsewhere: Path, key: str) -> None:
    is_folder = key.endswith(("include", "folder"))
    real = elsewhere if is_folder else elsewhere / f"secret{ending(key)}"
    (tree.root / f"link{ending(key)}").symlink_to(real)
    refused(tree, key, "link", real)


@pytest.mark.parametrize("key", [key for key in KEYS if ".program." not in key])
def test_no_key_names_a_file_elsewhere(tree: Tree, elsewhere: Path, key: str) -> None:
    real = elsewhere / f"secret{ending(key)}"
    refused(tree, key, str(elsewhere / "secret"), real)
    up = "../" * 12
    refused(tree, key, f"{up}{elsewhere}/secret", real)


def test_a_path_put_together_from_other_values_is_followed(tree: Tree, elsewhere: Path) -> None:
    body = (
        f"engines: [rdma]\ndefaults: [override /workload: pingpong]\n"
        f"title: {str(elsewhere)[1:]}\nworkload: {{arguments: ['/']}}\n"
        "engine: {rdma: {rank_to_node: file, "
        "rank_file: '${workload.arguments[0]}${title}/${workload.program}'}}\n"
    )
    (elsewhere / "pingpong").write_text("rank,node\n0,1\n1,0\n")
    head = "question: Q?\n"
    tree.write("experiment/x.yaml", head + body)
    error = tree.error()
    assert error.key == "engine.rdma.rank_file"
    assert f"{elsewhere / 'pingpong'}, which lies neither" in error.message


def test_a_swept_path_is_followed(tree: Tree, elsewhere: Path) -> None:
    (tree.root / "list.csv").write_text("src,dst,bytes\n0,1,8\n")
    secret = elsewhere / "secret"
    tree.experiment(f"{TRACE}sweep: {{workload.file: [list.csv, {secret}]}}\n")
    assert f"{secret}, which lies neither" in tree.error().message


@pytest.mark.parametrize("place", ["programs/linked.c", "configs/experiment/linked.c"])
def test_the_name_of_a_program_is_no_way_around(tree: Tree, elsewhere: Path, place: str) -> None:
    (tree.root / place).symlink_to(elsewhere / "secret.c")
    tree.experiment(f"{RANKS}workload: {{program: linked}}\n")
    error = tree.error()
    assert error.key == "workload.program"
    assert f"{elsewhere / 'secret.c'}, which lies neither" in error.message


@pytest.mark.parametrize("line", ['#include "own.h"', "#include NAME"])
def test_a_header_is_no_way_around(tree: Tree, elsewhere: Path, line: str) -> None:
    here = tree.configs / "experiment"
    (here / "a.c").write_text(f"{line}\nint main(void) {{ return 0; }}\n")
    (here / "own.h").symlink_to(elsewhere / "secret")
    tree.experiment(KEYS["workload.program.sources"].replace("PATH", "a"))
    error = tree.error()
    assert error.key == "workload.program"
    assert f"own.h leads to {elsewhere / 'secret'}, which lies neither" in error.message


@pytest.mark.parametrize("entry", ["../../elsewhere/group", "/../elsewhere/group@topology"])
def test_no_group_is_read_elsewhere(tree: Tree, tmp_path: Path, entry: str) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "group.yaml").write_text("hash: hash\n")
    tree.experiment(f"defaults: ['{entry}']\n")
    assert "hash" not in tree.error().message.replace(entry, "")


def test_the_machine_file_allows_a_folder(tree: Tree, elsewhere: Path) -> None:
    (elsewhere / "list.csv").write_text("src,dst,bytes\n0,1,8\n")
    tree.write("machine/mine.yaml", f"readable: [{elsewhere}]\n")
    body = f"{TRACE}workload: {{file: {elsewhere}/list.csv}}\n"
    tree.experiment(body.replace("trace]", "trace, override /machine: mine]"))
    assert tree.load().machine.readable == (str(elsewhere),)
    tree.experiment(body)
    assert "readable" in tree.error().message
    assert tree.load([f"machine.readable=[{elsewhere}]"]).machine.readable


def test_an_experiment_allows_itself_nothing(tree: Tree, elsewhere: Path) -> None:
    tree.refuses(f"machine: {{readable: [{elsewhere}]}}\n", "machine.readable", "machine file")


def test_a_readable_folder_is_an_absolute_path(tree: Tree) -> None:
    tree.experiment("")
    assert "is not an absolute path" in tree.error(["machine.readable=[traces]"]).message


def test_an_experiment_outside_of_the_project_reads_beside_itself_alone(
    tree: Tree, elsewhere: Path
) -> None:
    mine = elsewhere / "mine"
    (mine / "experiment").mkdir(parents=True)
    (mine / "list.csv").write_text("src,dst,bytes\n0,1,8\n")
    file = mine / "experiment" / "own.yaml"
    file.write_text(f"{HEAD}engines: [flow]\n{TRACE}workload: {{file: list.csv}}\n")
    assert load_experiments(tree.configs, ["own"], search_path=[mine])
    file.write_text(f"{HEAD}engines: [flow]\n{TRACE}workload: {{file: ../secret}}\n")
    with pytest.raises(ConfigErrors, match=f"{elsewhere}/secret, which lies neither"):
        load_experiments(tree.configs, ["own"], search_path=[mine])
