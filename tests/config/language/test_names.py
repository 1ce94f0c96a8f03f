"""Names that there are not: the nearest, and all of them only where they are few."""

import pytest
from weft.config.language.errors import MOST_LISTED, unknown


def test_a_few_names_are_all_listed():
    assert unknown("engine", "flo", ["flow", "packet"]) == (
        "unknown engine 'flo'; did you mean 'flow'? allowed: flow, packet"
    )


@pytest.mark.parametrize(
    ("what", "where"),
    [
        ("key", "which docs/experiment-file.md lists"),
        ("metric", "which docs/metrics.md lists"),
        ("experiment", "which weft list prints"),
        ("program", "such as "),
    ],
)
def test_of_many_names_the_message_says_where_they_are(what, where):
    names = [f"name_{i}" for i in range(MOST_LISTED)] + ["other"]
    message = unknown(what, "othr", names)
    assert message.startswith(f"unknown {what} 'othr'; did you mean 'other'? allowed: 31 names, ")
    assert where in message
    assert message.count("name_") < 6


def test_an_unknown_swept_key_takes_one_line(tree):
    tree.refuses(
        "defaults: [override /topology: torus]\nsweep: {topology.kk: [3]}\n",
        "sweep.topology.kk",
        "did you mean 'topology.k'?",
        "names, which docs/experiment-file.md lists",
    )
    assert len(str(tree.error())) < 200


def test_an_unknown_metric_takes_one_line(tree):
    body = "figures: [{line: {x: seed, y: makespam_s}}]\n"
    tree.refuses(body, "figures[0].line.y", "'makespan_s'?", "which docs/metrics.md lists")
    assert len(str(tree.error())) < 200


@pytest.mark.parametrize(
    ("body", "key", "words"),
    [
        ("workload: {per_node: null}\n", "workload.per_node", "for its default, 1"),
        ("seed: null\n", "seed", "for its default, 1"),
        ("sweep: {workload.per_node: [null, 2]}\n", "workload.per_node", "its default, 1 (at"),
    ],
)
def test_null_where_a_value_belongs_is_answered_with_the_default(tree, body, key, words):
    tree.refuses(body, key, "null is no value of this key: leave it out", words)


def test_null_for_a_key_that_must_be_given_asks_for_a_value(tree):
    tree.write("experiment/x.yaml", "title: null\nquestion: Q?\nengines: [flow]\n")
    error = tree.error()
    assert (error.key, error.message) == ("title", "null is no value of this key: write one")
