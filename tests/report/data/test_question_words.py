"""The words of a question decide what a page answers where the sweep leaves it open."""

from __future__ import annotations

import pytest
from report_samples import CONFIGS
from weft.report.data.metrics import load_metrics
from weft.report.data.question_words import AskedLevel, QuestionWords

PINGPONG = ("one_way_time_s", "program_time_s", "bandwidth_bytes_per_s",
            "communication_latency_mean_s", "link_throughput_mean_bytes_per_s")  # fmt: skip
COLLECTIVE = ("collective_time_s", "program_time_s", "effective_bandwidth_bytes_per_s")
JOBS = ("job1_slowdown", "program_time_s", "job1_time_s")
TRAFFIC = ("accepted_rate", "message_time_mean_s", "packet_latency_mean_cycles")


def named(question: str, metrics: tuple[str, ...], *swept: str) -> list[str]:
    known = load_metrics(CONFIGS)
    return QuestionWords(question, swept).metrics(known[name] for name in metrics)


@pytest.mark.parametrize(
    ("question", "level"),
    [
        ("From which size does a ping-pong reach 90 % of the link's bandwidth?", (0.9, True)),
        ("Which size reaches 90% of its largest bandwidth?", (0.9, False)),
        ("From which size on do we get half of the rate of the links?", (0.5, True)),
        ("When does it achieve 95 percent of the best throughput?", (0.95, False)),
        ("Does the time differ by more than 5 % of the mean?", None),
        ("At 90 % of the load, who reaches the lowest latency?", None),
        ("Which half of the machine is faster?", None),
    ],
)
def test_a_share_that_is_reached_is_a_level(
    question: str, level: tuple[float, bool] | None
) -> None:
    assert QuestionWords(question, ()).level == (AskedLevel(*level) if level else None)


@pytest.mark.parametrize(
    ("question", "is_first"),
    [
        ("How does the time grow with the ranks, and which placement keeps it lowest?", True),
        ("Which placement is fastest, and how does the time grow with the ranks?", False),
        ("Up to how many ranks does my program get faster?", True),
        ("How much does each failed link cost?", False),
        ("From which size on does a torus lose against a mesh?", False),
        ("Which of both is better?", False),
        ("How does latency change with the load?", True),
    ],
)
def test_a_course_comes_first_where_the_question_asks_it_first(
    question: str, is_first: bool
) -> None:
    assert QuestionWords(question, ()).asks_course_first == is_first


@pytest.mark.parametrize(
    ("question", "metrics", "swept", "found"),
    [
        ("What bandwidth does a ping-pong get?", PINGPONG, (), ["bandwidth_bytes_per_s"]),
        ("What throughput does a ping-pong get?", PINGPONG, (), ["bandwidth_bytes_per_s"]),
        ("What is its latency?", PINGPONG, (), ["one_way_time_s"]),
        ("Which latency do packets have?", TRAFFIC, (), ["packet_latency_mean_cycles"]),
        ("Which gives most bandwidth?", COLLECTIVE, (), ["effective_bandwidth_bytes_per_s"]),
        ("What matters more, bandwidth or latency?", COLLECTIVE,
         ("network.bandwidth_bytes_per_s", "network.latency_s"), []),
        ("Which is faster, and at what bandwidth?", COLLECTIVE, (),
         ["collective_time_s", "effective_bandwidth_bytes_per_s"]),
        ("How much longer does job 1 take?", JOBS, (), ["job1_slowdown"]),
        ("How is the program time?", COLLECTIVE, (), ["program_time_s"]),
        ("Which rate is accepted?", TRAFFIC, (), []),
        ("How high is the accepted rate?", TRAFFIC, (), ["accepted_rate"]),
    ],
)  # fmt: skip
def test_a_question_names_metrics_in_its_own_words(
    question: str, metrics: tuple[str, ...], swept: tuple[str, ...], found: list[str]
) -> None:
    assert named(question, metrics, *swept) == found


def test_a_question_about_costs_asks_the_price() -> None:
    assert QuestionWords("Is a fat tree worth its price?", ()).asks_price
    assert not QuestionWords("Is a fat tree faster?", ()).asks_price
