"""`expect:` states what may fail, of what there is, with bounds that have their units."""

import pytest
from weft.plan import build_plan, expand

HEAD = (
    "engines: [flow, packet]\n"
    "defaults: [override /topology: torus, override /workload: saturation]\n"
    "sweep: {topology.k: [4, 8], workload.pattern: [uniform, tornado]}\n"
)
MAP = (
    "figures: [{choice: {x: topology.k, y: workload.message_size, value: accepted_rate,"
    " among: workload.pattern}}]\n"
)


@pytest.mark.parametrize(
    ("entry", "key", "words"),
    [
        ("best", "", "expected a statement like {metric: makespan_s, below: 2 ms}"),
        ("{metrik: accepted_rate}", ".metrik", "unknown statement 'metrik'; did you mean 'metric'"),
        ("{best: tornado, along: topology.k, metric: accepted_rate}", "", "are two statements"),
        ("{metric: accepted_rat, above: 0.5}", ".metric", "did you mean 'accepted_rate'?"),
        ("{metric: packet_latency_mean_cycles, engine: flow, below: 9 cycles}", ".engine",
         "flow does not give packet_latency_mean_cycles; engines that do: packet"),
        ("{metric: program_time_s, below: 2 ms}", ".metric",
         "no engine of this experiment (flow, packet) gives program_time_s"),
        ("{metric: accepted_rate, engine: flov, above: 0.5}", ".engine", "did you mean 'flow'?"),
        ("{metric: accepted_rate, above: 0.5, where: {topology.kk: 4}}", ".where",
         "did you mean 'topology.k'?"),
        ("{metric: accepted_rate, above: 0.5, where: {topology.k: 5}}", ".where.topology.k",
         "no point has '5'; the points have: 4, 8"),
        ("{metric: accepted_rate}", "", "without a bound this can not fail"),
        ("{metric: accepted_rate, abovve: 0.5}", ".abovve", "did you mean 'above'?"),
        ("{metric: accepted_rate, above: 0.5 s}", ".above", "expected a number without a unit"),
        ("{metric: cpu_s, below: 2}", ".below",
         "expected a time with its unit, like '2 ms'; got 2"),
        ("{metric: cpu_s, below: 2 KiB}", ".below", "'2 KiB' has another dimension"),
        ("{metric: cpu_s, below: -2 s}", ".below", "is negative, which no result is"),
        ("{metric: packet_latency_mean_cycles, below: 9 ns}", ".below", "like '120 cycles'"),
        ("{metric: accepted_rate, above: 0.5, below: 0.4}", "", "exclude each other"),
        ("{metric: accepted_rate, at_least: 0.5, below: 0.5}", "", "exclude each other"),
        ("{metric: accepted_rate, above: 0.5, at_least: 0.4}", "", "two ends of one side"),
        ("{metric: accepted_rate, at_least: 0}", ".at_least", "can not fail"),
        ("{metric: accepted_rate, below: 0}", ".below", "can not hold"),
        ("{best: tornadoo, metric: accepted_rate}", ".best", "did you mean 'tornado'?"),
        ("{best: tornado, metric: hops_mean}", ".metric", "no better direction"),
        ("{best: tornado, metric: accepted_rate, among: topology.k}", ".best",
         "unknown alternative 'tornado'"),
        ("{best: tornado, metric: accepted_rate, by: 0}", ".by", "expected a share above 0"),
        ("{best: tornado, metric: accepted_rate, where: {workload.pattern: tornado}}",
         ".where.workload.pattern", "leaves tornado no rival, so this can not fail"),
        ("{best: tornado, metric: accepted_rate, where: {workload.pattern: uniform}}",
         ".where.workload.pattern", "leaves out tornado"),
        ("{agreement: {of: flow, to: flow, within: 0.1}, metric: accepted_rate}", "",
         "agrees with itself, so this can not fail"),
        ("{agreement: {of: flow, to: hardware, within: 0.1}}", ".agreement.to",
         "unknown engine 'hardware'"),
        ("{agreement: {of: flow, to: packet, within: 10 s}}", ".agreement.within",
         "a share like '10 %'"),
        ("{agreement: {of: flow, to: packet, within: 0.1}}", "",
         "no figure shows a metric that flow and packet give: name it as metric"),
        ("{along: topology.k, metric: accepted_rate}", "", "say how it goes: grows or falls"),
        ("{along: topology.dimensions, metric: accepted_rate, goes: falls}", ".along",
         "is not swept"),
        ("{along: workload.pattern, metric: accepted_rate, goes: falls}", ".along",
         "has words, such as uniform: an axis has numbers"),
        ("{along: topology.k, metric: accepted_rate, goes: falls, at_most: 100 %}", ".at_most",
         "can not fail"),
        ("{along: topology.k, metric: accepted_rate, goes: falls, above: 100 %}", ".above",
         "can not hold"),
        ("{along: topology.k, metric: accepted_rate, crosses: 1 s}", ".crosses",
         "expected a number without a unit"),
        ("{cost: {of: flow}}", "", "without a bound this can not fail"),
        ("{cost: {of: flow}, below: 10 %}", ".below", "expected a time with its unit"),
        ("{cost: {of: flow, to: packet}, below: 1 s}", ".below", "expected a number"),
        ("{cost: {of: flow, to: flow}, below: 10 %}", "", "name two engines"),
        ("{choices: right, at_least: 90 %}", "", "nothing judges a choice"),
        ("{choices: right, at_most: 1}", ".at_most", "can not fail"),
    ],
)  # fmt: skip
def test_a_wrong_statement_is_reported_at_its_key(tree, entry, key, words):
    tree.experiment(f"{HEAD}expect:\n  - {entry}\n")
    error = tree.errors()[0]
    assert error.key == f"expect[0]{key}"
    assert words in error.message
    assert str(error.mark).startswith("7:")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("{metric: accepted_rate, above: 0.5}", "{metric: accepted_rate, below: 50 %}"),
        ("{best: tornado, metric: accepted_rate}", "{best: uniform, metric: accepted_rate}"),
        (
            "{along: topology.k, metric: accepted_rate, goes: falls}",
            "{along: topology.k, metric: accepted_rate, goes: grows}",
        ),
    ],
)
def test_two_statements_that_exclude_each_other_are_reported(tree, one, other):
    tree.experiment(f"{HEAD}expect: [{one}, {other}]\n")
    error = tree.error()
    assert (error.key, error.message) == (
        "expect[1]",
        "it contradicts expect[0]: no result meets both",
    )


