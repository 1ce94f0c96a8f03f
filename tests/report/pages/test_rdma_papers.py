"""The papers of the RDMA simulator: claims, published numbers, and pulses found in series."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

import duckdb
import pytest
import rdma_samples
import report_samples
import yaml
from report_samples import CONFIGS
from weft.analysis.claims import ClaimVerdict, judge, read_claims
from weft.analysis.detected import create_detected
from weft.report.pages.build import build_paper

pytestmark = pytest.mark.slow

PAPERS = {"opennsim": 6, "nsim_ace": 7}


@pytest.mark.parametrize("paper", PAPERS)
def test_claims_without_answers_have_no_data(paper: str, tmp_path: Path) -> None:
    about = yaml.safe_load((CONFIGS / f"paper/{paper}.yaml").read_text())
    with duckdb.connect(str(report_samples.write(tmp_path, [], {})), read_only=True) as connection:
        create_detected(connection, about.get("detected") or (), [], paper)
        found = judge(read_claims(about["claims"], paper), about["views"], connection)
    assert len(found) == PAPERS[paper]
    assert {each.verdict for each in found} == {ClaimVerdict.NO_DATA}


@pytest.mark.parametrize("paper", PAPERS)
def test_every_published_item_is_described(paper: str, tmp_path: Path) -> None:
    about = yaml.safe_load((CONFIGS / f"paper/{paper}.yaml").read_text())
    with duckdb.connect(str(report_samples.write(tmp_path, [], {})), read_only=True) as connection:
        rows = connection.execute(
            "SELECT DISTINCT item, series FROM published WHERE paper = ?", [paper]
        ).fetchall()
    assert {item for item, _ in rows} <= set(about["items"])
    assert {series for _, series in rows} <= set(about["series"])


def test_pulses_of_a_series_judge_the_claims_on_them(tmp_path: Path) -> None:
    name = "opennsim_steps"
    figures = [{"timeline": {"graph": "link_throughput", "published": "opennsim/figure11"}}]
    plan, database = rdma_samples.alltoall(tmp_path, figures, 64 * 8, name=name, finer=8)
    about = yaml.safe_load((CONFIGS / "paper/opennsim.yaml").read_text())
    with duckdb.connect(str(database), read_only=True) as connection:
        create_detected(connection, ["pulses"], [name], "here")
        pulses = connection.execute("SELECT axis, count(*) FROM pulses GROUP BY axis").fetchall()
        found = judge(read_claims(about["claims"], "here"), about["views"], connection)
    assert pulses == [("x", 8)]
    verdicts = {each.claim.name: each.verdict for each in found}
    assert verdicts["on-c2"] == ClaimVerdict.UNDETERMINED
    assert verdicts["on-c1"] == ClaimVerdict.NO_DATA
    build_paper("opennsim", [plan], database, CONFIGS, tmp_path / "paper.html")
    assert "Links in x within its pulses: 4.00 GB/s" in (tmp_path / "paper.html").read_text()


def test_a_table_that_nothing_finds_is_reported(tmp_path: Path) -> None:
    with (
        duckdb.connect(str(report_samples.write(tmp_path, [], {})), read_only=True) as connection,
        pytest.raises(ValueError, match="here: detected: unknown table 'waves'; known are: pulses"),
    ):
        create_detected(connection, ["waves"], [], "here")


@pytest.mark.parametrize(
    "paper", [path.stem for path in sorted((CONFIGS / "paper").glob("*.yaml"))]
)
def test_every_shipped_paper_has_a_page_before_anything_has_run(paper: str, tmp_path: Path) -> None:
    database = report_samples.write(tmp_path, [], {})
    build_paper(paper, [], database, CONFIGS, tmp_path / "paper.html")
    assert "CPU time to compute" in (tmp_path / "paper.html").read_text()


def published_page(folder: Path, answers: Mapping[str, float], message_bytes: int) -> str:
    """The page of OpenNSIM from one answer of each experiment, a time in seconds."""
    spec = {
        "topology": {"kind": "torus", "sizes": [16, 16, 8]},
        "network": {},
        "workload": {"kind": "program", "program": "alltoall_pairwise", "ranks": 2048},
        "options": {},
    }
    shown = {"x": "message_bytes", "y": "program_time_s", "published": "opennsim/alltoall"}
    plans, rows, runs = [], [], []
    for name, value in answers.items():
        at = report_samples.point("rdma", {}, spec)
        plans.append(report_samples.make_plan(name, [at], [{"table": shown}]))
        key = {"experiment": name, "point_id": at.point_id}
        answer = {"metric": "program_time_s", "value": value, "unit": "s"}
        rows.append({**key, **answer, "message_bytes": message_bytes})
        runs.append({"experiment": name, **report_samples.run(at)})
    database = report_samples.write(folder, plans, {"metrics": rows, "runs": runs})
    files = [folder / f"results/{name}/plan.json" for name in answers]
    build_paper("opennsim", files, database, CONFIGS, folder / "paper.html")
    return (folder / "paper.html").read_text()


def beside(page: str) -> list[str]:
    """The rows of the page that have a number of ours beside the published time."""
    return re.findall(r"<tr>(?:(?!</tr>).)*166\.7 ms</td>.*?</tr>", page)


@pytest.mark.parametrize(("message_bytes", "compared"), [(4096, False), (65536, True)])
def test_a_published_time_judges_messages_of_its_own_size_alone(
    tmp_path: Path, message_bytes: int, compared: bool
) -> None:
    page = published_page(tmp_path, {"opennsim_alltoall": 0.1667}, message_bytes)
    assert bool(beside(page)) == compared


def test_a_number_beside_two_experiments_says_which_is_far(tmp_path: Path) -> None:
    page = published_page(tmp_path, {"opennsim_alltoall": 0.2, "opennsim_steps": 0.3}, 65536)
    assert "<th>Experiment</th>" in page
    (far,) = [row for row in beside(page) if "300 ms" in row]
    assert '<td><a href="opennsim_steps.html">opennsim_steps</a></td>' in far
    assert '<td class="number">1.8</td>' in far


def test_columns_that_nobody_published_are_named(tmp_path: Path) -> None:
    page = published_page(tmp_path, {"opennsim_alltoall": 0.2}, 65536)
    assert "not published: “bound: links, data only”; “bound: links, with headers”" in page
    assert "Dashed" not in page
