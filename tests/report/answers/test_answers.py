"""The answer box: what it speaks of, and against what."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import duckdb
import packet_samples
import pytest
from answer_samples import LINE, one_engine, sentences, stored
from report_samples import CONFIGS, Row, make_plan, point, run
from weft.plan import read_plan
from weft.report.answers import answer
from weft.report.data.figures import study_figures
from weft.report.data.references import comparisons
from weft.report.data.source import open_study
from weft.report.record.outcome import coverage

pytestmark = pytest.mark.slow


def test_the_best_alternative_is_reported_with_its_lead(tmp_path: Path) -> None:
    values = one_engine(
        ("mesh", 4, 2e-6), ("torus", 4, 1e-6), ("mesh", 8, 6e-6), ("torus", 8, 2e-6)
    )
    text, *_ = sentences(stored(tmp_path, values, [{"line": LINE}]))
    assert text == (
        "torus has the lowest completion time at both values of k, ahead of mesh by ×2.00 to ×3.00."
    )


def test_behind_the_best_a_page_says_what_the_number_changes(tmp_path: Path) -> None:
    """Who sweeps failed links under two routings asks what failures cost, too."""
    values = one_engine(
        ("mesh", 4, 2e-6), ("torus", 4, 1e-6), ("mesh", 8, 6e-6), ("torus", 8, 2e-6)
    )
    with open_study(*stored(tmp_path, values, [{"line": LINE}]), CONFIGS) as study:
        found = answer(study, study_figures(study), [], coverage(study))
    assert found.verdict == 3
    assert found.findings[1:] == (
        "mesh: against 2 µs at k = 4, the completion time is ×3.00 with 8.",
        "torus: against 1 µs at k = 4, the completion time is ×2.00 with 8.",
    )


def test_where_the_lead_changes_is_reported(tmp_path: Path) -> None:
    values = one_engine(
        ("mesh", 2, 1e-6), ("mesh", 4, 2e-6), ("mesh", 8, 8e-6),
        ("torus", 2, 2e-6), ("torus", 4, 3e-6), ("torus", 8, 4e-6),
    )  # fmt: skip
    text, *_ = sentences(stored(tmp_path, values, [{"line": LINE}]))
    assert text == (
        "Along k, the lowest completion time is that of mesh up to 4, ahead by up to ×2.00, and"
        " that of torus at 8, ahead by up to ×2.00."
    )


def test_means_within_their_scatter_are_reported_as_ties(tmp_path: Path) -> None:
    values = [
        ("flow", kind, k, seed, seconds * k)
        for k in (4, 8)
        for kind, times in (("mesh", (1e-6, 2e-6, 3e-6)), ("torus", (2e-6, 1e-6, 3.2e-6)))
        for seed, seconds in enumerate(times)
    ]
    text, *_ = sentences(stored(tmp_path, values, [{"line": LINE}]))
    assert text == (
        "mesh and torus do not differ in completion time by more than their scatter at both values"
        " of k."
    )


def test_the_engine_that_a_question_asks_for_is_named(tmp_path: Path) -> None:
    values = [(engine, kind, 4, 0, seconds) for engine in ("flow", "packet")
              for kind, seconds in (("mesh", 2e-6), ("torus", 1e-6))]  # fmt: skip
    asked = {
        "kind": "best",
        "of": "makespan_s",
        "among": "topology.kind",
        "where": {"engine": "flow"},
    }
    (text, *_) = sentences(stored(tmp_path, values, [{"line": LINE}], answer=[asked]))
    assert text.endswith("by ×2.00 (flow).")


def test_what_is_asked_about_one_reference_is_not_answered_by_another(tmp_path: Path) -> None:
    """Where the engine that a question names has no values, the page compares with no other."""
    values = [
        ("flow", "mesh", 4, 0, 1e-6),
        ("packet", "mesh", 4, 0, 1e-6),
        ("rdma", "torus", 4, 0, 1e-6),
    ]
    with open_study(*stored(tmp_path, values, [{"line": LINE}]), CONFIGS) as study:
        here = [{"topology.kind": "mesh"}]
        (found,) = comparisons(study, "makespan_s", [], here)
        assert found.to == "packet"
        assert comparisons(study, "makespan_s", [], here, "rdma") == []


def test_what_a_figure_leaves_out_is_not_in_the_answer(tmp_path: Path) -> None:
    values = [
        (engine, kind, k, 0, seconds)
        for kind in ("mesh", "torus")
        for k in (4, 8)
        for engine, seconds in (("flow", 1e-6), ("packet", 1e-6 if kind == "mesh" else 9e-6))
    ]
    figures = [{"line": {**LINE, "where": {"topology.kind": "mesh"}}}]
    asked = {"answer": [{"kind": "agreement"}]}
    text, *_ = sentences(stored(tmp_path, values, figures, **asked))
    assert text.startswith("flow gives exactly the same completion time as packet, at all 2 values")


def test_the_simplest_model_that_suffices_is_named_for_each_value(tmp_path: Path) -> None:
    times = {
        "flow": {"mesh": 1.02e-6, "torus": 1.5e-6, "fat_tree": 2e-6},
        "rdma": {"mesh": 1.01e-6, "torus": 1.04e-6, "fat_tree": 0.5e-6},
        "booksim": {"mesh": 1e-6, "torus": 1e-6, "fat_tree": 1e-6},
    }
    values = [
        (engine, kind, 4, 0, seconds)
        for engine, found in times.items()
        for kind, seconds in found.items()
    ]
    question = {
        "kind": "agreement",
        "of": "makespan_s",
        "to": "booksim",
        "within": 0.05,
        "each": "topology.kind",
    }
    assert sentences(stored(tmp_path, values, [{"line": LINE}], answer=[question])) == [
        "Within 5% of booksim in completion time, flow suffices for mesh; rdma suffices for torus;"
        " none suffices for fat_tree: the nearest is off by up to ×2.00."
    ]


def test_a_model_suffices_for_programs_also_where_whole_workloads_are_swept(tmp_path: Path) -> None:
    """The values then have no key `workload.program`, which follows from the workload."""
    times = {"flow": {"ring": 1.01e-6, "tree": 2e-6}, "booksim": {"ring": 1e-6, "tree": 1e-6}}
    points, metrics = [], []
    for engine, found in times.items():
        for program, seconds in found.items():
            spec: Row = {"topology": {}, "network": {}, "options": {}}
            spec["workload"] = {"kind": "program", "program": program}
            points.append(at := point(engine, {"workload": program}, spec))
            metrics.append(packet_samples.value(at, "makespan_s", seconds, "s"))
    line = {"x": "workload", "y": "makespan_s"}
    plan = make_plan("programs", points, [{"line": line}])
    question = {"kind": "agreement", "of": "makespan_s", "to": "booksim", "within": 0.05}
    question["each"] = "workload.program"
    plan = replace(plan, stored_report={**plan.stored_report, "answer": [question]})
    built = packet_samples.stored(tmp_path, plan, metrics, [run(at) for at in points])
    assert sentences(built) == [
        "Within 5% of booksim in completion time, flow suffices for ring;"
        " none suffices for tree: the nearest is off by up to ×2.00."
    ]


def test_a_measurement_stays_where_a_filter_is_about_networks(tmp_path: Path) -> None:
    built = stored(
        tmp_path,
        [
            ("flow", "mesh", 4, 0, 1e-6),
            ("flow", "torus", 4, 0, 3e-6),
            ("hardware", None, 4, 0, 2e-6),
        ],
        [{"line": LINE}],
    )
    with open_study(*built, CONFIGS) as study:
        engines = {
            (row.place["engine"], row.mean)
            for row in study.means("makespan_s", ["engine"], {"topology.kind": "torus"})
        }
        chosen = {row["engine"] for row in study.chosen({"topology.kind": "torus"})}
    assert engines == {("flow", 3e-6), ("hardware", 2e-6)}
    assert chosen == {"flow", "hardware"}


def test_an_option_that_the_place_decides_makes_no_series(tmp_path: Path) -> None:
    points, metrics = [], []
    for engine in ("flow", "packet"):
        for kind, buffer in (("mesh", 8), ("torus", 512)):
            option = {"vc_buffer_flits": buffer} if engine == "packet" else {}
            spec: Row = {
                "topology": {"kind": kind},
                "network": {},
                "workload": {"kind": "messages"},
                "options": option,
            }
            where = {"topology.kind": kind, **{f"options.{k}": v for k, v in option.items()}}
            at = point(engine, where, spec)
            points.append(at)
            metrics.append(packet_samples.value(at, "makespan_s", 1e-6, "s"))
    plan = make_plan("answers", points, [])
    built = packet_samples.stored(tmp_path, plan, metrics, [run(at) for at in points])
    with open_study(*built, CONFIGS) as study:
        assert [(c.of, c.to) for c in comparisons(study, "makespan_s", [])] == [("flow", "packet")]


def asked(folder: Path, *questions: Row) -> list[str]:
    """Crossing times of two topologies over k, under questions as a plan holds them."""
    values = one_engine(
        *(("mesh", k, (10 + k) * 1e-6) for k in (4, 8, 16, 32)),
        *(("torus", k, 2 * k * 1e-6) for k in (4, 8, 16, 32)),
    )
    return sentences(stored(folder, values, [{"line": LINE}], answer=list(questions)))


def test_where_curves_cross_the_values_on_both_sides_are_named(tmp_path: Path) -> None:
    assert asked(tmp_path, {"kind": "best", "of": "makespan_s"}) == [
        "Along k, the lowest completion time is that of torus up to 8, ahead by up to ×1.75, and"
        " that of mesh from 16 on, ahead by up to ×1.52."
    ]


def test_where_only_some_have_values_is_said(tmp_path: Path) -> None:
    """As of networks that go on where others have saturated."""
    values = one_engine(
        *(("mesh", k, 2 * k * 1e-6) for k in (4, 8)),
        *(("torus", k, k * 1e-6) for k in (4, 8, 16)),
    )
    text, *_ = sentences(stored(tmp_path, values, [{"line": LINE}]))
    assert text == (
        "torus has the lowest completion time at both values of k, ahead of mesh by ×2.00; beyond"
        " 8, only torus has values."
    )


def test_a_metric_that_leaves_its_level_again_has_not_levelled_off(tmp_path: Path) -> None:
    values = one_engine(*(("mesh", k, us * 1e-6) for k, us in ((1, 8), (2, 4), (4, 4), (8, 6))))
    question = {"kind": "along", "of": "makespan_s", "over": "topology.k", "within": 0.05}
    (text,) = sentences(stored(tmp_path, values, [{"line": LINE}], answer=[question]))
    assert text.endswith("is within 5% of its lowest, 4 µs, from k = 2, but no longer at k = 8.")


def test_where_a_metric_levels_off_is_reported_of_each_series(tmp_path: Path) -> None:
    question = {"kind": "along", "of": "makespan_s", "within": 0.4, "where": {}}
    assert asked(tmp_path, question) == [
        "mesh: the completion time is within 40% of its lowest, 14 µs, from k = 4, but no longer at"
        " k = 16.",
        "torus: the completion time is within 40% of its lowest, 8 µs, from k = 4, but no longer at"
        " k = 8.",
    ]


def test_the_loads_between_which_networks_saturate_are_reported(tmp_path: Path) -> None:
    line = {"x": "workload.injection_rate", "y": "packet_latency_mean_cycles"}
    text, *_ = sentences(packet_samples.loads(tmp_path, [{"line": line}]))
    assert text == (
        "The network saturates at injection rates between 0.3 and 0.4 (torus) and between 0.2 and"
        " 0.3 (mesh)."
    )


def test_a_figure_that_shows_a_part_of_what_is_asked_stands_before_one_of_another_metric(
    tmp_path: Path,
) -> None:
    values = one_engine(*((kind, k, k * 1e-6) for kind in ("torus", "mesh") for k in (2, 4)))
    both = {"topology.kind": ["torus", "mesh"]}
    asked = {"kind": "best", "of": "makespan_s", "among": "topology.kind", "where": both}
    figures = [
        {"line": {"x": "topology.k", "y": "cpu_s"}},
        {"line": {**LINE, "where": {"topology.kind": "mesh"}}},
    ]
    with open_study(*stored(tmp_path, values, figures, answer=[asked]), CONFIGS) as study:
        assert answer(study, study_figures(study), [], coverage(study)).figure == 1


def test_where_engines_answer_their_agreement_is_the_second_question(tmp_path: Path) -> None:
    values = [(engine, "mesh", k, 0, k * 1e-6) for engine in ("flow", "packet") for k in (4, 8)]
    with open_study(*stored(tmp_path, values, [{"line": LINE}]), CONFIGS) as study:
        found = answer(study, study_figures(study), [], coverage(study))
    assert found.findings[0].startswith("Against 4 µs at k = 4, the completion time is ×2.00")
    assert found.findings[1].startswith("flow gives exactly the same completion time as packet")


def test_behind_the_loads_a_page_says_how_the_latency_grows(tmp_path: Path) -> None:
    line = {"x": "workload.injection_rate", "y": "packet_latency_mean_cycles"}
    with open_study(*packet_samples.loads(tmp_path, [{"line": line}]), CONFIGS) as study:
        found = answer(study, study_figures(study), [], coverage(study))
    assert found.verdict == 2
    assert found.findings[1] == (
        "While the network keeps up, the mean packet latency rises from 17 cycles at an injection"
        " rate of 0.1 to 27 cycles at 0.3 (torus) and from 17 cycles to 22 cycles at 0.2 (mesh)."
    )


def test_a_latency_counts_up_to_the_first_load_at_which_some_replicate_saturates(
    tmp_path: Path,
) -> None:
    """The others have a latency there, which is that of the lucky ones."""
    line = {"x": "workload.injection_rate", "y": "packet_latency_mean_cycles"}
    built = packet_samples.loads(tmp_path, [{"line": line}])
    (lucky,) = [
        point.point_id for point in read_plan(built[0]).points
        if point.engine == "packet" and point.coordinates["topology"] == "torus"
        and point.coordinates["workload.injection_rate"] == 0.3
    ]  # fmt: skip
    with duckdb.connect(str(built[1])) as connection:
        connection.execute(
            "UPDATE metrics SET value = 1 WHERE metric = 'saturated' AND point_id = ?", [lucky]
        )
    texts = " ".join(sentences(built))
    assert "to 22 cycles at 0.2 (torus)" in texts
    assert "27 cycles" not in texts


def test_loads_that_are_the_same_of_several_networks_are_reported_once(tmp_path: Path) -> None:
    line = {"x": "workload.injection_rate", "y": "packet_latency_mean_cycles"}
    found = packet_samples.loads(tmp_path, [{"line": line}], torus_saturates=0.3)
    text, *_ = sentences(found)
    assert text == (
        "The network saturates at an injection rate between 0.2 and 0.3 (torus and mesh)."
    )


def test_where_no_series_leads_alone_this_is_said(tmp_path: Path) -> None:
    last = {2: "mesh", 4: "torus", 8: "cube"}
    values = [
        ("flow", kind, k, 0, 2e-6 if kind == last[k] else 1e-6)
        for k in last
        for kind in ("mesh", "torus", "cube")
    ]
    question = {"kind": "best", "of": "makespan_s", "among": ["topology.kind"], "each": []}
    figures = [{"line": {**LINE, "x": "topology.kind", "color": "topology.k"}}]
    (text,) = sentences(stored(tmp_path, values, figures, answer=[question]))
    assert text == "several tie for the lowest completion time at each of 3 settings."


def test_where_most_settings_are_level_this_is_said_first(tmp_path: Path) -> None:
    values = [
        ("flow", kind, k, seed, seconds)
        for k in range(2, 10)
        for kind, times in (("mesh", (1.0, 2.0, 3.0)), ("torus", (2.0, 1.0, 3.2)))
        for seed, seconds in enumerate(times)
    ]
    clear = [("flow", kind, k, seed, 1.0 + seed / 1000 + (kind == lost) * 0.1)
             for k, lost in ((20, "mesh"), (21, "torus"), (22, "mesh"))
             for kind in ("mesh", "torus") for seed in range(3)]  # fmt: skip
    question = {"kind": "best", "of": "makespan_s", "among": ["topology.kind"], "each": []}
    figures = [{"line": {**LINE, "x": "topology.kind", "color": "topology.k"}}]
    (text,) = sentences(stored(tmp_path, [*values, *clear], figures, answer=[question]))
    assert text == (
        "mesh and torus do not differ in completion time by more than their scatter at 8 of 11"
        " settings; at the others, torus has the lowest completion time at 2 (k = 20"
        " and k = 22), mesh at 1 (k = 21)."
    )


def test_many_leaders_in_turn_are_each_named(tmp_path: Path) -> None:
    kinds = ("mesh", "torus", "fat_tree", "dragonfly", "crossbar")
    values = [
        ("flow", kind, k, 0, 1e-6 if place == k else 2e-6)
        for place, kind in enumerate(kinds)
        for k in range(len(kinds))
    ]
    text, *_ = sentences(stored(tmp_path, values, [{"line": LINE}]))
    assert "that of mesh at 0, torus at 1, fat_tree at 2, dragonfly at 3 and crossbar at 4" in text


def test_the_figure_beside_the_verdict_is_the_one_that_shows_it(tmp_path: Path) -> None:
    """One value alone changes nothing, so the first question has no answer. The verdict is that of
    the second one, and so is its figure."""
    values = [("flow", "torus", 2, 0, 1e-6)]
    values += [("flow", "mesh", k, 0, k * 1e-6) for k in (2, 4)]
    kinds = [{"topology.kind": kind} for kind in ("torus", "mesh")]
    asks = [
        {"kind": "along", "of": "makespan_s", "over": "topology.k", "where": where}
        for where in kinds
    ]
    built = stored(tmp_path, values, [{"line": {**LINE, "where": w}} for w in kinds], answer=asks)
    with open_study(*built, CONFIGS) as study:
        found = answer(study, study_figures(study), [], coverage(study))
    assert "×2.00 with 4" in found.findings[0]
    assert found.figure == 1
