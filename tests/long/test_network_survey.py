"""The survey behind the table of docs/rdma.md: packet by packet beside flit by flit, in percent."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

import pytest

from tests.long.ignored import ignored_tests

pytestmark = [pytest.mark.slow, pytest.mark.long("network_survey")]

#: What `simulators/rdma/tests/integration/network_survey.rs` prints of a case.
LINE = re.compile(
    r"^\"?(?P<topology>\w+)\"? (?P<setting>\(.*\)) load (?P<load>[\d.]+):"
    r"(?: (?P<alone>[\d.]+) x alone;)? network (?P<network>\S+ ?\S+) %,"
    r" message (?P<message>\S+ ?\S+) %, accepted (?P<accepted>\S+ ?\S+) %$",
    re.M,
)
#: Below saturation, with messages of at most three times the duration that they have alone.
MOST_OFF_OF_LATENCIES = 2.0
MOST_OFF_OF_RATES = 3.0
MOST_TIMES_ALONE = 3.0
#: Single runs scatter: so many standard errors may be added to what is allowed.
ERRORS = 3.0


@dataclass(frozen=True)
class Off:
    """How far the packets are off, with the standard error, in percent."""

    mean: float
    error: float

    @classmethod
    def read(cls, text: str) -> "Off":
        mean, error = re.findall(r"[+-]?[\d.]+", text)
        return cls(float(mean), float(error))

    def is_within(self, most: float) -> bool:
        return abs(self.mean) <= most + ERRORS * self.error


def printed(test: str) -> Iterator[re.Match[str]]:
    """The cases that a test of the survey prints."""
    done = ignored_tests("rdma", f"network_survey::{test}")
    assert done.returncode == 0, done.stdout + done.stderr
    return LINE.finditer(done.stdout)


def judged(case: re.Match[str]) -> dict[str, tuple[Off, float]]:
    """What of a case is judged and how far off it may be: rates where more is offered than fits."""
    if float(case["load"]) == 1.0:
        return {"accepted": (Off.read(case["accepted"]), MOST_OFF_OF_RATES)}
    if case["alone"] and float(case["alone"]) > MOST_TIMES_ALONE:
        return {}
    names = ("network", "message")
    return {name: (Off.read(case[name]), MOST_OFF_OF_LATENCIES) for name in names}


@pytest.mark.parametrize(
    ("test", "count"),
    [
        ("deviations_of_every_topology", 245),
        ("deviations_of_routes_chosen_on_the_way", 250),
        ("deviations_of_the_worst_cases_in_long_runs", 8),
        ("deviations_of_the_worst_cases_on_the_way_in_long_runs", 7),
    ],
)
def test_packets_give_what_flits_give(test, count, record_property):
    cases = list(printed(test))
    assert len(cases) == count
    worst: dict[str, tuple[float, str]] = {}
    wrong = []
    for case in cases:
        for name, (off, most) in judged(case).items():
            worst[name] = max(worst.get(name, (0.0, "")), (abs(off.mean), case[0]))
            wrong += [] if off.is_within(most) else [f"{name}: {case[0]}"]
    for name, (_, text) in worst.items():
        record_property(f"worst {name}", text)
    assert wrong == []
