"""Archives by Snakemake: written from a page, and taken up again in another clone."""

import re
import shutil
from pathlib import Path
from zipfile import ZipFile

import pytest

from tests.workflow.conftest import BINARY, EXPERIMENT, ROOT, Outcome, Project

from .test_rebuild import report

pytestmark = [pytest.mark.slow, pytest.mark.long("archives")]
NAME = "small"
OWN = """
title: Own
question: Does it come along?
engines: [flow]
defaults: [override /topology: torus, override /network: gigabit, override /workload: trace]
workload: {{file: {place}}}
sweep: {{topology.k: [3, 4]}}
figures:
  - line: {{x: topology.k, y: makespan_s}}
"""
SWEPT = """
title: Swept
question: Which list takes longer?
engines: [flow]
defaults: [override /topology: torus, override /network: gigabit, override /workload: trace]
topology: {k: 3}
sweep: {workload.file: [ring.csv, pair.csv]}
figures:
  - line: {x: workload.file, y: makespan_s}
"""


def clone(folder: Path) -> Project:
    if not BINARY.exists():
        pytest.fail("the simulator is not built: run `make build`")
    folder.mkdir(parents=True, exist_ok=True)
    found = Project(folder)
    for name in ("LICENSE", "CITATION.cff"):
        shutil.copy(ROOT / name, folder)
    return found


@pytest.fixture(scope="module")
def packed(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Outcome]:
    """The archive of an experiment whose page was not made before."""
    project = clone(tmp_path_factory.mktemp("first"))
    project.small(NAME, [3, 4])
    done = project.run(f"archives/{NAME}.zip", "--cores", "1")
    assert done.code == 0, done.output
    return project.folder / "archives" / f"{NAME}.zip", done


@pytest.fixture
def other(tmp_path: Path, packed: tuple[Path, Outcome]) -> Project:
    """Another clone, which has the archive and not the experiment."""
    project = clone(tmp_path)
    (project.folder / "archives").mkdir()
    shutil.copy(packed[0], project.folder / "archives")
    return project


def take(project: Project, *more: str) -> Outcome:
    archive = f"from=archives/{NAME}.zip"
    return project.run(f"reports/{NAME}.html", "--cores", "1", "--config", archive, *more)


def test_a_page_that_is_missing_is_made_first(packed: tuple[Path, Outcome]) -> None:
    assert packed[1].jobs.keys() == {"simulate", "collect", "report", "archive"}
    with ZipFile(packed[0]) as zipped:
        names = zipped.namelist()
    assert f"reports/{NAME}.html" in names
    assert f"configs/experiment/{NAME}.yaml" in names
    assert "configs/topology/torus.yaml" in names


def test_it_is_rebuilt_where_nothing_else_of_weft_is(
    packed: tuple[Path, Outcome], tmp_path: Path
) -> None:
    with ZipFile(packed[0]) as zipped:
        zipped.extractall(tmp_path)
    done = report(tmp_path)
    assert done.returncode == 0, done.stderr
    assert "equal to the packed ones" in done.stdout


def test_another_clone_computes_nothing_of_it_again(other: Project) -> None:
    done = take(other)
    assert done.code == 0, done.output
    assert done.jobs.keys() == {"collect", "report"}
    assert "small: 1 of 1 archived shards count as finished" in done.output
    assert re.search(r"reports/small\.html: \d figures? as in archives/small\.zip", done.output)


