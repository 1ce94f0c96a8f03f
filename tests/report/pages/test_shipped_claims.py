"""Every claim of a shipped paper finds its numbers in the experiments of that paper."""

from __future__ import annotations

import csv
import re
from dataclasses import replace
from pathlib import Path

import duckdb
import numpy as np
import numpy.typing as npt
import packet_samples
import pytest
import report_samples
import yaml
from report_samples import CONFIGS
from weft.analysis.claims import ClaimVerdict, judge, read_claims
from weft.analysis.paper_tables import filled, read_tables
from weft.config import load_experiments
from weft.plan import expand
from weft.report.pages.build import build_paper
from weft.report.pages.paper_answer import answered, read_answer

FloatArray = npt.NDArray[np.float64]
PAPER = CONFIGS / "paper/mfs.yaml"


@pytest.mark.slow
def test_every_claim_of_the_mfs_paper_is_judged(tmp_path: Path) -> None:
    about = yaml.safe_load(PAPER.read_text())
    _, database = packet_samples.shipped(tmp_path, CONFIGS, ("mfs_atr", "mfs_table1"))
    with duckdb.connect(str(database), read_only=True) as connection:
        found = judge(read_claims(about["claims"], str(PAPER)), about["views"], connection)
    assert [each.claim.name for each in found] == [f"mfs-c{n}" for n in range(1, 13)]
    assert [each.claim.name for each in found if each.verdict == ClaimVerdict.NO_DATA] == []


@pytest.mark.slow
def test_every_claim_of_anet_is_judged(tmp_path: Path) -> None:
    paper = CONFIGS / "paper/anet.yaml"
    about = yaml.safe_load(paper.read_text())
    kinds = ("pingpong", "multicast", "host", "collisions", "reverse_flip", "traffic")
    names = tuple(f"anet_{kind}" for kind in kinds)
    _, database = packet_samples.shipped(tmp_path, CONFIGS, names)
    with duckdb.connect(str(database), read_only=True) as connection:
        found = judge(read_claims(about["claims"], str(paper)), about["views"], connection)
    assert [each.claim.name for each in found] == [f"an-c{n}" for n in range(1, 9)]
    assert [each.claim.name for each in found if each.verdict == ClaimVerdict.NO_DATA] == []


@pytest.mark.slow
def test_every_claim_of_the_multicast_is_judged(tmp_path: Path) -> None:
    paper = CONFIGS / "paper/multicast.yaml"
    about = yaml.safe_load(paper.read_text())
    names = ("multicast_models", "multicast_placements", "multicast_measured")
    _, database = packet_samples.shipped(tmp_path, CONFIGS, names)
    with duckdb.connect(str(database), read_only=True) as connection:
        found = judge(read_claims(about["claims"], str(paper)), about["views"], connection)
        tables = filled(read_tables(about["tables"], about["items"], str(paper)), connection)
    wanted = [f"mc-{kind}{n}" for kind in "cd" for n in range(1, 7)] + ["mc-d7", "mc-d8"]
    assert [each.claim.name for each in found] == wanted
    # With the invented times every predictor has one choice, which correlates with nothing.
    assert [j.claim.name for j in found if j.verdict == ClaimVerdict.NO_DATA] == ["mc-c1", "mc-d2"]
    # With the invented times models 1 and 3 choose alike, so the cells where they differ are none.
    assert [each.table.name for each in tables] == ["predictors", "contention"]
    (first, *_) = answered(
        found, read_answer(about["answer"], [each.claim for each in found], str(paper))
    )
    assert first.startswith("Yes, as well as these measurements can show it")
    assert set(about["claims"]) - {each.claim.name for each in found if each.claim.ours} == {
        f"mc-c{n}" for n in range(1, 7)
    }


@pytest.mark.slow
def test_every_claim_of_nsim_ace_is_judged_but_the_one_of_lost_curves(tmp_path: Path) -> None:
    paper = CONFIGS / "paper/nsim_ace.yaml"
    about = yaml.safe_load(paper.read_text())
    names = ("nsim_ace_barrier", "nsim_ace_nbody")
    _, database = packet_samples.shipped(tmp_path, CONFIGS, names)
    with duckdb.connect(str(database), read_only=True) as connection:
        found = judge(read_claims(about["claims"], str(paper)), about["views"], connection)
    assert [each.claim.name for each in found] == [f"na-c{n}" for n in range(1, 8)]
    assert [each.claim.name for each in found if each.verdict == ClaimVerdict.NO_DATA] == ["na-c4"]


