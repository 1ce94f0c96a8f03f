"""A file with a mistake hinders only its own experiment."""

import shutil
import subprocess
import sys

import pytest
from weft.config import ConfigErrors, load_experiments, other_mistakes, papers
from weft.config.compose.cache import FOLDER
from weft.config.load.loader import Loader
from weft.read import Project, ReadError, experiments
from weft.tables.declared import CATALOGUE_FILE

from tests.config.conftest import SHIPPED


@pytest.mark.parametrize(
    ("body", "key"),
    [
        ("title: [\n", ""),
        ("topolgy: {k: 4}\n", "topolgy"),
        ("seed: 99999999999999999999\n", "seed"),
        ("replicates: 1000000000\n", "replicates"),
        ("topology: &t {k: *t}\n", ""),
    ],
)
def test_a_mistake_is_found_beside_what_is_asked_for(tree, body, key):
    tree.experiment("", name="sound")
    tree.experiment(body, name="broken")
    assert [each.name for each in load_experiments(tree.configs, ["sound"])] == ["sound"]
    found = other_mistakes(tree.configs, ["sound"])["broken"]
    assert {error.key for error in found} >= {key}
    assert all("broken.yaml" in error.file for error in found)
    with pytest.raises(ConfigErrors):
        load_experiments(tree.configs)


def test_a_surprise_while_looking_at_others_is_no_more_than_a_mistake(tree, monkeypatch):
    tree.experiment("", name="sound")
    tree.experiment("", name="odd")

    def surprised(*_):
        raise RecursionError("too deep")

    monkeypatch.setattr("weft.config.load.loader.count_problems", surprised)
    (error,) = other_mistakes(tree.configs, ["sound"])["odd"]
    assert str(error) == "configs/experiment/odd.yaml: cannot be checked: too deep"


def test_papers_are_known_without_composing_anything(tree):
    tree.experiment("paper: mfs\n", name="a")
    tree.experiment("paper: mfs\ntopolgy: {}\n", name="b")
    tree.experiment("title: [\n", name="broken")
    assert papers(tree.configs) == {"mfs": ["a", "b"]}


def look(tree, asked=("sound",)):
    found = other_mistakes(tree.configs, asked)
    return [str(error) for mistakes in found.values() for error in mistakes]


@pytest.fixture
def looked(monkeypatch):
    """The experiments that a quick look opens, in their order."""
    names = []
    load = Loader.load
    monkeypatch.setattr(Loader, "load", lambda it: names.append(it.file.stem) or load(it))
    return names


def test_others_without_a_mistake_are_looked_at_once(tree, looked):
    tree.experiment("", name="sound")
    tree.experiment("", name="other")
    assert look(tree) == look(tree) == []
    assert looked == ["other"]


def test_a_list_of_experiments_looks_at_each_once(tree, looked):
    tree.experiment(
        "paper: mfs\nsweep: {topology: [mesh, torus]}\ntopology: {k: 4, dimensions: 2}\n",
        name="some",
    )
    tree.experiment("topolgy: {}\n", name="broken")
    project = Project(tree.configs.parent)
    first, again = experiments(project), experiments(project)
    assert first == again
    broken, some = again
    assert "topolgy" in broken.problem
    assert (some.topologies, some.engines, some.paper) == (("mesh", "torus"), ("flow",), "mfs")
    # The points of a sound one are a second look.
    assert looked == ["broken", "some", "some", "broken"]
    # A run finds what the list has found out.
    assert look(tree, ["broken"]) == []
    assert looked == ["broken", "some", "some", "broken"]


def test_a_list_forms_the_points_of_no_large_sweep(tree, monkeypatch):
    monkeypatch.setattr("weft.config.load.loader.Questions", None)
    tree.experiment("sweep: {workload.per_node: {from: 1, to: 20001, step: 1}}\n", name="large")
    assert [each.problem for each in experiments(Project(tree.configs.parent))] == [None]


def test_a_mistake_that_all_experiments_share_is_shown_with_each(tree):
    tree.experiment("", name="sound")
    path = tree.configs / "engine" / "flow.yaml"
    path.write_text(path.read_text().replace("description:", "discription:"))
    (only,) = experiments(Project(tree.configs.parent))
    assert "configs/engine/flow.yaml:2:1: description" in only.problem


