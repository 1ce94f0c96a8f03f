"""Figures of a program's calls, and of what its ranks send to each other."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
import report_samples
from report_samples import CONFIGS, make_plan, point, run
from weft.config.model.program_figures import ProgramCalls, RankPairs
from weft.report.data.source import Study, open_study
from weft.report.draw.palette import Palette
from weft.report.html.drawings import figure_drawing
from weft.report.kinds.calls.rows import call_times
from weft.report.kinds.rank_pairs.rows import MOST_CELLS, matrices
from weft.report.pages.build import build_report

Row = dict[str, Any]
FIGURES: list[Row] = [{"calls": {}}, {"rank_pairs": {}}]
SPEC: Row = {
    "topology": {"kind": "torus", "sizes": [4]}, "network": {}, "options": {},
    "workload": {"kind": "program", "program": "alltoall", "ranks": 4},
}  # fmt: skip
#: Rank, call, count, seconds, seconds of waiting.
CALLS = [
    (0, "MPI_Bcast", 2, 3e-6, 1e-6),
    (0, "MPI_Wait", 4, 1e-6, 1e-6),
    (1, "MPI_Bcast", 2, 5e-6, 4e-6),
]


def sampled(folder: Path, ranks: int = 4, figures: list[Row] | None = None) -> tuple[Path, Path]:
    """Two seeds of one program; in each, every rank sends 100 B to the next one."""
    rows: dict[str, list[Row]] = {"runs": [], "metrics": [], "calls": [], "rank_pairs": []}
    points = [point("rdma", {}, SPEC, replicate) for replicate in (0, 1)]
    for at in points:
        rows["runs"].append(run(at))
        rows["metrics"].append({"point_id": at.point_id, "metric": "program_time_s",
                                "message_bytes": None, "value": 1e-5, "unit": "s"})  # fmt: skip
        rows["calls"] += [
            {"point_id": at.point_id, "rank": rank, "call": call, "count": count,
             "time_s": time_s, "waiting_s": waiting_s}
            for rank, call, count, time_s, waiting_s in CALLS
        ]  # fmt: skip
        rows["rank_pairs"] += [
            {"point_id": at.point_id, "source": rank, "destination": (rank + 1) % ranks,
             "messages": 1, "bytes": 100}
            for rank in range(ranks)
        ]  # fmt: skip
    plan = make_plan("calls", points, figures or FIGURES)
    tables = {name: [{"experiment": "calls", **row} for row in each] for name, each in rows.items()}
    return folder / "results/calls/plan.json", report_samples.write(folder, [plan], tables)


@contextmanager
def opened(folder: Path, ranks: int = 4) -> Iterator[Study]:
    plan, database = sampled(folder, ranks)
    with open_study(plan, database, CONFIGS) as study:
        yield study


@pytest.mark.slow
def test_calls_are_means_over_ranks_and_seeds_the_longest_first(tmp_path: Path) -> None:
    with opened(tmp_path) as study:
        (times,) = call_times(study, ProgramCalls()).found
    bcast, wait = times.every
    assert (bcast.call, bcast.count) == ("MPI_Bcast", 2)
    assert bcast.time_s == pytest.approx(4e-6)
    assert bcast.waiting_s == pytest.approx(2.5e-6)
    assert (bcast.least_s, bcast.most_s) == (3e-6, 5e-6)
    assert (wait.call, wait.count) == ("MPI_Wait", 2)
    assert wait.time_s == pytest.approx(5e-7)
    # Rank 1 never makes this call.
    assert (wait.least_s, wait.most_s) == (0, 1e-6)
    assert times.program_s == 1e-5


@pytest.mark.slow
def test_a_bar_of_a_call_has_its_waiting_and_the_rest(tmp_path: Path) -> None:
    with opened(tmp_path) as study:
        figure = study.plan.report.figures[0]
        (panel,) = figure_drawing(study, figure, "f", "", Palette()).panels
    drawn = [row for row in values(panel.spec) if row["y"] == "MPI_Bcast"]
    assert [(row["series"], row["x"]) for row in drawn] == [("waiting", 2.5), ("its own work", 1.5)]
    assert [row["share"] for row in drawn] == [0.25, 0.15]


def values(spec: Row) -> list[Row]:
    """The rows that a specification draws."""
    found: list[Row] = spec["data"]["values"]
    return found


@pytest.mark.slow
def test_all_calls_can_be_downloaded(tmp_path: Path) -> None:
    with opened(tmp_path) as study:
        figure = ProgramCalls(count=1)
        text = call_times(study, figure).csv()
    assert [row["call"] for row in csv.DictReader(io.StringIO(text))] == ["MPI_Bcast", "MPI_Wait"]


@pytest.mark.slow
def test_a_matrix_has_the_mean_of_seeds(tmp_path: Path) -> None:
    with opened(tmp_path) as study:
        (matrix,) = matrices(study, RankPairs()).found
    assert (matrix.ranks, matrix.block) == (4, 1)
    assert [(p.source, p.destination, p.bytes, p.messages) for p in matrix.pairs] == [
        (0, 1, 100, 1), (1, 2, 100, 1), (2, 3, 100, 1), (3, 0, 100, 1),
    ]  # fmt: skip


def test_many_ranks_are_taken_together(tmp_path: Path) -> None:
    with opened(tmp_path, ranks=2 * MOST_CELLS + 1) as study:
        found = matrices(study, RankPairs())
    (matrix,) = found.found
    assert matrix.block == 3
    assert sum(pair.bytes for pair in matrix.pairs) == 100 * matrix.ranks
    assert "A cell adds up 3 sources and 3 destinations." in found.notes


@pytest.mark.slow
def test_both_figures_are_on_the_page(tmp_path: Path) -> None:
    out = tmp_path / "reports/calls.html"
    build_report(*sampled(tmp_path), CONFIGS, out)
    text = out.read_text()
    assert "<h3>Time of the program's calls</h3>" in text.replace("&#39;", "'")
    assert "<h3>Bytes from rank to rank</h3>" in text


@pytest.mark.slow
def test_the_page_answers_which_ranks_exchange_data(tmp_path: Path) -> None:
    page = tmp_path / "calls.html"
    build_report(*sampled(tmp_path), CONFIGS, page)
    said = "Each rank sends 100 B to 1 other rank whose number differs by 1 modulo 4."
    assert said in page.read_text().replace("\N{NO-BREAK SPACE}", " ")
