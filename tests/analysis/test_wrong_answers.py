"""Wrong answers show which bounds say nothing: those that they meet, too."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import duckdb
import pytest
from weft.analysis.claims import judge, read_claims
from weft.analysis.wrong_answers import Scrutiny, Trial, WrongAnswer, scrutinise

#: How two engines answer ten sizes: `fast` by 1 to 10 s, `slow` by 11 to 20 s.
ROWS = [
    (engine, size, float(size + (10 if engine == "slow" else 0)))
    for engine in ("fast", "slow")
    for size in range(1, 11)
]
ORDER = """SELECT count(*) AS falls FROM
(SELECT value, lag(value) OVER (ORDER BY "topology.k") AS before FROM times) WHERE value < before"""
TIMES = {"times": "SELECT * FROM answers WHERE engine = 'fast'"}


@pytest.fixture
def answers() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as connection:
        connection.execute(
            "CREATE TABLE answers (experiment VARCHAR, point_id VARCHAR, engine VARCHAR,"
            ' replicate INT, metric VARCHAR, message_bytes BIGINT, "topology.k" INT,'
            " value DOUBLE)"
        )
        rows = [["e", f"{e}{k}", e, 0, "time_s", None, k, value] for e, k, value in ROWS]
        connection.executemany("INSERT INTO answers VALUES (?, ?, ?, ?, ?, ?, ?, ?)", rows)
        yield connection


def scrutiny(
    answers: duckdb.DuckDBPyConnection, query: str, bounds: Mapping[str, tuple[str, float]]
) -> Scrutiny:
    """What becomes of wrong answers to a claim on `times` with these ends of bounds."""
    claim = {
        **{"claim": "It is so.", "query": query, "numbers": "", "source": "1", "because": "So."},
        "evidence": "independent",
        "bounds": {name: {"what": "it", end: value} for name, (end, value) in bounds.items()},
    }
    judged = judge(read_claims({"c1": claim}, "p.yaml"), TIMES, answers)
    return scrutinise(judged, TIMES, answers)["c1"]


def passed(found: Scrutiny) -> dict[WrongAnswer, bool]:
    return {trial.wrong: trial.passed for trial in found.trials}


def test_a_claim_of_an_order_rejects_shuffled_answers(answers: duckdb.DuckDBPyConnection) -> None:
    assert passed(scrutiny(answers, ORDER, {"falls": ("most", 0)}))[WrongAnswer.SHUFFLED]


def test_a_constant_meets_an_order_that_allows_equal_answers(
    answers: duckdb.DuckDBPyConnection,
) -> None:
    found = scrutiny(answers, ORDER, {"falls": ("most", 0)})
    assert not passed(found)[WrongAnswer.CONSTANT]
    assert found.vacuous
    assert "; a constant" in found.text()
    assert found.text().endswith(" would meet it, too.")


def test_a_claim_that_every_wrong_answer_misses_is_not_vacuous(
    answers: duckdb.DuckDBPyConnection,
) -> None:
    query = 'SELECT corr("topology.k", value) AS together, max(value) AS most FROM times'
    found = scrutiny(answers, query, {"together": ("least", 0.99), "most": ("most", 10)})
    assert not found.vacuous
    assert found.text() == "Rejects shuffled answers, a constant and those of another engine."


def test_a_claim_that_any_answers_meet_is_vacuous(answers: duckdb.DuckDBPyConnection) -> None:
    found = scrutiny(answers, "SELECT avg(value) AS mean FROM times", {"mean": ("least", 0)})
    assert found.vacuous
    assert found.text() == (
        "Rejects a shifted number; shuffled answers (20 of 20 draws), a constant and those of"
        " another engine would meet it, too."
    )


@pytest.mark.parametrize("bound", [{"least": 5}, {"most": 6}, {"least": 5.4, "most": 5.6}])
def test_a_number_is_shifted_out_of_its_bound(
    answers: duckdb.DuckDBPyConnection, bound: Mapping[str, float]
) -> None:
    claim = {
        **{"claim": "So.", "query": "SELECT avg(value) AS mean FROM times", "numbers": ""},
        **{"source": "1", "because": "So.", "evidence": "independent"},
        "bounds": {"mean": {"what": "it", **bound}},
    }
    judged = judge(read_claims({"c1": claim}, "p.yaml"), TIMES, answers)
    found = scrutinise(judged, TIMES, answers)["c1"]
    assert judged[0].met
    assert found.trials[-1] == Trial(WrongAnswer.SHIFTED, 1, 0)


def test_several_numbers_are_not_shifted(answers: duckdb.DuckDBPyConnection) -> None:
    query = "SELECT min(value) AS low, max(value) AS high FROM times"
    found = scrutiny(answers, query, {"low": ("most", 1), "high": ("least", 10)})
    assert WrongAnswer.SHIFTED not in passed(found)


def test_another_engine_answers_at_the_same_points(answers: duckdb.DuckDBPyConnection) -> None:
    """Each of the slow engine's values is 10 s above that of the fast one."""
    query = 'SELECT max(value - "topology.k") AS far, min(value - "topology.k") AS near FROM times'
    found = scrutiny(answers, query, {"far": ("most", 10), "near": ("least", 0)})
    assert not passed(found)[WrongAnswer.EXCHANGED]
    found = scrutiny(answers, query, {"far": ("most", 9.9), "near": ("least", 0)})
    assert passed(found)[WrongAnswer.EXCHANGED]


