"""`answer:` names questions, metrics and keys that exist, vary, and have answers."""

import pytest
from weft.config.model.answer import Best
from weft.plan import build_plan, expand

HEAD = (
    "engines: [flow, packet]\n"
    "defaults: [override /topology: torus, override /workload: saturation]\n"
    "sweep: {topology.k: [4, 8], workload.pattern: [uniform, tornado]}\n"
)


@pytest.mark.parametrize(
    ("answer", "key", "words"),
    [
        ("beste", "answer", "unknown question 'beste'; did you mean 'best'?"),
        ("[best, worst]", "answer[1]", "allowed: agreement, best, change, crossover"),
        ("{best: {amung: topology.k}}", "answer.best.amung", "did you mean 'among'?"),
        ("{best: {among: topology.kk}}", "answer.best.among", "did you mean 'topology.k'?"),
        ("{best: {of: accepted_rat}}", "answer.best.of", "did you mean 'accepted_rate'?"),
        ("{best: {of: hops_mean}}", "answer.best.of", "no better direction"),
        (
            "{best: {of: iteration_time_s}}",
            "answer.best.of",
            "(flow, packet) gives iteration_time_s",
        ),
        ("{saturation: {over: topology.dimensions}}", "answer.saturation.over", "is not swept"),
        ("{crossover: {over: network.bandwidth}}", "answer.crossover.over", "has 125000000.0"),
        ("[{agreement: {to: hardware}}]", "answer[0].agreement.to", "unknown engine 'hardware'"),
        ("{agreement: {within: 5}}", "answer.agreement.within", "less than 1"),
        ("{best: {where: {topology.k: 5}}}", "answer.best.where.topology.k", "no point has '5'"),
        ("{best: {}, agreement: {}}", "answer", "expected one question"),
    ],
)
def test_a_wrong_question_is_reported_at_its_key(tree, answer, key, words):
    tree.experiment(f"{HEAD}answer: {answer}\n")
    error = tree.errors()[0]
    assert error.key == key
    assert words in error.message


@pytest.mark.parametrize(
    "answer",
    [
        "best",
        "[agreement, {saturation: {over: topology.k}}]",
        "{best: {of: accepted_rate, among: [engine, workload.pattern], over: topology.k}}",
        "{agreement: {to: packet, of: cpu_s}}",
    ],
)
def test_questions_are_a_word_a_section_or_a_list(tree, answer):
    tree.experiment(f"{HEAD}answer: {answer}\n")
    assert tree.load().settings.answer


def test_a_program_gives_the_metrics_that_it_samples(tree):
    tree.experiment(
        "engines: [rdma]\n"
        "defaults: [override /workload: pingpong, override /network: opennsim_table3]\n"
        "answer: {best: {of: exchange_time_s}}\n"
    )
    assert tree.load().settings.answer


def test_a_figure_of_a_metric_that_no_engine_gives_is_reported(tree):
    tree.refuses(
        "figures: [{line: {x: seed, y: packet_latency_mean_cycles}}]\n",
        "figures[0].line.y",
        "(flow) gives packet_latency_mean_cycles; did you mean",
        "they give: accepted_rate",
    )


def test_an_unknown_reference_is_reported(tree):
    tree.refuses(
        "report: {reference: pakcet}\nengines: [flow, packet]\n", None, "did you mean 'packet'?"
    )


def test_a_plan_holds_questions_with_columns_for_keys(tree):
    tree.experiment(f"{HEAD}answer: {{best: {{among: network.bandwidth}}}}\n")
    experiment = tree.load(["topology.k=4"])
    report = build_plan(experiment, expand(experiment), {"flow": "1", "packet": "1"}).report
    assert report.answer == (Best(among="network.bandwidth_bytes_per_s"),)
    assert report.engines["packet"].fidelity == "packet"
