"""The index: a picture, times, what an experiment is about, and papers with their claims."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import report_samples
from report_samples import CONFIGS
from weft.files.layout import Reports
from weft.report.compare.page import build_comparison
from weft.report.pages.build import build_index, build_report
from weft.report.pages.index import index_values

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("index")
    plans, database = report_samples.mfs(folder)
    reports = folder / "reports"
    build_report(plans[0], database, CONFIGS, reports / "mfs_table1.html")
    build_index(reports, plans, database, reports / "index.html")
    return (reports / "index.html").read_text()


def test_papers_have_title_year_and_the_claims_that_are_reproduced(tmp_path: Path) -> None:
    plans, database = report_samples.mfs(tmp_path)
    values = index_values(Reports(tmp_path), plans, database, CONFIGS)
    (paper,) = values["papers"]
    assert paper == {
        "link": None, "title": "An Evaluation of Message-flow-based Network Simulator (MFS)",
        "year": "2010 to 2012", "reproduced": 0, "claims": 12,
        "computing": {"full": "10 min", "quick": "1 min"},
        "short": "snakemake reports/paper_mfs.html --config effort=quick",
    }  # fmt: skip
    assert values["choices"] == {
        "engine": ["flow"], "topology": ["fat_tree", "mesh", "torus"], "paper": ["mfs"],
    }  # fmt: skip


def test_each_experiment_has_a_small_picture_of_its_first_figure(index: str) -> None:
    pictures = re.findall(r"<svg.*?</svg>", index, re.S)
    assert len(pictures) == 2
    assert all(len(each) < 30_000 for each in pictures)
    assert 'class="spec"' not in index


def test_an_entry_says_when_it_ran_and_how_long_that_took(index: str) -> None:
    assert "last run 2026-01-02, its points took 800 ms" in index


def test_entries_can_be_chosen_by_engine_topology_and_paper(index: str) -> None:
    assert 'data-engine="flow" data-topology="mesh torus" data-paper="mfs"' in index
    assert '<form class="filters" id="filters" hidden>' in index


def test_comparisons_that_exist_are_listed_with_what_they_compare(tmp_path: Path) -> None:
    plans, database = report_samples.mfs(tmp_path)
    reports = tmp_path / "reports"
    build_index(reports, plans, database, reports / "index.html")
    assert "comparisons" not in (reports / "index.html").read_text()
    name = "compare/mfs_atr..mfs_table1.html"
    build_comparison((plans[1], plans[0]), database, CONFIGS, reports / name)
    (reports / "compare/gone..mfs_atr.html").write_text("of a plan that is no more")
    build_index(reports, plans, database, reports / "index.html")
    text = (reports / "index.html").read_text()
    rows = text.split('<section id="comparisons">')[1].split("</section>")[0].split("<tr>")[2:]
    gone, both = rows
    assert '<a href="compare/gone..mfs_atr.html">gone and mfs_atr</a>' in gone
    assert f'<a href="{name}">mfs_atr and mfs_table1</a>' in both
    assert "Accepted rate at saturation and Table 1 of the MFS paper" in both
    assert "workload.pattern: tornado against uniform" in both
    assert '<a href="#comparisons">' in text