def test_a_shard_that_is_damaged_here_is_computed_again_and_counts_so(other: Project) -> None:
    assert take(other).code == 0
    (table,) = other.folder.glob(f"results/{NAME}/flow/*/metrics.parquet")
    content = bytearray(table.read_bytes())
    content[len(content) // 2] ^= 1
    table.write_bytes(content)
    done = take(other)
    assert done.code == 0, done.output
    assert done.jobs["simulate"] == 1
    assert f"{table.name} was altered after it was written" in done.output
    said = "small: 0 of 1 archived shards count as finished; 1 damaged here, computed again\n"
    assert said in done.output


def test_a_user_adds_points_and_computes_only_those(other: Project) -> None:
    other.small(NAME, [3, 4, 5])
    done = take(other)
    assert done.code == 0, done.output
    assert done.jobs["simulate"] == 1
    assert len(other.computed(NAME)) == 3
    assert "as in archives/small.zip" in done.output


@pytest.mark.parametrize("place", ["ring.csv", "../data/ring.csv"])
def test_files_of_an_experiment_outside_of_the_clone_come_along(tmp_path: Path, place: str) -> None:
    project, own = clone(tmp_path / "first"), tmp_path / "mine"
    (own / "experiment").mkdir(parents=True)
    (own / "data").mkdir()
    (own / "experiment" / "own.yaml").write_text(OWN.format(place=place))
    (own / "experiment" / place).write_text("src,dst,bytes\n0,1,8\n1,2,8\n")
    done = project.run("archives/own.zip", "--cores", "1", "--config", f"search_path={own}")
    assert done.code == 0, done.output
    shutil.rmtree(own)
    other = clone(tmp_path / "a" / "second")
    taken = ("--cores", "1", "--config", f"from={project.folder / 'archives' / 'own.zip'}")
    done = other.run("reports/own.html", *taken)
    assert done.code == 0, done.output
    assert "own: 1 of 1 archived shards count as finished" in done.output
    assert done.jobs.keys() == {"collect", "report"}
    # A job of the clone's own reads the list.
    more = "overrides=[network.latency=3us]"
    done = other.run("reports/own.html", *taken, more)
    assert done.code == 0, done.output
    assert done.jobs["simulate"] == 1


def test_swept_files_outside_of_the_clone_have_the_same_names_in_another(tmp_path: Path) -> None:
    project, own = clone(tmp_path / "first"), tmp_path / "mine"
    (own / "experiment").mkdir(parents=True)
    (own / "experiment" / "own.yaml").write_text(SWEPT)
    for name, line in {"ring.csv": "1,2,8", "pair.csv": "1,0,8"}.items():
        (own / "experiment" / name).write_text(f"src,dst,bytes\n0,1,8\n{line}\n")
    done = project.run("archives/own.zip", "--cores", "1", "--config", f"search_path={own}")
    assert done.code == 0, done.output
    shutil.rmtree(own)
    other = clone(tmp_path / "a" / "second")
    taken = f"from={project.folder / 'archives' / 'own.zip'}"
    done = other.run("reports/own.html", "--cores", "1", "--config", taken)
    assert done.code == 0, done.output
    assert done.jobs.keys() == {"collect", "report"}


def test_a_page_without_an_archived_row_is_a_failure(other: Project) -> None:
    other.small(NAME, [4, 5])
    done = take(other)
    assert done.code == 1
    assert "reports/small.html differs from archives/small.zip" in done.output
    assert "rows differ; packed: " in done.output


def test_a_damaged_archive_stops_before_anything_runs(other: Project) -> None:
    archive = other.folder / "archives" / f"{NAME}.zip"
    archive.write_bytes(archive.read_bytes()[:-100])
    done = take(other)
    assert done.code == 1
    assert done.output.count("weft: ") == 1
    assert "archives/small.zip is damaged or not a complete ZIP file" in done.output
    assert not (other.folder / "results" / NAME).exists()


def test_an_archive_of_another_experiment_is_refused(other: Project) -> None:
    other.small("large", [6])
    done = other.run("reports/large.html", "--config", f"from=archives/{NAME}.zip")
    assert done.code == 1
    assert "archives/small.zip holds small, and not large" in done.output


def test_a_look_writes_no_results(other: Project) -> None:
    done = take(other, "-n")
    assert done.code == 1
    assert "writes results: not in a dry run" in done.output


def test_a_paper_is_packed_with_its_numbers_and_rebuilt(tmp_path: Path) -> None:
    project = clone(tmp_path / "clone")
    figure = "figures:\n  - line: {x: topology.k, y: makespan_s, published: mfs/table1}\n"
    project.write("tori", f"paper: mfs\n{EXPERIMENT.format(title='Tori', sizes=[3, 4])}{figure}")
    done = project.run("archives/paper_mfs.zip", "--cores", "1")
    assert done.code == 0, done.output
    unpacked = tmp_path / "unpacked"
    with ZipFile(project.folder / "archives" / "paper_mfs.zip") as zipped:
        zipped.extractall(unpacked)
    for name in (
        "reports/paper_mfs.html",
        "configs/paper/mfs.yaml",
        "configs/paper/mfs/table1.csv",
        "configs/experiment/tori.yaml",
    ):
        assert (unpacked / name).is_file(), name
    again = report(unpacked)
    assert again.returncode == 0, again.stderr
    assert "1 figure with" in again.stdout
