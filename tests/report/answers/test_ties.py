"""Ties are ties in sentences about the best, and what judges nothing is in none of them."""

from __future__ import annotations

import json
from pathlib import Path

import duckdb
import pytest
from answer_samples import LINE, sentences, stored
from report_samples import CONFIGS
from weft.report.data.cited import cited
from weft.report.data.source import open_study

pytestmark = pytest.mark.slow

#: Completion times of mesh and torus at each k, in µs; three replicates scatter by 10 %.
CLEAR_MESH, CLEAR_TORUS, LEVEL = (1.0, 2.0), (2.0, 1.0), (1.01, 1.0)
Value = tuple[str, str, int, int, float]


def replicated(*pairs: tuple[float, float]) -> list[Value]:
    return [
        ("flow", kind, 2**n, seed, mean * off[(seed + at) % 3] * 1e-6)
        for n, pair in enumerate(pairs)
        for at, (kind, mean) in enumerate(zip(("mesh", "torus"), pair, strict=True))
        for seed, off in enumerate([(0.9, 1.0, 1.1)] * 3)
    ]


def test_a_stretch_says_where_others_are_level(tmp_path: Path) -> None:
    values = replicated(CLEAR_MESH, LEVEL, LEVEL, CLEAR_TORUS)
    text, *_ = sentences(stored(tmp_path, values, [{"line": LINE}]))
    assert "is that of mesh up to 4 (level with torus at 2 to 4), ahead by up to" in text


def test_who_is_level_somewhere_has_the_lead_only_elsewhere(tmp_path: Path) -> None:
    values = replicated(CLEAR_MESH, LEVEL, CLEAR_MESH)
    text, *_ = sentences(stored(tmp_path, values, [{"line": LINE}]))
    assert text == (
        "mesh has the lowest completion time at 2 of 3 values of k (k = 1 and k = 4), ahead of"
        " torus by ×2.00, beyond the scatter of 3 replicates; at the other one torus is level with"
        " it."
    )


@pytest.mark.parametrize("doubt", ["flagged", "crowded"])
def test_what_judges_nothing_is_in_no_answer(tmp_path: Path, doubt: str) -> None:
    built = stored(
        tmp_path,
        [("hardware", kind, k, 0, k * seconds) for k in (2, 4)
         for kind, seconds in (("mesh", 1e-6), ("torus", 2e-6))],
        [{"line": LINE}],
    )  # fmt: skip
    assert sentences(built)[0].startswith("mesh has the lowest completion time at both values")
    with duckdb.connect(str(built[1])) as connection:
        if doubt == "flagged":
            connection.execute("UPDATE metrics SET flag = 'ranks had no processor'")
        else:
            fact = json.dumps({"oversubscribed": True})
            connection.execute("UPDATE runs SET environment = ?", [fact])
    assert not [text for text in sentences(built) if "the lowest" in text]


@pytest.mark.parametrize(
    ("references", "name"),
    [
        (["multicast/table6"], "Table 6 of the paper"),
        (["multicast/models"], "Tables 8 to 11 of the paper"),
        (["mfs/not_there"], "mfs/not_there"),
    ],
)
def test_items_are_called_as_the_paper_calls_them(
    tmp_path: Path, references: list[str], name: str
) -> None:
    built = stored(tmp_path, replicated(CLEAR_MESH), [{"line": LINE}])
    with open_study(*built, CONFIGS) as study:
        assert cited(study, references) == name


def test_a_lead_that_two_digits_do_not_show_is_no_factor(tmp_path: Path) -> None:
    values = [("flow", kind, k, 0, seconds) for k, pair in ((2, (1.0, 1.002)), (4, (1.0, 2.0)))
              for kind, seconds in zip(("mesh", "torus"), pair, strict=True)]  # fmt: skip
    text, *_ = sentences(stored(tmp_path, values, [{"line": LINE}]))
    assert text.endswith("ahead of torus by up to ×2.00.")


def test_who_is_far_behind_is_named(tmp_path: Path) -> None:
    times = {"mesh": 1.0, "torus": 2.0, "crossbar": 50.0}
    values = [("flow", kind, k, 0, k * s) for k in (2, 4) for kind, s in times.items()]
    text, *_ = sentences(stored(tmp_path, values, [{"line": LINE}]))
    assert text.endswith("ahead of torus by ×2.00. crossbar is ×50 behind the best.")
