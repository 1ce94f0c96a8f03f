"""What was stated is held, missed by as much as is said, or void where points judge nothing."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from expected_samples import Points, flow

pytestmark = pytest.mark.slow

BELOW = {"metric": "makespan_s", "below": "2 us"}
BEST = {"best": "torus", "metric": "makespan_s"}
NEAR = {"agreement": {"of": "flow", "to": "packet", "within": "10 %"}, "metric": "makespan_s"}
GROWS = {"along": "topology.k", "metric": "makespan_s", "goes": "grows"}
CROSSES = {"along": "topology.k", "metric": "makespan_s", "crosses": "2 us"}


def test_values_below_a_bound_hold(tmp_path: Path) -> None:
    found = flow((4, 1e-6), (8, 1.9e-6)).judged(tmp_path, BELOW)
    assert found.line == "held: the completion time is below 2 us: 1 µs to 1.9 µs"


def test_a_value_beyond_a_bound_misses_it_by_a_share_at_a_place(tmp_path: Path) -> None:
    found = flow((4, 1e-6), (8, 2.5e-6)).judged(tmp_path, BELOW)
    assert found.verdict == "missed"
    assert found.found == "2.5 µs (25% above) at k = 8, and so at 1 of 2 places"


def test_a_value_on_a_strict_bound_misses_it(tmp_path: Path) -> None:
    assert flow((4, 2e-6)).judged(tmp_path, BELOW).verdict == "missed"
    at_most = {"metric": "makespan_s", "at_most": "2 us"}
    assert flow((4, 2e-6)).judged(tmp_path, at_most).verdict == "held"


def test_a_bound_is_for_the_places_of_its_filter(tmp_path: Path) -> None:
    points = flow((4, 1e-6), (8, 3e-6))
    found = points.judged(tmp_path, {**BELOW, "where": {"topology.k": 4}})
    assert found.line == "held: at k = 4, the completion time is below 2 us: 1 µs"
    assert points.judged(tmp_path, {**BELOW, "where": {"topology.k": 8}}).verdict == "missed"


@pytest.mark.parametrize(
    ("outcome", "words"),
    [
        ("failed", "of 2 points 1 failed"),
        ("skipped", "of 2 points 1 skipped"),
        ("missing", "of 2 points 1 not run"),
        ("flagged", "of 2 points 1 flagged"),
        ("done", "of 2 points 1 without a value"),
    ],
)
@pytest.mark.parametrize("entry", [BELOW, GROWS])
def test_a_point_that_judges_nothing_makes_a_statement_void(
    tmp_path: Path, entry: Any, outcome: str, words: str
) -> None:
    found = flow((4, 1e-6), (8, outcome)).judged(tmp_path, entry)
    assert (found.verdict, found.found) == ("void", words)


def test_a_miss_is_a_miss_whatever_failed_beside_it(tmp_path: Path) -> None:
    assert flow((4, "failed"), (8, 3e-6)).judged(tmp_path, BELOW).verdict == "missed"


def test_before_the_run_a_statement_is_void(tmp_path: Path) -> None:
    found = flow((4, "missing"), (8, "missing")).judged(tmp_path, BELOW)
    assert (found.verdict, found.found) == ("void", "no point has run yet")


def test_a_statement_about_no_engine_in_particular_is_about_each(tmp_path: Path) -> None:
    points = Points(("flow", "mesh", 4, 0, 1e-6), ("packet", "mesh", 4, 0, 3e-6))
    found = points.judged(tmp_path, BELOW, ("flow", "packet"))
    assert (found.verdict, found.found) == ("missed", "packet 3 µs (50% above)")
    lost = Points(("flow", "mesh", 4, 0, 1e-6), ("packet", "mesh", 4, 0, "failed"))
    assert lost.judged(tmp_path, BELOW, ("flow", "packet")).verdict == "void"


def two(mesh: float | str, torus: float | str, k: int = 4) -> tuple[Any, ...]:
    return ("flow", "mesh", k, 0, mesh), ("flow", "torus", k, 0, torus)


def test_an_alternative_that_leads_everywhere_is_best(tmp_path: Path) -> None:
    points = Points(*two(2e-6, 1e-6), *two(3e-6, 1e-6, 8))
    found = points.judged(tmp_path, BEST)
    assert found.line == "held: torus has the best completion time: it leads by ×2.00 to ×3.00"


@pytest.mark.parametrize(
    ("torus", "words"),
    [(3e-6, "mesh is better by ×1.50 at k = 8"), (2e-6, "does not differ from mesh by more than")],
)
def test_an_alternative_that_does_not_lead_at_one_place_misses(
    tmp_path: Path, torus: float, words: str
) -> None:
    found = Points(*two(2e-6, 1e-6), *two(2e-6, torus, 8)).judged(tmp_path, BEST)
    assert found.verdict == "missed"
    assert words in found.found
    assert "and so at 1 of 2 places" in found.found


def test_a_lead_that_is_smaller_than_stated_misses(tmp_path: Path) -> None:
    points = Points(*two(1.2e-6, 1e-6))
    assert points.judged(tmp_path, {**BEST, "by": "10 %"}).verdict == "held"
    found = points.judged(tmp_path, {**BEST, "by": "30 %"})
    assert (found.verdict, found.found) == ("missed", "it leads by ×1.20 only")


def test_the_best_is_void_where_a_rival_failed(tmp_path: Path) -> None:
    points = Points(*two(2e-6, 1e-6), *two("failed", 1e-6, 8))
    assert points.judged(tmp_path, BEST).verdict == "void"


def both(of: Any, to: Any, k: int = 4) -> tuple[Any, ...]:
    return ("flow", "mesh", k, 0, of), ("packet", "mesh", k, 0, to)


@pytest.mark.parametrize(
    ("of", "verdict"), [(1.09e-6, "held"), (1.11e-6, "missed"), (0.9e-6, "missed")]
)
def test_engines_agree_within_a_share_either_way(tmp_path: Path, of: float, verdict: str) -> None:
    points = Points(*both(1e-6, 1e-6), *both(of, 1e-6, 8))
    assert points.judged(tmp_path, NEAR, ("flow", "packet")).verdict == verdict


def test_the_worst_disagreement_is_said_with_its_place(tmp_path: Path) -> None:
    points = Points(*both(1e-6, 1e-6), *both(2e-6, 1e-6, 8))
    found = points.judged(tmp_path, NEAR, ("flow", "packet"))
    said = "×2.00 off, 2 µs against 1 µs of packet at k = 8, and so at 1 of 2 places"
    assert found.found == said


@pytest.mark.parametrize(("of", "to"), [("failed", 1e-6), (1e-6, "failed"), (0.0, 1e-6)])
def test_an_agreement_is_void_where_one_side_says_nothing(tmp_path: Path, of: Any, to: Any) -> None:
    points = Points(*both(1e-6, 1e-6), *both(of, to, 8))
    assert points.judged(tmp_path, NEAR, ("flow", "packet")).verdict == "void"


def test_a_curve_grows_by_a_share(tmp_path: Path) -> None:
    points = flow((4, 1e-6), (8, 1.2e-6), (16, 1.5e-6))
    assert points.judged(tmp_path, GROWS).verdict == "held"
    assert points.judged(tmp_path, {**GROWS, "goes": "falls"}).verdict == "missed"
    found = points.judged(tmp_path, {**GROWS, "at_most": "40 %"})
    assert found.line == (
        "missed: the completion time grows with the k by at most 40 %: by 50.0% (25% above),"
        " from 1 µs to 1.5 µs"
    )


@pytest.mark.parametrize("middle", [0.5e-6, 3e-6])
def test_a_curve_that_goes_back_does_not_grow(tmp_path: Path, middle: float) -> None:
    found = flow((4, 1e-6), (8, middle), (16, 1.5e-6)).judged(tmp_path, GROWS)
    assert (found.verdict, found.found[:8]) == ("missed", "it falls")


def test_a_flat_curve_does_not_grow(tmp_path: Path) -> None:
    found = flow((4, 1e-6), (8, 1e-6)).judged(tmp_path, GROWS)
    assert (found.verdict, "does not change" in found.found) == ("missed", True)


@pytest.mark.parametrize(
    ("ends", "verdict"),
    [
        ({}, "held"),
        ({"above": 4, "at_most": 8}, "held"),
        ({"below": 8}, "void"),
        ({"below": 4}, "missed"),
        ({"above": 8}, "missed"),
        ({"at_least": 6}, "void"),
    ],
)
def test_a_level_is_crossed_between_two_places(
    tmp_path: Path, ends: dict[str, Any], verdict: str
) -> None:
    points = flow((2, 1e-6), (4, 1.5e-6), (8, 2.5e-6), (16, 3e-6))
    assert points.judged(tmp_path, {**CROSSES, **ends}).verdict == verdict


@pytest.mark.parametrize(
    ("times", "words"),
    [
        ((1e-6, 1.1e-6, 1.2e-6), "does not cross it"),
        ((1e-6, 3e-6, 1e-6), "it crosses it 2 times"),
    ],
)
def test_a_level_that_is_not_crossed_once_misses(
    tmp_path: Path, times: tuple[float, ...], words: str
) -> None:
    points = flow(*zip((4, 8, 16), times, strict=True))
    found = points.judged(tmp_path, CROSSES)
    assert found.verdict == "missed"
    assert words in found.found


def test_a_crossing_the_other_way_misses_where_growth_is_stated(tmp_path: Path) -> None:
    falling = flow((4, 3e-6), (8, 1e-6))
    assert falling.judged(tmp_path, CROSSES).verdict == "held"
    assert falling.judged(tmp_path, {**CROSSES, "goes": "grows"}).verdict == "missed"


# A point of the samples takes 0.018 s of CPU time.
@pytest.mark.parametrize(("below", "verdict"), [("37 ms", "held"), ("36 ms", "missed")])
def test_the_cost_is_that_of_all_points(tmp_path: Path, below: str, verdict: str) -> None:
    points = flow((4, 1e-6), (8, 1e-6))
    assert points.judged(tmp_path, {"cost": {"of": "flow"}, "below": below}).verdict == verdict


@pytest.mark.parametrize(("below", "verdict"), [("110 %", "held"), ("90 %", "missed")])
def test_the_cost_of_one_engine_is_a_share_of_that_of_another(
    tmp_path: Path, below: str, verdict: str
) -> None:
    points = Points(*both(1e-6, 1e-6), *both(1e-6, 1e-6, 8))
    entry = {"cost": {"of": "flow", "to": "packet"}, "below": below}
    assert points.judged(tmp_path, entry, ("flow", "packet")).verdict == verdict


def test_a_cost_is_void_where_a_point_failed(tmp_path: Path) -> None:
    points = flow((4, 1e-6), (8, "failed"))
    assert points.judged(tmp_path, {"cost": {"of": "flow"}, "below": "1 h"}).verdict == "void"
