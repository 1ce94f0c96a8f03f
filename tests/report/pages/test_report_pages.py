from __future__ import annotations

import csv
import io
import re
from pathlib import Path
from typing import Any

import pytest
import report_samples
from report_samples import CONFIGS, ROOT
from weft.report.curves.rows import figure_data
from weft.report.data.metrics import metrics_markdown
from weft.report.data.source import Row, Study, open_study
from weft.report.data.units import bytes_label, factor, quantity, scale_for, settings_label, spread
from weft.report.pages.build import build_index, build_paper, build_report, report_values

pytestmark = pytest.mark.slow

OUTSIDE = re.compile(
    r"""(?:src|href|action)\s*=\s*["']?\s*(?:https?:)?//|cdn\.|@import|url\(http"""
)


@pytest.fixture(scope="module")
def quickstart(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    return report_samples.quickstart(tmp_path_factory.mktemp("quickstart"))


@pytest.fixture(scope="module")
def mfs(tmp_path_factory: pytest.TempPathFactory) -> tuple[list[Path], Path]:
    return report_samples.mfs(tmp_path_factory.mktemp("mfs"))


def page(built: tuple[Path, Path], out: Path) -> str:
    build_report(built[0], built[1], CONFIGS, out)
    return out.read_text()


def test_a_report_says_what_it_must(quickstart: tuple[Path, Path], tmp_path: Path) -> None:
    text = page(quickstart, tmp_path / "q.html")
    for part in (
        "How well does a flow-level model predict a ping-pong?",
        "2 of 3 points are done (1 failed, 0 missing)",
        "(median) of hardware, within 10\u00a0% at",
        "exit code 1",
        "out of &lt;memory&gt;",
        "snakemake reports/quickstart.html --config &#39;overrides=[topology.nodes=2]&#39;",
        "MPICH 4.3",
        "abc1234",
    ):
        assert part in text, part


def test_no_page_reaches_outside(
    quickstart: tuple[Path, Path], mfs: tuple[list[Path], Path], tmp_path: Path
) -> None:
    page(quickstart, tmp_path / "q.html")
    build_paper("mfs", *mfs, CONFIGS, tmp_path / "paper_mfs.html")
    build_index(tmp_path, *mfs, tmp_path / "index.html")
    for path in sorted(tmp_path.glob("*.html")):
        assert OUTSIDE.search(path.read_text()) is None, path


def test_pages_are_the_same_each_time(
    quickstart: tuple[Path, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000000")
    first = page(quickstart, tmp_path / "a.html")
    assert first == page(quickstart, tmp_path / "b.html")
    assert "Made 2023-11-14 22:13 UTC" in first


def test_a_figures_csv_holds_its_data(quickstart: tuple[Path, Path]) -> None:
    with open_study(*quickstart, CONFIGS) as study:
        figure = study.plan.report.figures[0]
        rows = list(csv.DictReader(io.StringIO(figure_data(study, figure).csv())))
    assert len(rows) == 2 * 24
    measured = [row for row in rows if row["series"] == "hardware"]
    assert all(
        float(r["low"]) < float(r["one_way_time_s [s]"]) < float(r["high"]) for r in measured
    )


def test_published_values_lie_over_ours(mfs: tuple[list[Path], Path]) -> None:
    with open_study(mfs[0][0], mfs[1], CONFIGS) as study:
        rows = figure_data(study, study.plan.report.figures[0]).rows
    published = {(r.series, r.x): r.y for r in rows if r.kind == "published"}
    assert published["MFS · published", 16] == pytest.approx(32.82e-6)
    assert published["MFS (last row read as k = 36) · published", 36] == pytest.approx(34.84e-6)
    assert {r.series for r in rows if r.kind == "derived"} == {"derived: dmodk"}


def test_mesh_and_torus_are_not_mixed(mfs: tuple[list[Path], Path], tmp_path: Path) -> None:
    text = page((mfs[0][1], mfs[1]), tmp_path / "atr.html")
    assert "exactly the same accepted rate as published MFS, at all 12 values compared" in text


def test_the_papers_page_shows_both_readings(mfs: tuple[list[Path], Path], tmp_path: Path) -> None:
    out = tmp_path / "paper.html"
    build_paper("mfs", *mfs, CONFIGS, out)
    text = out.read_text()
    assert "Read here as k = 34" in text
    assert "Read here as k = 36" in text
    assert "Not published." in text
    assert "0 of 12 claims of the paper are reproduced; no data: mfs-c1" in text
    assert "Derived numbers beside ours" in text[text.index('id="figure8"') :]
    assert 'id="derived_figure8"' not in text


def test_an_unknown_paper_is_named(mfs: tuple[list[Path], Path], tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"nobody\.yaml does not exist"):
        build_paper("nobody", *mfs, CONFIGS, tmp_path / "p.html")


def test_an_empty_database_still_gives_a_page(tmp_path: Path) -> None:
    at = report_samples.point("flow", {"topology.k": 4}, {"topology": {"k": 4}, "workload": {}})
    plan = report_samples.make_plan(
        "empty", [at], [{"line": {"x": "topology.k", "y": "makespan_s"}}]
    )
    database = report_samples.write(tmp_path, [plan], {})
    text = page((tmp_path / "results/empty/plan.json", database), tmp_path / "e.html")
    assert "Nothing has been answered yet: 1 point is planned" in text


def test_ten_thousand_points_are_small(tmp_path: Path) -> None:
    built = report_samples.large(tmp_path)
    out = tmp_path / "large.html"
    build_report(*built, CONFIGS, out)
    assert out.stat().st_size < 1_000_000  # 1,967,628 without compression.


def test_a_page_holds_no_row_of_a_single_point(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A million points may stand behind it: rows are as many as their settings."""
    built = report_samples.large(tmp_path, 5_000)
    fetched: list[int] = []

    class Counted(Study):
        def query(self, *asked: Any) -> list[Row]:
            rows = super().query(*asked)
            fetched.append(len(rows))
            return rows

    monkeypatch.setattr("weft.report.data.source.Study", Counted)
    with open_study(*built, CONFIGS) as study:
        report_values(study, tmp_path / "large.html")
        assert len(study.settings) == 1_000
    assert max(fetched) == 1_000


def test_the_metrics_page_is_in_sync() -> None:
    expected = metrics_markdown(CONFIGS)
    assert (ROOT / "docs" / "metrics.md").read_text() == expected, "run: make schema"


def test_numbers_read_well() -> None:
    assert quantity(3.282e-5, "s") == "32.82 µs"
    assert quantity(None, "s") == "–"
    assert quantity(52.4, "cycle") == "52.4 cycles"
    assert bytes_label(65536) == "64 KiB"
    assert bytes_label(100) == "100 B"
    assert spread(34.41, 0.567) == "34.41 ± 0.57"
    assert [factor(x) for x in (1.034, 12.34, 999.4, 8876.0)] == [
        "×1.03",
        "×12.3",
        "×999",
        "×8,880",
    ]
    assert settings_label([("network.nic.dma_unit", "flit")]) == "DMA unit = flit"
    assert scale_for("1", [0.1, 5.0]).unit == ""
