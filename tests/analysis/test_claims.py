"""A claim holds when its numbers lie within their bounds; missing numbers are another case."""

import duckdb
import pytest
from weft.analysis.claims import ClaimVerdict, judge, read_claims

CLAIM = {
    "claim": "Both are near.",
    "query": "SELECT avg(value) AS mean FROM answers WHERE metric = 'rate'",
    "bounds": {"mean": {"what": "the mean", "least": 0.4, "most": 0.6}},
    "numbers": "On average {mean:.2f}.",
    "source": "section 1",
    "evidence": "independent",
    "because": "Nothing was put in.",
}


@pytest.fixture
def answers():
    with duckdb.connect() as connection:
        connection.execute("CREATE TABLE answers (metric VARCHAR, value DOUBLE)")
        connection.execute("INSERT INTO answers VALUES ('rate', 0.25), ('rate', 0.75)")
        yield connection


def bound(least=None, most=None):
    ends = {"least": least, "most": most}
    return {"what": "it", **{name: end for name, end in ends.items() if end is not None}}


def judged(answers, views=None, **changes):
    (found,) = judge(read_claims({"c1": {**CLAIM, **changes}}, "p.yaml"), views or {}, answers)
    return found


def test_numbers_within_their_bounds_hold_and_are_reported(answers):
    found = judged(answers)
    assert (found.verdict, found.numbers) == (ClaimVerdict.REPRODUCED, "On average 0.50.")


@pytest.mark.parametrize(
    ("value", "written"), [("-0.004", "0.00"), ("-0.0", "0.00"), ("-0.006", "-0.01")]
)
def test_a_number_that_rounds_to_zero_has_no_minus(answers, value, written):
    found = judged(
        answers, query=f"SELECT {value}::DOUBLE AS mean", numbers="{mean:.2f} µs, {mean:.2f}."
    )
    assert found.numbers == f"{written} µs, {written}."


@pytest.mark.parametrize(
    ("evidence", "met", "missed"),
    [
        ("independent", "reproduced", "not reproduced"),
        ("our_bound", "consistent", "not reproduced"),
        ("construction", "by construction", "not reproduced"),
        ("authors_data", "from the authors' own data", "not reproduced"),
        ("open", "undetermined", "undetermined"),
    ],
)
def test_what_a_verdict_says_depends_on_what_it_rests_on(answers, evidence, met, missed):
    assert judged(answers, evidence=evidence).verdict == met
    assert judged(answers, evidence=evidence, bounds={"mean": bound(0.6)}).verdict == missed


def test_a_claim_of_ours_reproduces_nothing(answers):
    ours = {"ours": True, "source": "", "evidence": "our_bound"}
    assert judged(answers, **ours).verdict == "consistent"
    assert judged(answers, **ours, bounds={"mean": bound(0.6)}).verdict == "does not hold"


def test_ends_of_bounds_belong_to_them(answers):
    assert judged(answers, bounds={"mean": bound(0.5, 0.5)}).verdict == ClaimVerdict.REPRODUCED


@pytest.mark.parametrize("ends", [(None, 0.4), (0.6, None), (0.55, 0.6)])
def test_a_number_outside_does_not_hold(answers, ends):
    found = judged(answers, bounds={"mean": bound(*ends)})
    assert (found.verdict, found.numbers) == (ClaimVerdict.NOT_REPRODUCED, "On average 0.50.")


def test_every_bound_must_be_met_and_reads_as_words(answers):
    query = "SELECT 0.5 AS mean, 2.0 AS other, 3 AS pulses_x"
    bounds = {
        "mean": {"what": "the correlation", "least": 0.4},
        "other": {"what": "the delay", "unit": "µs", "least": 0.5, "most": 1},
        "pulses_x": {"what": "pulses in x", "least": 3, "most": 3},
    }
    found = judged(answers, query=query, bounds=bounds)
    assert found.verdict == ClaimVerdict.NOT_REPRODUCED
    assert [(check.bound, check.met) for check in found.checks] == [
        ("the correlation at least 0.4", True),
        ("the delay at least 0.5 µs and at most 1 µs", False),
        ("pulses in x exactly 3", True),
    ]


def test_without_numbers_there_is_no_data(answers):
    assert judged(answers, query=CLAIM["query"] + " AND false").verdict == ClaimVerdict.NO_DATA


def test_a_query_without_a_row_has_no_data(answers):
    """A query that joins settings has no row where the points of one of them failed."""
    nothing = "SELECT value AS mean FROM answers WHERE false"
    assert judged(answers, query=nothing).verdict == ClaimVerdict.NO_DATA


def test_a_parameter_that_no_point_has_is_no_data(answers):
    views = {"rates": 'SELECT value, "options.flits" FROM answers'}
    assert judged(answers, views=views).verdict == ClaimVerdict.NO_DATA


def test_a_share_of_nothing_is_no_data(answers):
    assert judged(answers, query="SELECT 0 / 0 AS mean").verdict == ClaimVerdict.NO_DATA


def test_views_serve_as_tables(answers):
    views = {"rates": "SELECT value FROM answers"}
    found = judged(answers, views=views, query="SELECT max(value) AS mean FROM rates")
    assert found.numbers == "On average 0.75."


def test_a_query_with_several_rows_is_a_mistake(answers):
    with pytest.raises(ValueError, match="claim c1: one row with mean, not 2 rows"):
        judged(answers, query="SELECT value AS mean FROM answers")


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"bound": {}}, "claims.c1: 'bound' is not a key; did you mean 'bounds'?"),
        ({"bounds": {"mean": [0.4, 0.6]}}, "claims.c1.bounds.mean: expected {what: the number"),
        ({"bounds": {"mean": {"least": 0.4}}}, "claims.c1.bounds.mean: lacks what"),
        ({"bounds": {"mean": {"what": "it"}}}, "claims.c1.bounds.mean: expected numbers as least"),
        ({"bounds": {"middle": bound(1)}}, "claims.c1.bounds: the query has no column 'middle'"),
        ({"ours": True}, "claims.c1: expected either source, the place in the paper, or ours"),
        ({"source": ""}, "claims.c1: expected either source, the place in the paper, or ours"),
        ({"evidence": "our_bounds"}, "claims.c1.evidence: 'our_bounds' is none of .*'our_bound'"),
        ({"numbers": "{middle}"}, "claims.c1.numbers: the query has no column 'middle'"),
    ],
)
def test_a_wrong_claim_is_reported_with_its_place(changes, words):
    with pytest.raises(ValueError, match="p.yaml: " + words):
        read_claims({"c1": {**CLAIM, **changes}}, "p.yaml")


def test_a_missing_key_is_reported():
    with pytest.raises(ValueError, match="lacks query"):
        read_claims({"c1": {k: v for k, v in CLAIM.items() if k != "query"}}, "p.yaml")
