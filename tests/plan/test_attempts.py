"""Another attempt at points that failed."""

from pathlib import Path

import pytest
from weft.engines.shards import SHARD_SCHEMA
from weft.files import replace_text, sealed
from weft.files.layout import Results
from weft.plan import Plan, Points, Shard
from weft.plan.outcome import write_outcome
from weft.prepare.plans.attempts import next_attempts

SHARD = Shard("b" * 12, "flow", "1", ("p" * 12,))


@pytest.fixture
def results(tmp_path: Path) -> Path:
    """One shard whose only point has failed twice."""
    mine = Results(tmp_path).experiment("tori")
    left = mine.shard("flow", SHARD.shard_id)
    write_outcome(left.path, {"failed": SHARD.point_ids}, None)
    order = {"schema": SHARD_SCHEMA, "attempts": {SHARD.point_ids[0]: 2}}
    replace_text(mine.order(SHARD.shard_id), sealed(order))
    return tmp_path


def planned() -> Plan:
    return Plan("tori", "", "", Points.of([]), (SHARD,))


def test_a_point_that_failed_gets_the_next_number(results: Path) -> None:
    assert next_attempts(planned(), results, ["failed"]) == {
        SHARD.shard_id: {SHARD.point_ids[0]: 3}
    }


@pytest.mark.parametrize("text", ["", "\xff{", "[1]", '{"failed": 1}'])
def test_a_damaged_status_asks_for_no_attempt(results: Path, text: str) -> None:
    Results(results).experiment("tori").shard("flow", SHARD.shard_id).status.write_text(text)
    assert next_attempts(planned(), results, ["failed"]) == {}


@pytest.mark.parametrize("text", ["", "[1]", "{}"])
def test_a_damaged_order_counts_anew(results: Path, text: str) -> None:
    Results(results).experiment("tori").order(SHARD.shard_id).write_text(text)
    assert next_attempts(planned(), results, ["failed"]) == {
        SHARD.shard_id: {SHARD.point_ids[0]: 2}
    }
