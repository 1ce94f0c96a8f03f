"""The answer of a paper's page: sentences by verdicts, and claims counted by whose they are."""

from __future__ import annotations

from collections.abc import Mapping

import duckdb
import pytest
from weft.analysis.claims import Judgement, judge, read_claims
from weft.report.pages.paper_answer import answered, read_answer, summary

SENTENCE = {"claim": "c1", "holds": "Yes: {mean:.1f}.", "fails": "No: {mean:.1f}."}


def judged(
    mean: float | None, ours: bool = False, evidence: str = "independent"
) -> list[Judgement]:
    whose = {"ours": True} if ours else {"source": "section 2"}
    claims = {
        "c1": {
            "claim": "It is large.", "query": f"SELECT {'NULL' if mean is None else mean} AS mean",
            "bounds": {"mean": {"what": "the mean", "least": 0.5}}, "numbers": "It is {mean:.1f}.",
            "source": "section 1", "evidence": evidence, "because": "Nothing was put in.",
        },
        "d1": {
            "claim": "It is small.", "query": "SELECT 0.0 AS mean", "numbers": "{mean}",
            "bounds": {"mean": {"what": "the mean", "least": 0.5}},
            "evidence": "our_bound", "because": "The half is ours.", **whose,
        },
    }  # fmt: skip
    with duckdb.connect() as connection:
        return judge(read_claims(claims, "p.yaml"), {}, connection)


def answer(mean: float | None, *entries: str | Mapping[str, object]) -> list[str]:
    found = judged(mean)
    sentences = read_answer(entries, [each.claim for each in found], "p.yaml")
    return answered(found, sentences)


@pytest.mark.parametrize(("mean", "text"), [(0.7, "Yes: 0.7."), (0.2, "No: 0.2.")])
def test_what_became_of_a_claim_chooses_the_sentence(mean: float, text: str) -> None:
    assert answer(mean, SENTENCE) == [text]


def test_a_name_alone_stands_for_the_numbers_of_the_claim() -> None:
    assert answer(0.2, "c1") == ["It is 0.2."]


def test_a_claim_without_data_says_nothing() -> None:
    assert answer(None, SENTENCE, "c1") == []


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"claim": "c2"}, r"answer\[0\]: there is no claim 'c2'; claims are c1, d1"),
        ({"fail": ""}, r"answer\[0\]: 'fail' is not a key; did you mean 'fails'?"),
        ({"fails": "{middle}"}, r"answer\[0\].fails: the query has no column 'middle'"),
    ],
)
def test_a_wrong_entry_is_reported_with_its_place(changes: dict[str, str], words: str) -> None:
    with pytest.raises(ValueError, match="p.yaml: " + words):
        answer(0.2, {**SENTENCE, **changes})


def test_claims_of_ours_are_counted_apart_from_those_of_the_paper() -> None:
    assert summary(judged(0.7, ours=True)) == [
        "1 of 1 claims of the paper is reproduced.",
        "0 of 1 claims of ours are consistent; does not hold: d1.",
    ]
    assert summary(judged(0.7)) == ["1 of 2 claims of the paper is reproduced; not reproduced: d1."]


@pytest.mark.parametrize("evidence", ["our_bound", "construction", "authors_data", "open"])
def test_only_independent_evidence_counts_as_reproduced(evidence: str) -> None:
    (sentence,) = summary(judged(0.7, evidence=evidence))
    assert sentence.startswith("0 of 2 claims of the paper are reproduced; ")
    assert "c1" in sentence