def test_one_engine_alone_has_no_other(answers: duckdb.DuckDBPyConnection) -> None:
    answers.execute("DELETE FROM answers WHERE engine = 'slow'")
    assert WrongAnswer.EXCHANGED not in passed(scrutiny(answers, ORDER, {"falls": ("most", 0)}))


def test_answers_that_leave_the_numbers_alone_are_not_wrong(
    answers: duckdb.DuckDBPyConnection,
) -> None:
    found = scrutiny(answers, "SELECT count(*) AS n, 1 AS m FROM times", {"n": ("least", 10)})
    assert found.trials == ()
    assert found.vacuous
    assert found.text() == "Shuffled answers and a constant leave its numbers as they are."


def test_a_query_that_wrong_answers_break_is_not_met(answers: duckdb.DuckDBPyConnection) -> None:
    """Of the right answers one is 10 s or more; of wrong ones, several are."""
    query = "SELECT value AS it FROM times WHERE value >= 10"
    found = scrutiny(answers, query, {"it": ("least", 10)})
    assert passed(found)[WrongAnswer.SHUFFLED]
    assert passed(found)[WrongAnswer.CONSTANT]


def test_one_draw_of_twenty_may_meet_a_claim_by_chance() -> None:
    assert Trial(WrongAnswer.SHUFFLED, 20, 1).passed
    assert not Trial(WrongAnswer.SHUFFLED, 20, 2).passed


def test_the_right_answers_are_there_afterwards(answers: duckdb.DuckDBPyConnection) -> None:
    scrutiny(answers, ORDER, {"falls": ("most", 0)})
    query = 'SELECT engine, "topology.k", value FROM {} ORDER BY ALL'
    assert answers.execute(query.format("answers")).fetchall() == ROWS
    assert answers.execute(query.format("times")).fetchall() == ROWS[:10]
    found = answers.execute("SELECT table_name FROM duckdb_tables() WHERE temporary").fetchall()
    assert found == []


def test_a_claim_without_data_is_not_judged(answers: duckdb.DuckDBPyConnection) -> None:
    answers.execute("DELETE FROM answers")
    claim = {
        **{"claim": "So.", "query": "SELECT avg(value) AS mean FROM answers", "numbers": ""},
        **{"source": "1", "because": "So.", "evidence": "independent"},
        "bounds": {"mean": {"what": "it", "least": 0}},
    }
    judged = judge(read_claims({"c1": claim}, "p.yaml"), {}, answers)
    assert scrutinise(judged, {}, answers) == {}


def test_metrics_that_no_query_names_stay_right(answers: duckdb.DuckDBPyConnection) -> None:
    """Answers have many, and permuting all of them takes long."""
    answers.execute("INSERT INTO answers SELECT * REPLACE ('bytes' AS metric) FROM answers")
    query = "SELECT corr(\"topology.k\", value) AS it FROM times WHERE metric {} 'time_s'"
    assert scrutiny(answers, query.format("="), {"it": ("least", 0.99)}).trials
    assert not scrutiny(answers, query.format("<>"), {"it": ("least", 2)}).trials