def test_a_mistake_is_found_each_time(tree, looked):
    tree.experiment("topolgy: {}\n", name="broken")
    assert len(look(tree)) == len(look(tree)) == 1
    assert looked == ["broken", "broken"]


def test_a_file_that_changes_is_looked_at_again_and_no_other(tree, looked):
    tree.experiment("", name="a")
    tree.experiment("", name="b")
    assert look(tree) == []
    tree.experiment("topolgy: {}\n", name="b")
    assert "topolgy" in look(tree)[0]
    assert looked == ["a", "b", "b"]


@pytest.mark.parametrize(
    ("file", "old", "new", "message"),
    [
        ("experiment/base.yaml", "seed: 3", "seed: -3", "seed"),
        ("topology/mesh.yaml", "kind: mesh", "kind: [mesh", "not valid YAML"),
        ("engine/flow.yaml", "description:", "discription:", "description"),
        ("report/metrics.yaml", "makespan_s:", "makespan:", "makespan_s"),
        ("config.yaml", "2_000_000", "3", "3: ask for fewer"),
    ],
)
def test_whatever_an_experiment_depends_on_is_looked_at_again(tree, file, old, new, message):
    tree.experiment("seed: 3\n", name="base")
    tree.experiment(
        "defaults: [base, override /topology: mesh, _self_]\nreplicates: 4\n"
        "sweep: {topology.k: [3]}\nfigures: [{line: {x: topology.k, y: makespan_s}}]\n",
        name="other",
    )
    assert look(tree) == []
    path = tree.configs / file
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))
    try:
        found = "\n".join(look(tree))
    except ConfigErrors as errors:
        found = str(errors)
    assert message in found


def test_a_paper_that_goes_is_noticed(tree):
    tree.experiment("paper: mfs\n", name="other")
    assert look(tree) == []
    (tree.configs / "paper" / "mfs.yaml").unlink()
    assert "unknown paper 'mfs'" in look(tree)[0]


def test_an_experiment_that_others_compare_with_and_that_goes_is_noticed(tree):
    tree.experiment("", name="base")
    tree.experiment("report: {compare: [base, other]}\n", name="other")
    assert look(tree) == []
    (tree.configs / "experiment" / "base.yaml").unlink()
    assert "unknown experiment 'base'" in look(tree)[0]


@pytest.mark.slow
def test_a_quick_look_reads_nothing_beside_the_trees(tree):
    """What it reads elsewhere could change without its being looked at again."""
    shutil.copytree(SHIPPED / "experiment", tree.configs / "experiment", dirs_exist_ok=True)
    command = [sys.executable, "-c", WATCHED, str(tree.configs)]
    found = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()
    assert str(tree.configs / "experiment" / "quickstart.yaml") in found
    known = (str(tree.configs), str(tree.root / FOLDER), str(CATALOGUE_FILE))
    assert [path for path in found if not path.startswith(known)] == []


WATCHED = """
import sys
from pathlib import Path
import weft.config
from weft.config.load import quick_look
read = []
def hook(event, arguments):
    global read
    if event == "open" and watching and isinstance(arguments[0], str | Path):
        path = str(arguments[0])
        code = path.endswith((".py", ".pyc")) or path.startswith((sys.prefix, sys.base_prefix))
        read += [] if code else [path]
sys.addaudithook(hook)
watching = True
assert quick_look.other_mistakes(Path(sys.argv[1]), []) == {}
watching = False
print(*read, sep="\\n")
"""


WIDE = """\
engines: [hardware]
defaults:
  - override /topology: crossbar
  - override /network: gigabit
  - override /workload: alltoall
topology: {nodes: 16}
workload: {ranks: 16, message_size: 1 KiB}
quick: [workload.ranks=8]
"""


def test_a_list_judges_by_the_machine_that_it_is_asked_for(tree):
    tree.experiment(WIDE, name="wide")
    project = Project(tree.root)
    (here,) = experiments(project)
    assert here.problem is not None
    assert here.problem.endswith("16 ranks, but machine.ranks of machine local allows 4")
    (there,) = experiments(project, machine="slurm")
    assert there.problem is None
    (here,) = experiments(project)
    assert here.state == "broken"
    with pytest.raises(ReadError, match=r"slurn.*slurm"):
        experiments(project, machine="slurn")
