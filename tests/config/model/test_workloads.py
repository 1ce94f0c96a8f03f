"""Traffic: rates, bursts and the search for saturation."""

import pytest
from weft.plan import expand

BURSTS = "engines: [packet]\ndefaults: [override /workload: {}]\nworkload: {{{}}}\n"


def workload(tree, group, keys=""):
    tree.experiment(BURSTS.format(group, keys))
    (point,) = expand(tree.load())
    return point.spec["workload"]


def mistake(tree, group, keys):
    tree.experiment(BURSTS.format(group, keys))
    return tree.error().message


def test_bursts_are_reported_with_their_rate(tree):
    found = workload(tree, "open_loop", "injection_process: on_off, burst_messages: 4")
    assert (found["injection_process"], found["burst_messages"]) == ("on_off", 4)
    assert found["burst_rate"] == 1.0


def test_the_default_process_is_the_same_question(tree):
    plain = workload(tree, "open_loop")
    assert workload(tree, "open_loop", "injection_process: bernoulli") == plain
    assert "injection_process" not in plain


def test_a_search_is_reported(tree):
    assert workload(tree, "saturation_search")["search"] == "saturation"
    assert "search" not in workload(tree, "saturation")


def test_bursts_need_their_length(tree):
    assert "needs burst_messages" in mistake(tree, "open_loop", "injection_process: on_off")


@pytest.mark.parametrize("key", ["burst_messages: 4", "burst_rate: 0.5"])
def test_burst_keys_belong_to_on_off(tree, key):
    assert "belong to injection_process: on_off" in mistake(tree, "open_loop", key)


@pytest.mark.parametrize("rate", [0.5, 0.6, 1.0])
def test_bursts_offer_more_than_the_average(tree, rate):
    found = mistake(tree, "bursts", f"injection_rate: {rate}, burst_rate: 0.5")
    assert f"injection_rate is {rate}" in found


def test_a_burst_has_more_than_one_message(tree):
    assert "greater than 1" in mistake(tree, "bursts", "burst_messages: 1")


def test_a_wrong_process_names_the_nearest(tree):
    found = mistake(tree, "open_loop", "injection_process: onoff")
    assert "did you mean 'on_off'? allowed: bernoulli, on_off" in found


def test_a_wrong_search_names_the_nearest(tree):
    assert "did you mean 'saturation'?" in mistake(tree, "open_loop", "search: saturaton")


@pytest.mark.parametrize(
    ("value", "words"),
    [("0", "greater than or equal to 1, got 0"), ("al", "did you mean 'all'?")],
)
def test_a_wrong_number_or_word_is_reported_once_under_its_key(tree, value, words):
    tree.refuses(f"workload: {{outstanding: {value}}}\n", "workload.outstanding", words)
