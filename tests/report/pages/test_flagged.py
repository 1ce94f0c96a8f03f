"""Values that were measured on a busy machine, on the page."""

import base64
import csv
import gzip
import io
import json
import re

import duckdb
import pytest
from weft.report.pages.build import build_report

from tests.report.report_samples import CONFIGS, quickstart

pytestmark = pytest.mark.slow

REASON = "ranks had no processor for 62% of the time"


@pytest.fixture
def page(tmp_path):
    """The page where measurements above some size are flagged."""

    def build(above: int, fit: dict | None = None, engine: str = "hardware") -> str:
        plan, database = quickstart(tmp_path)
        with duckdb.connect(str(database)) as con:
            con.execute(
                "UPDATE metrics SET flag = $reason, value = 4000 * value"
                " WHERE message_bytes > $above AND point_id IN"
                " (SELECT point_id FROM points WHERE engine = $engine)",
                {"reason": REASON, "above": above, "engine": engine},
            )
        if fit:
            plan.with_name("calibration.json").write_text(json.dumps(fit))
        build_report(plan, database, CONFIGS, tmp_path / "page.html")
        return (tmp_path / "page.html").read_text()

    return build


def caveats(text):
    """What the page folds away below its verdict: each line with what explains it."""
    box = text.split('id="answer"')[1].split("</section>")[0]
    return [
        " ".join(each)
        for each in re.findall(r'<details class="caveat"><summary>(.*?)</summary><p>(.*?)</p>', box)
    ]


def findings(text):
    found = re.findall(r'<p class="finding">(.*?)</p>', text)
    more = text.partition('id="findings"')[2].partition("</section>")[0]
    return [*found, *re.findall("<p>(.*?)</p>", more)]


def test_they_stand_below_the_verdict(page):
    (first,) = caveats(page(above=4096))
    assert first.startswith("Measured on a busy machine: 10 of 24 values of hardware are flagged")
    assert REASON.replace("%", "\u00a0%") in first
    assert "--config retry_flagged=true" in first


def test_predictions_from_computing_that_was_measured_then_are_flagged_like_them(page):
    first = caveats(page(above=4096, engine="flow"))[0]
    assert first.startswith("Measured on a busy machine: 10 of 24 values of flow are flagged")


def test_no_prediction_is_judged_by_them(page):
    text = page(above=4096)
    assert any("flow gives the" in sentence for sentence in findings(text))
    assert "×4,000" not in " ".join(findings(text))


def test_where_all_are_flagged_nothing_is_judged(page):
    text = page(above=-1)
    assert "So nothing here judges a prediction" in caveats(text)[0]
    assert not any("flow gives the" in sentence for sentence in findings(text))


def test_their_marks_are_hollow_and_their_numbers_say_so(page):
    text = page(above=4096)
    assert f'"flag":"{REASON}"' in text
    # Other marks are hollow, too: these are those of the values that are flagged.
    assert '{"filter":"datum.flag"}' in text
    assert '{"filter":"!datum.flag"}' in text
    # No line shows through them.
    assert '"fill":"var(--paper, white)"' in text
    assert "Hollow marks: measured on a busy machine" in text
    assert "(flagged)</td>" in text


def test_a_page_without_them_says_nothing_of_it(page):
    text = page(above=1 << 40)
    assert "busy machine" not in text
    assert '"flag"' not in text


def test_the_csv_of_each_figure_says_which_and_why(page):
    lines, ratios, table = figures(page(above=4096))
    for rows in (lines, table):
        bad = {int(row["message_bytes"]) for row in rows if row["flag"] == REASON}
        assert bad == {2**n for n in range(13, 23)}
        assert all(row["series"] == "hardware" for row in rows if row["flag"])
        assert sum(not row["flag"] for row in rows) == 24 + 14
    assert [row["flag"] for row in ratios].count(REASON) == 10
    assert len(ratios) == 24


def figures(text):
    """The rows of each figure's data."""
    links = re.findall(r'download="figure-.*?base64,([^"]*)"', text)
    return [list(csv.DictReader(io.StringIO(unpacked(link)))) for link in links]


def unpacked(text):
    return gzip.decompress(base64.b64decode(text)).decode()


def test_a_rough_fit_is_said_in_the_answer(page):
    fit = {"confidence": "rough", "method": "least squares", "worst_ratio": 2.6}
    fit["relative_residual_rms"] = 0.321
    found = caveats(page(above=4096, fit=fit))
    assert found[1] == (
        "The link parameters are a rough fit (least squares). The residuals of their line are"
        " 32\u00a0% (root mean square), and a measured size is ×2.60 from it."
    )
    assert not any("rough" in each for each in caveats(page(4096, {**fit, "confidence": "good"})))


def test_a_rough_line_is_not_said_where_all_engines_use_the_curve(page):
    fit = {"confidence": "rough", "method": "least squares", "worst_ratio": 2.6}
    curve = {"message_bytes": [0, 64, 4096], "residuals": [0.01, 0.01, 0.01], "outliers_bytes": []}
    fit |= {"relative_residual_rms": 0.321, "curves": {"inside_node": {"one_way": curve}}}
    assert not any("rough" in each for each in caveats(page(above=4096, fit=fit)))


def test_ranks_that_shared_processors_are_shown_and_judge_nothing(tmp_path):
    plan, database = quickstart(tmp_path)
    with duckdb.connect(str(database)) as con:
        con.execute(
            "UPDATE runs SET environment = json_merge_patch(environment, $fact)"
            " WHERE point_id IN (SELECT point_id FROM points WHERE engine = 'hardware')",
            {"fact": json.dumps({"oversubscribed": True})},
        )
    build_report(plan, database, CONFIGS, tmp_path / "page.html")
    text = (tmp_path / "page.html").read_text()
    found = caveats(text)
    assert found[0] == (
        "Measured with more ranks than processors: 24 of 24 values of hardware. They are shown, and"
        " judge no prediction."
    )
    assert not any("flow gives the" in sentence for sentence in found)
    assert "Hollow marks: measured with more ranks than processors" in text
    # Not in the ratios alone, but also where the times themselves are drawn and printed.
    for rows in figures(text):
        flags = {row["flag"] for row in rows if "hardware" in str(row)}
        assert flags == {"more ranks than processors"}
    assert "(crowded)</td>" in text
    assert "busy machine" not in text
