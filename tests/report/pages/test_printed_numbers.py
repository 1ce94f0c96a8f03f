"""The page of a paper counts what the paper prints and says why a number has no counterpart."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import report_samples
from report_samples import CONFIGS
from weft.report.pages.build import build_paper


def page(folder: Path, configs: Path = CONFIGS) -> str:
    out = folder / "paper.html"
    build_paper("anet", [], report_samples.write(folder, [], {}), configs, out)
    return out.read_text()


def test_numbers_without_a_counterpart_stand_in_a_folded_table(tmp_path: Path) -> None:
    text = page(tmp_path)
    section = text.partition('<section id="printed">')[2].partition("</section>")[0]
    assert "Numbers that the paper prints: 75, 56 of them with a counterpart here." in section
    assert "<summary>The 19 without one</summary>" in section
    assert "<details open" not in section
    rows = re.findall(r"<tr><td>(.*?)</td><td>(.*?)</td><td>(.*?)</td><td>(.*?)</td></tr>", section)
    assert len(rows) == 5
    assert rows[2][:3] == ("section 3.1", "reference [4]: nodes", "2 nodes")
    assert rows[2][3] == "The set-up of another paper."


def test_a_paper_without_a_list_has_no_such_section(tmp_path: Path) -> None:
    configs = shutil.copytree(CONFIGS, tmp_path / "configs")
    (configs / "paper" / "anet_numbers.csv").unlink()
    assert 'id="printed"' not in page(tmp_path, configs)
