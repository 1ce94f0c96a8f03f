"""Sentences of the answer: what is missing, units, and nothing said twice or kept silent."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import packet_samples
import pytest
from report_samples import CONFIGS, make_plan, point, run
from weft.report.answers import answer
from weft.report.answers.box import MAX_SENTENCES, few
from weft.report.curves.rows import figure_data
from weft.report.data.figures import study_figures
from weft.report.data.source import open_study
from weft.report.data.units import key_label, listing, settings_label
from weft.report.draw.palette import Palette
from weft.report.html.drawings import figure_drawing
from weft.report.kinds.map.finding import map_findings
from weft.report.record.outcome import coverage

LATENCY = {"x": "workload.injection_rate", "y": "packet_latency_mean_cycles", "log_y": True}


def box_text(built: tuple[Path, Path]) -> str:
    with open_study(*built, CONFIGS) as study:
        return " ".join(answer(study, study_figures(study), [], coverage(study)).sentences)


def test_when_all_points_failed_the_answer_says_so_and_why(tmp_path: Path) -> None:
    text = box_text(packet_samples.loads(tmp_path, [], failed=True))
    assert "No point has an answer: 16 points are planned, 16 failed." in text
    assert "The first that failed: exit code 3." in text


def test_one_finding_more_is_not_spoken_of_as_many() -> None:
    for more, said in ((1, "1 more finding like"), (2, "2 more findings like")):
        assert said in few(["It is so."] * (MAX_SENTENCES + more))[-1]


@pytest.mark.slow
def test_one_point_is_not_spoken_of_as_many(tmp_path: Path) -> None:
    at = point("booksim", {}, {"topology": {"k": 4}})
    runs = [run(at, "skipped", error="no executable")]
    text = box_text(packet_samples.stored(tmp_path, make_plan("one", [at], []), [], runs))
    assert "1 point is planned, 1 skipped." in text
    assert "booksim: 1 of 1 point was skipped: no executable." in text


@pytest.mark.slow
@pytest.mark.parametrize("named", ["report", "answer", "nothing"])
def test_without_its_reference_an_agreement_is_first_of_all_not_answered(
    tmp_path: Path, named: str
) -> None:
    ours, theirs = (point(engine, {}, {"topology": {"k": 4}}) for engine in ("packet", "booksim"))
    plan = make_plan("one", [ours, theirs], [])
    asked = [{"kind": "agreement", "to": "booksim"}]
    more = {"report": {"reference": "booksim"}, "answer": {"answer": asked}}
    plan = replace(plan, stored_report={**plan.stored_report, **more.get(named, {})})
    runs = [run(ours), run(theirs, "skipped", error="no executable")]
    metrics = [packet_samples.value(ours, "makespan_s", 1e-6, "s")]
    text = box_text(packet_samples.stored(tmp_path, plan, metrics, runs))
    first = "Whether packet agrees with booksim is not answered: booksim could not run. What"
    assert text.startswith(first) == (named != "nothing")
    assert "booksim: 1 of 2 points was skipped: no executable." in text


@pytest.mark.slow
@pytest.mark.parametrize("sizes", [(4,), (4, 8)])
def test_all_values_is_said_of_several_points_alone(tmp_path: Path, sizes: tuple[int, ...]) -> None:
    points = [point("flow", {"topology.k": k}, {"topology": {"k": k}}) for k in sizes]
    metrics = [packet_samples.value(at, "makespan_s", 1e-6, "s") for at in points]
    plan = make_plan("even", points, [{"line": {"x": "topology.k", "y": "makespan_s"}}])
    text = box_text(packet_samples.stored(tmp_path, plan, metrics, [run(at) for at in points]))
    one, several = (
        "flow: completion time is 1 µs.",
        "The completion time is 1 µs at all 2 values of k.",
    )
    assert (one in text, several in text) == (len(sizes) == 1, len(sizes) > 1)


def test_default_figures_show_the_metrics_of_the_answer_alone(tmp_path: Path) -> None:
    with open_study(*packet_samples.loads(tmp_path, []), CONFIGS) as study:
        names = [figure.y for figure in study_figures(study)]
    assert names == ["accepted_rate", "packet_latency_mean_cycles"]


@pytest.mark.slow
def test_loads_are_reported_once_however_many_metrics_figures_show(tmp_path: Path) -> None:
    rates = {**LATENCY, "y": "accepted_rate", "where": {"topology": "mesh"}}
    figures = [{"line": LATENCY}, {"line": rates}]
    text = box_text(packet_samples.loads(tmp_path, figures, answer=({"kind": "along"},)))
    assert text.count("saturates at") == 1


@pytest.mark.slow
def test_a_figure_says_where_saturated_points_have_no_value(tmp_path: Path) -> None:
    built = packet_samples.loads(tmp_path, [{"line": LATENCY}])
    with open_study(*built, CONFIGS) as study:
        notes = figure_data(study, study.plan.report.figures[0]).notes
    wanted = "packet · torus at 0.4; packet · mesh from 0.3."
    assert notes == [
        f"Saturated, so without mean packet latency: {wanted} Arrows mark the last values before."
    ]


@pytest.mark.slow
def test_a_panel_of_a_number_is_named_with_its_key(tmp_path: Path) -> None:
    line = {**LATENCY, "row": "topology.k"}
    with open_study(*packet_samples.loads(tmp_path, [{"line": line}]), CONFIGS) as study:
        (note,) = figure_data(study, study.plan.report.figures[0]).notes
    assert "k = 6 (packet) at 0.4; k = 8 (packet) from 0.3." in note


@pytest.mark.slow
def test_a_series_that_saturates_has_a_mark_at_its_end(tmp_path: Path) -> None:
    built = packet_samples.loads(tmp_path, [{"line": LATENCY}])
    with open_study(*built, CONFIGS) as study:
        figure = study.plan.report.figures[0]
        (panel,) = figure_drawing(study, figure, "f", "", Palette()).panels
    ends = {row["series"]: row["x"] for row in panel.spec["data"]["values"] if row.get("ends")}
    assert ends == {"packet · torus": 0.3, "packet · mesh": 0.2}
    assert any(layer["mark"].get("shape") == "arrow" for layer in panel.spec["layer"])


@pytest.mark.slow
def test_a_figure_of_settings_that_overrides_took_away_says_so(tmp_path: Path) -> None:
    line = {**LATENCY, "where": {"topology.k": [4, 5]}}
    with open_study(*packet_samples.loads(tmp_path, [{"line": line}]), CONFIGS) as study:
        figure = study.plan.report.figures[0]
        drawing = figure_drawing(study, figure, "f", "", Palette())
    assert drawing.notes == ["No point of this run has k = 4 or 5."]


@pytest.mark.slow
def test_a_logarithmic_axis_ends_near_the_values(tmp_path: Path) -> None:
    built = packet_samples.loads(tmp_path, [{"line": LATENCY}])
    with open_study(*built, CONFIGS) as study:
        figure = study.plan.report.figures[0]
        (panel,) = figure_drawing(study, figure, "f", "", Palette()).panels
    low, high = panel.spec["layer"][0]["encoding"]["y"]["scale"]["domain"]
    assert 15 < low < 17
    assert 27 < high < 30


def test_settings_are_reported_with_their_units() -> None:
    text = settings_label(
        [("network.hop_latency_s", 1.28e-6), ("options.channel_latency_cycles", 1)]
    )
    assert text == "hop latency = 1.28 µs, channel latency = 1 cycle"
    assert key_label("network.bandwidth_bytes_per_s") == "Bandwidth"
    assert key_label("topology.failed.links") == "Failed links"


@pytest.mark.slow
def test_what_names_a_series_is_not_repeated(tmp_path: Path) -> None:
    points, metrics = [], []
    for channels, k in ((1, 8), (2, 4)):
        for load in (0.1, 0.2):
            spec: dict[str, Any] = {"topology": {"k": k}, "workload": {"injection_rate": load},
                                    "options": {"virtual_channels": channels}}  # fmt: skip
            where = {"options.virtual_channels": channels, "topology.k": k,
                     "workload.injection_rate": load}  # fmt: skip
            at = point("packet", where, spec)
            points.append(at)
            metrics.append(packet_samples.value(at, "hops_mean", load))
    plan = make_plan("z", points, [{"line": {**LATENCY, "y": "hops_mean"}}])
    built = packet_samples.stored(tmp_path, plan, metrics, [run(at) for at in points])
    text = box_text(built)
    assert "virtual channels = " not in text
    assert "0.2 at an injection rate of 0.2." in text


def test_values_that_agree_equally_seldom_are_all_named(tmp_path: Path) -> None:
    fields = {"x": "workload.injection_rate", "y": ["topology"], "value": "cycles"}
    points, metrics = [], []
    for load in (0.1, 0.2, 0.3, 0.4, 0.5):
        for kind in ("mesh", "torus"):
            for engine in ("flow", "packet"):
                where = {"topology": kind, "workload.injection_rate": load}
                spec = {"topology": {"kind": kind}, "workload": {"injection_rate": load}}
                at = point(engine, where, spec)
                off = engine == "flow" and load > 0.2 and kind == "torus"
                points.append(at)
                metrics.append(packet_samples.value(at, "accepted_rate", 2.0 if off else 1.0))
    figure = {**fields, "value": "accepted_rate", "of": "flow", "to": "packet", "within": 0.05}
    plan = make_plan("ties", points, [{"map": figure}])
    built = packet_samples.stored(tmp_path, plan, metrics, [run(p) for p in points])
    with open_study(*built, CONFIGS) as study:
        text = " ".join(map_findings(study, study.plan.report.figures[0]))
    assert "least often at torus (40%), an injection rate of 0.3 to 0.5 (50%)." in text


@pytest.mark.slow
def test_labels_of_categories_lie_flat_where_there_is_room(tmp_path: Path) -> None:
    built = packet_samples.loads(tmp_path, [{"bar": {"x": "topology.kind", "y": "accepted_rate"}}])
    with open_study(*built, CONFIGS) as study:
        figure = study.plan.report.figures[0]
        (panel,) = figure_drawing(study, figure, "f", "", Palette()).panels
    assert panel.spec["layer"][0]["encoding"]["x"]["axis"]["labelAngle"] == {
        "expr": "min(width, 0) + (containerSize()[0] || width) < 155 ? 270 : 0"
    }


@pytest.mark.parametrize(
    ("texts", "said"),
    [
        (["a"], "a"),
        (["a", "b"], "a and b"),
        (["1,024 B", "b", "c"], "1,024 B, b and c"),
        (["a, b", "c, d"], "a, b; and c, d"),
        (["a", "b, c", "d"], "a; b, c; and d"),
    ],
)
def test_names_with_commas_stay_apart_in_a_list(texts: list[str], said: str) -> None:
    assert listing(texts) == said
