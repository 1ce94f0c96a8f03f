"""Failed points are reported on the terminal, each with its own reason."""

import duckdb
import pytest
from weft.database.contents import create_tables, write
from weft.database.failures import MOST, failures_text
from weft.database.files import FinishedShard, outcomes_table
from weft.database.found import Collected
from weft.plan import Plan, Point, Points, Shard
from weft.plan.outcome import ShardOutcome
from weft.plan.outcomes import Held
from weft.tables import write_table


@pytest.fixture
def text(tmp_path):
    def failing(count, runs):
        ids = [f"{i:012x}" for i in range(count)]
        points = [Point(p, "flow", 0, 1, {}, {"topology.k": i}) for i, p in enumerate(ids)]
        plan = Plan("x", "x", "?", Points.of(points), (Shard("5" * 12, "flow", "1", tuple(ids)),))
        rows = [
            {"point_id": ids[i], "attempt": attempt, "status": status, "error": error}
            for i, attempt, status, error in runs
        ]
        write_table("runs", rows, tmp_path / "runs.parquet")
        failed = tuple(dict.fromkeys(r["point_id"] for r in rows if r["status"] == "failed"))
        outcome = ShardOutcome((), failed, (), None, {}, "")
        files = {"runs": tmp_path / "runs.parquet"}
        shard = FinishedShard("5" * 12, files, {}, outcomes_table(outcome), Held("", {}))
        with duckdb.connect() as con:
            create_tables(con)
            write(con, [Collected(plan, (shard,))], [])
            con.register("outcomes", shard.outcomes)
            return failures_text(con, "x")

    return failing


def test_each_point_of_a_shard_has_its_own_reason(text):
    runs = [(0, 1, "failed", "too large"), (1, 1, "done", None), (2, 1, "failed", "a\nb")]
    assert text(3, runs) == (
        "weft: x: 2 of 3 points failed\n"
        "  flow 000000000000 (topology.k=0): too large\n"
        "  flow 000000000002 (topology.k=2): a"
    )


def test_the_last_attempt_counts(text):
    runs = [(0, 2, "failed", "second"), (0, 1, "failed", "first")]
    assert text(1, runs).endswith("(topology.k=0): second")


def test_points_that_failed_for_one_reason_are_one_line(text):
    runs = [(0, 1, "failed", "too large"), (1, 1, "failed", "cut"), (2, 1, "failed", "too large")]
    assert text(3, runs).splitlines()[1:] == [
        "  flow 000000000000 (topology.k=0) and 1 other: too large",
        "  flow 000000000001 (topology.k=1): cut",
    ]


def test_many_reasons_are_counted_and_the_report_is_named(text):
    count = MOST + 2
    lines = text(count, [(i, 1, "failed", f"reason {i}") for i in range(count)]).splitlines()
    assert lines[-1] == "  and 2 more: reports/x.html lists them"
    assert len(lines) == MOST + 2


def test_a_failure_without_a_reason_is_reported_as_such(text):
    assert text(1, [(0, 1, "failed", None)]).endswith("(topology.k=0): no reason was recorded")


def test_where_none_failed_nothing_is_printed(text):
    assert text(1, [(0, 1, "done", None)]) is None
