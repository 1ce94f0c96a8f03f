"""Names that there are not: the nearest, and all of them only where they are few."""

import pytest
from weft.config.language.errors import MOST_LISTED, nearest, unknown


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


ENGINES = ("anet", "booksim", "flow", "hardware", "model", "packet", "rdma", "simgrid", "smpi")
NAMES = ("crossbar", "fat_tree", "fly", "k", "n", "mesh", "random_ring", "sweep", "torus", "title")
KEYS = (
    "engine.flow.allgather_algorithm",
    "options.allgather_algorithm",
    "options.gather_algorithm",
)
METRICS = ("packet_latency_mean_cycles", "job1_slowdown", "accepted_rate", "delay_mean_s")


@pytest.mark.parametrize(
    ("name", "known", "meant"),
    [
        ("flwo", ENGINES, "flow"),
        ("rmda", ENGINES, "rdma"),
        ("pakcet", ENGINES, "packet"),
        ("BookSim2", ENGINES, "booksim"),
        ("mpi", ENGINES, "smpi"),
        ("sim", ENGINES, "simgrid"),
        ("fat-tree", NAMES, "fat_tree"),
        ("fattre", NAMES, "fat_tree"),
        ("Torus", NAMES, "torus"),
        ("tittle", NAMES, "title"),
        ("sweeps", NAMES, "sweep"),
        ("random", NAMES, "random_ring"),
        ("rng_random", NAMES, None),
        ("packet_latency", METRICS, "packet_latency_mean_cycles"),
        ("latncy_mean", METRICS, "packet_latency_mean_cycles"),
        ("slowdown", METRICS, "job1_slowdown"),
        ("acepted_rates", METRICS, "accepted_rate"),
        ("allgather_algorithm", KEYS, "options.allgather_algorithm"),
        # Names that only share letters.
        ("nope", ENGINES, None),
        ("x", NAMES, None),
        ("foo", NAMES, None),
        ("mine", NAMES, None),
        ("latency_mean_cyclades_total", METRICS, None),
    ],
)
def test_only_a_plausible_name_is_suggested(name, known, meant):
    assert nearest(name, known) == (f"; did you mean '{meant}'?" if meant else "")


def test_the_label_of_a_metric_is_answered_with_its_name(tree):
    body = "figures: [{line: {x: seed, y: Completion time}}]\n"
    tree.refuses(body, "figures[0].line.y", "'Completion time'; did you mean 'makespan_s'?")
    body = "answer: {best: {among: seed, of: completion-time}}\n"
    tree.refuses(body, "answer.best.of", "did you mean 'makespan_s'?")


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
        ("engines: flow\n", "engines", "expected a list of engines: write engines: [flow]"),
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