def test_statements_about_other_answers_do_not_exclude_each_other(tree):
    tree.experiment(
        f"{HEAD}expect:\n"
        "  - {metric: accepted_rate, above: 0.5, where: {topology.k: 4}}\n"
        "  - {metric: accepted_rate, below: 0.5, where: {topology.k: 8}}\n"
    )
    assert len(tree.load().expectations) == 2


def planned(tree, entry, figures=""):
    tree.experiment(f"{HEAD}{figures}expect: [{entry}]\n")
    experiment = tree.load()
    versions = dict.fromkeys(experiment.engines, "1")
    return build_plan(experiment, expand(experiment), versions).report.expect[0]


def test_a_plan_keeps_a_statement_as_written_with_its_columns_and_engines(tree):
    entry = "{metric: accepted_rate, above: 50 %, where: {workload.message_size: 2 KiB}}"
    tree.write("workload/saturation.yaml", "kind: traffic\nmessage_size: 2 KiB\n")
    found = planned(tree, entry)
    assert found.written == entry
    assert found.statement.where == {"message_bytes": 2048}
    assert (found.engines, found.metrics) == (("flow", "packet"), ("accepted_rate",))


def test_an_agreement_is_about_the_metrics_that_both_engines_give(tree):
    figures = (
        "figures: [{line: {x: topology.k, y: packet_latency_mean_cycles}},"
        " {line: {x: topology.k, y: accepted_rate}}]\n"
    )
    found = planned(tree, "{agreement: {of: flow, to: packet, within: 10 %}}", figures)
    assert found.metrics == ("accepted_rate",)
