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
    tree.refuses(body, key, "this key cannot be null: leave it out", words)


def test_null_for_a_key_that_must_be_given_asks_for_a_value(tree):
    tree.write("experiment/x.yaml", "title: null\nquestion: Q?\nengines: [flow]\n")
    error = tree.error()
    assert (error.key, error.message) == ("title", "this key cannot be null: give a value")


@pytest.mark.parametrize(
    ("body", "key", "message"),
    [
        ("engines: flow\n", "engines", "expected a list, like [a, b], got 'flow'"),
        ("engines: []\n", "engines", "expected at least 1 entry, got []"),
        ("figures: {line: 1}\n", "figures", "expected a list, like [a, b], got {'line': 1}"),
        ("sweep: [topology.k]\n", "sweep", "expected a section of keys with values, got ["),
        ("replicates: 1.5\n", "replicates", "expected a whole number, got 1.5"),
        ("seed: -1\n", "seed", "must be greater than or equal to 0, got -1"),
    ],
)
def test_a_wrong_kind_of_value_is_answered_in_words(tree, body, key, message):
    tree.refuses(body, key, message)


def test_a_wrong_word_takes_one_message_whatever_the_branches_of_its_type(tree):
    tree.refuses("workload: {pattern: tornadoo}\n", "workload.pattern", "'tornado'?", "file, ")


@pytest.mark.parametrize("values", ["[3, 3]", "{from: 9, to: 3}", "{from: 3, until: 9}", "4"])
def test_a_sweep_that_cannot_be_read_is_the_only_mistake(tree, values):
    body = f"defaults: [override /topology: torus]\nsweep: {{topology.k: {values}}}\n"
    tree.refuses(body, "sweep.topology.k")


def test_rows_that_cannot_be_read_are_the_only_mistake(tree):
    body = "defaults: [override /topology: torus]\nsweep: {zip: {topology.k: [3, 4]}}\n"
    tree.refuses(body, "sweep.zip", "expected a list of sections")
