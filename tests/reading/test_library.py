"""`import weft`: what scripts and notebooks read."""

import subprocess
import sys

import duckdb
import nbformat
import pytest
import weft
from nbclient import NotebookClient
from weft.read import ReadError

from tests.patience import PATIENCE_S
from tests.workflow.conftest import ROOT

pytestmark = pytest.mark.slow


def test_answers_are_one_row_per_point_and_metric(project):
    found = weft.answers("tori", project)
    assert sorted(set(found.table["topology.k"].to_pylist())) == [3, 4, 5]
    assert set(found.table["status"].to_pylist()) == {"done"}
    assert found.swept == ("topology.k",)


def test_every_answer_has_what_its_point_cost(project):
    found = weft.answers("tori", project).table
    assert min(found["cpu_s"].to_pylist()) > 0
    costs = {(row["point_id"], row["cpu_s"], row["wall_s"]) for row in found.to_pylist()}
    assert len(costs) == 3


def test_parameters_that_the_experiment_lacks_are_left_out(project):
    names = weft.answers("tori", project).table.column_names
    assert "topology.k" in names
    assert "message_bytes" not in names or "workload.program" not in names


def test_answers_become_frames_of_pandas_and_polars(project):
    found = weft.answers("tori", project)
    assert found.to_pandas().shape == found.to_polars().shape == found.table.shape


def test_answers_are_arrow_data_for_other_libraries(project):
    found = weft.answers("tori", project)  # noqa: F841 - DuckDB finds it by name
    ((count,),) = duckdb.sql("SELECT count(*) FROM found").fetchall()
    assert count == len(weft.answers("tori", project))


def test_an_experiment_without_answers_is_an_error_that_names_near_ones(project):
    with pytest.raises(ReadError, match="did you mean 'tori'"):
        weft.answers("torii", project)


def test_a_project_without_results_says_so(tmp_path):
    (tmp_path / "Snakefile").touch()
    (tmp_path / "configs").mkdir()
    with pytest.raises(ReadError, match="nothing has been run here yet"):
        weft.answers("tori", tmp_path)


def test_a_notebook_completes_what_readers_need():
    assert set(weft.__all__) <= set(dir(weft))


def test_a_folder_that_is_no_project_is_refused(tmp_path):
    with pytest.raises(ReadError, match="is not a weft project"):
        weft.answers("tori", tmp_path)


def test_experiments_have_states_and_a_broken_file_hinders_no_other(project):
    found = {each.name: each for each in weft.experiments(project)}
    assert found["tori"].state == "done"
    assert (found["tori"].points, found["tori"].done) == (3, 3)
    assert found["tori"].topologies == ("torus",)
    assert found["untouched"].state == "new"
    assert found["broken"].state == "broken"
    assert "did you mean 'flow'" in (found["broken"].problem or "")


def test_a_figure_is_an_altair_chart_that_renders(project, tmp_path):
    chart = weft.figure("tori", 0, project)
    chart.save(tmp_path / "figure.svg")
    assert "ompletion time by k" in (tmp_path / "figure.svg").read_text()


@pytest.mark.parametrize("number", [9, -1, "tori"])
def test_a_figure_that_is_not_there_is_an_error_that_says_which_are(project, number):
    with pytest.raises(ReadError, match=f"has figures 0 to [0-9], not {number!r}"):
        weft.figure("tori", number, project)


def test_panels_of_a_figure_come_below_each_other_with_one_legend(with_quickstart, tmp_path):
    chart = weft.figure("quickstart", 1, with_quickstart)
    chart.save(tmp_path / "figure.svg")
    drawn = (tmp_path / "figure.svg").read_text()
    assert "program = alltoall" in drawn
    assert "program = allreduce" in drawn
    assert drawn.count(">hardware<") == 1


def test_a_file_whose_name_no_experiment_can_have_is_listed_with_the_reason(project):
    written = project.configs / "experiment" / "my idea.yaml"
    written.write_text("title: An idea\n")
    try:
        found = {each.name: each for each in weft.experiments(project)}
    finally:
        written.unlink()
    assert found["my idea"].state == "broken"
    assert "'my idea' is not a valid experiment name" in (found["my idea"].problem or "")
    assert found["tori"].state == "done"


def test_of_very_many_points_the_list_says_that_it_does_not_check_them(project):
    few = (project.configs / "experiment" / "untouched.yaml").read_text()
    written = project.configs / "experiment" / "many.yaml"
    written.write_text(f"{few}replicates: 30000\n")
    try:
        found = {each.name: each for each in weft.experiments(project)}
    finally:
        written.unlink()
    assert found["many"].state == "new, points unchecked"
    assert found["untouched"].state == "new"


@pytest.mark.parametrize(("number", "reason"), [(1, "it is a table"), (2, "figures 0 to 1")])
def test_what_is_no_chart_is_an_error(project, number, reason):
    with pytest.raises(ReadError, match=reason):
        weft.figure("tori", number, project)


def test_the_notebook_of_the_documentation_runs(with_quickstart, monkeypatch):
    monkeypatch.setenv("WEFT_PROJECT", str(with_quickstart.root))
    notebook = nbformat.read(ROOT / "docs" / "notebook.ipynb", as_version=4)
    done = NotebookClient(notebook, timeout=int(PATIENCE_S), kernel_name="python3").execute()
    outputs = [out for cell in done.cells for out in cell.get("outputs", ())]
    assert not [out for out in outputs if out.output_type == "error"]
    assert any("vega" in out.get("data", {}).get("text/html", "") for out in outputs)


def test_the_notebook_is_stored_without_outputs():
    """They would differ with every machine."""
    notebook = nbformat.read(ROOT / "docs" / "notebook.ipynb", as_version=4)
    assert not [cell for cell in notebook.cells if cell.get("outputs")]


def test_importing_weft_loads_nothing_else():
    """Every job imports weft."""
    code = "import sys, weft; print({'altair', 'duckdb', 'pyarrow'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"