@pytest.mark.slow
def test_the_page_says_which_wrong_answers_a_claim_rejects(tmp_path: Path) -> None:
    names = ("nsim_ace_barrier", "nsim_ace_nbody")
    plans, database = packet_samples.shipped(tmp_path, CONFIGS, names)
    build_paper("nsim_ace", plans, database, CONFIGS, tmp_path / "paper.html")
    page = (tmp_path / "paper.html").read_text()
    rows = dict(re.findall(r'<tr id="(na-c\d)">(.*?)</tr>', page, re.DOTALL))
    said = r"equal times would fail\.<br>(Rejects|Shuffled)[^<]+\.</small>"
    assert re.search(said, rows["na-c1"])
    assert "Rejects" not in rows["na-c4"], "it has no data"


def test_the_rule_of_two_numbers_is_farther_away_from_the_table_that_it_does_not_know() -> None:
    """The note of `mc-d1` says how far. The numbers of 2^round(a log2(n p) - b) are searched on
    one table, and the other judges them."""
    tables = []
    for item in ("table6", "table7"):
        with (CONFIGS / f"paper/multicast/{item}.csv").open() as file:
            rows = [
                (float(row["workload.ranks"]), float(row["message_bytes"]), float(row["value"]))
                for row in csv.DictReader(file)
            ]
        tables.append(np.log2(np.array(sorted(rows))))
    size, most = tables[0][:, 0] + tables[0][:, 1], tables[0][:, 0] - 1

    def far(numbers: tuple[float, float], measured: FloatArray) -> float:
        chosen = np.clip(np.round(numbers[0] * size - numbers[1]), 0, most)
        return float(np.abs(chosen - measured[:, 2]).mean())

    searched = [(a / 100, b / 10) for a in range(101) for b in range(200)]
    known, judging = tables, tables[::-1]
    out = [
        far(min(searched, key=lambda numbers: far(numbers, mine)), other)
        for mine, other in zip(known, judging, strict=True)
    ]
    note = yaml.safe_load((CONFIGS / "paper/multicast.yaml").read_text())["claims"]["mc-d1"]["note"]
    assert f"lies {np.mean(out):.3f} away" in note


@pytest.mark.parametrize(("doubling", "verdict"), [(1.0, "not reproduced"), (0.5, "reproduced")])
def test_equal_times_of_both_barriers_reproduce_nothing(doubling: float, verdict: str) -> None:
    paper = CONFIGS / "paper/nsim_ace.yaml"
    claims = read_claims(yaml.safe_load(paper.read_text())["claims"], str(paper))
    rows = ", ".join(f"({p}, {n}, 1.0, {doubling})" for p in (2, 3, 4, 8, 32) for n in (1, 2))
    pairs = f"SELECT * FROM (VALUES {rows}) AS t(p, per_node, ring, doubling)"
    with duckdb.connect() as connection:
        (found,) = judge([c for c in claims if c.name == "na-c1"], {"pairs": pairs}, connection)
    assert found.verdict == verdict


def test_an_input_of_ours_is_no_agreement() -> None:
    """The host's 2,040.02 us went into the model: the page compares it with nothing."""
    own = yaml.safe_load((CONFIGS / "paper/anet.yaml").read_text())["own_series"]
    with (CONFIGS / "paper/anet/host.csv").open() as file:
        assert not {*own} & {row["series"] for row in csv.DictReader(file)}
    with (CONFIGS / "paper/anet/figure4.csv").open() as file:
        assert {*own} <= {row["series"] for row in csv.DictReader(file)}


@pytest.mark.slow
def test_round_trips_agree_within_what_the_papers_own_formula_misses(tmp_path: Path) -> None:
    """Two sizes are 1.9 % from what the paper prints and the third is 2.1 %; the page names it."""
    (experiment,) = load_experiments(CONFIGS, ["anet_pingpong"])
    at = expand(experiment)[0]
    variants = [["distance 1", {"workload.arguments": at.coordinates["workload.arguments"]}]]
    figure = {"line": {"x": "message_bytes", "y": "round_trip_time_s", "color": "variant"}}
    figure["line"]["published"] = "anet/figure4"
    plan = report_samples.make_plan("anet_pingpong", [at], [figure])
    plan = replace(plan, stored_report={**plan.stored_report, "variants": variants})
    times = {35: 14.16e-6 * 1.019, 125: 20.21e-6 * 0.981, 250: 28.49e-6 * 1.021}
    rows = [
        packet_samples.value(at, "round_trip_time_s", time, "s", n) for n, time in times.items()
    ]
    file, database = packet_samples.stored(tmp_path, plan, rows, [report_samples.run(at)])
    build_paper("anet", [file], database, CONFIGS, tmp_path / "paper.html")
    page = (tmp_path / "paper.html").read_text()
    assert "2 of 3 comparisons with what was published for A-NET agree" in page
    assert "or 2 % where seeds do not matter" in page
    assert "against 28.49 µs at message size = 250 B, variant = distance 1" in page
