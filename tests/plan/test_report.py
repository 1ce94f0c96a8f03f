"""The report of a plan: models to whoever draws it, JSON on the disk, and checked when read."""

import json

import pytest
from weft.config.model.answer import Agreement, Best
from weft.config.model.figures import Congestion, Line, Map, Timeline
from weft.plan import Plan, Points, read_plan, write_plan
from weft.plan.report import EngineFacts, PlannedReport

REPORT = PlannedReport(
    paper="mfs",
    interval=0.9,
    compare=["x", "x@before"],
    figures=(
        Line(x="topology.k", y="makespan_s", where={"topology.sizes": [[2, 2], 4]}),
        Map(x="topology.k", y=["workload.pattern"], value="makespan_s", of="flow", to="packet"),
        Timeline(graph="link_throughput", start="1 us", end="12 ms"),
        Congestion(),
    ),
    answer=(Best(among="topology", each=[]), Agreement(within=0.2, where={"variant": "a"})),
    variants=(("b", {"options.model": "max_min"}), ("a", {"options.buffers": [1, 2]})),
    engines={"flow": EngineFacts(fidelity="flow", leaves_out=(("queues", None),))},
)


def stored(report):
    return Plan("x", "X", "?", Points.of([]), (), stored_report=report)


def test_what_is_written_is_what_is_read(tmp_path):
    write_plan(stored(REPORT.stored()), tmp_path / "plan.json")
    assert read_plan(tmp_path / "plan.json").report == REPORT


def test_variants_keep_their_order_in_sorted_json():
    text = json.dumps(REPORT.stored(), sort_keys=True)
    assert [name for name, _ in stored(json.loads(text)).report.variants] == ["b", "a"]


def test_options_that_a_plan_does_not_hold_have_the_defaults_of_experiments():
    assert stored({}).report.log_lines == PlannedReport().log_lines > 0


@pytest.mark.parametrize(
    ("report", "place"),
    [
        ({"interval": 2}, "report.interval"),
        ({"figures": [{"spiral": {"x": "topology.k"}}]}, "report.figures"),
        ({"figures": [{"line": {"x": "topology.k"}}]}, "report.figures"),
        ({"answer": [{"of": "makespan_s"}]}, "report.answer"),
    ],
)
def test_a_report_of_which_no_page_can_be_made_is_named(report, place):
    with pytest.raises(ValueError, match=f"plan of x .*{place}.*snakemake reports/x.html"):
        stored(report).report  # noqa: B018 - reading it is what fails


def test_experiment_files_still_need_units():
    with pytest.raises(ValueError, match="a time with its unit"):
        Timeline(graph="link_throughput", end=0.012)
