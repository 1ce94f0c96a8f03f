"""What the paper of the multicast counts of measurements on the machine at hand."""

from __future__ import annotations

import json

import duckdb
import pytest
import yaml
from report_samples import CONFIGS
from weft.analysis.claims import ClaimVerdict, Judgement, judge, read_claims

#: Ranks, algorithm and seconds at 1 KiB: with 2 ranks the hybrid takes half the time of the others.
GOOD = [(2, "ring", 4.0), (2, "1", 2.0), (2, "2", 1.0)]


def claim(rows: list[tuple[int, str, float, str | None, bool, str]]) -> Judgement:
    """`mc-d6` by measured rows: ranks, algorithm, seconds, flag, crowded, engine."""
    about = yaml.safe_load((CONFIGS / "paper/multicast.yaml").read_text())
    claims = {"mc-d6": about["claims"]["mc-d6"]}
    with duckdb.connect() as connection:
        connection.execute(
            "CREATE TABLE answers (experiment VARCHAR, engine VARCHAR, status VARCHAR,"
            ' metric VARCHAR, point_id VARCHAR, "workload.ranks" BIGINT, message_bytes BIGINT,'
            ' "workload.arguments" VARCHAR, value DOUBLE, flag VARCHAR)'
        )
        connection.execute("CREATE TABLE runs (point_id VARCHAR, environment JSON)")
        for n, (ranks, how, seconds, flag, crowded, engine) in enumerate(rows):
            connection.execute(
                "INSERT INTO answers VALUES ('multicast_measured', ?, 'done', 'multicast_time_s',"
                " ?, ?, 1024, ?, ?, ?)",
                [engine, f"p{n}", ranks, json.dumps(["", how]), seconds, flag],
            )
            environment = json.dumps({"oversubscribed": crowded})
            connection.execute("INSERT INTO runs VALUES (?, ?)", [f"p{n}", environment])
        views = {"here": about["views"]["here"]}
        (found,) = judge(read_claims(claims, "paper"), views, connection)
    return found


def test_the_hybrid_is_held_against_the_better_one_of_tree_and_ring() -> None:
    found = claim([(*row, None, False, "hardware") for row in GOOD])
    assert "In 1 cells with up to 2 ranks" in found.numbers
    assert "takes 2.00 times as long as the best hybrid" in found.numbers


@pytest.mark.parametrize(
    ("flag", "crowded", "engine"),
    [("no processor", False, "hardware"), (None, True, "hardware"), (None, False, "flow")],
)
def test_flagged_crowded_and_simulated_values_do_not_count(
    flag: str | None, crowded: bool, engine: str
) -> None:
    assert claim([(*row, flag, crowded, engine) for row in GOOD]).verdict == ClaimVerdict.NO_DATA


def test_one_wild_repeat_of_three_changes_nothing() -> None:
    rows = [(*row, None, False, "hardware") for row in GOOD]
    wild = [(2, "2", seconds, None, False, "hardware") for seconds in (1.0, 100.0)]
    assert "takes 2.00 times as long" in claim([*rows, *wild]).numbers
