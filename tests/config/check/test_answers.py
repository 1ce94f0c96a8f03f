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
        ("[best, worst]", "answer[1]", "allowed: agreement, along, best, choices, cost"),
        ("choices", "answer.choices", "no figure of the kind choice has to or published"),
        ("{choices: {where: {topology.k: 4}}}", "answer.choices", "where has no effect"),
        ("pulses", "answer", "this version has no question pulses; write pulses: true in"),
        ("{along: {at_least: 1, to: first}}", "answer.along", "ask for two things"),
        ("{along: {at_least: 1, within: 0.1}}", "answer.along", "within has no effect beside"),
        ("{best: {amung: topology.k}}", "answer.best.amung", "did you mean 'among'?"),
        ("{best: {among: topology.kk}}", "answer.best.among", "did you mean 'topology.k'?"),
        ("{best: {of: accepted_rat}}", "answer.best.of", "did you mean 'accepted_rate'?"),
        ("{best: {of: hops_mean}}", "answer.best.of", "no better direction"),
        (
            "{best: {of: iteration_time_s}}",
            "answer.best.of",
            "(flow, packet) gives iteration_time_s",
        ),
        ("{along: {over: topology.dimensions}}", "answer.along.over", "is not swept"),
        ("{best: {over: network.bandwidth}}", "answer.best.over", "has 125000000.0"),
        ("[{agreement: {to: hardware}}]", "answer[0].agreement.to", "unknown engine 'hardware'"),
        ("[{cost: {to: hardware}}]", "answer[0].cost.to", "unknown engine 'hardware'"),
        ("[{cost: {to: derived}}]", "answer[0].cost.to", "unknown engine 'derived'"),
        ("{cost: {of: makespan_s}}", "answer.cost.of", "cpu_s"),
        ("{along: {over: network.bandwidth}}", "answer.along.over", "has 125000000.0"),
        ("{along: {within: 5}}", "answer.along.within", "less than 1"),
        ("{cost: {within: 5}}", "answer.cost.within", "less than 1"),
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
    ("answer", "now"),
    [
        ("{change: {over: topology.k}}", "{along: {over: topology.k}}"),
        ("[course, {saturation: {within: 0.1}}]", "[along, {along: {within: 0.1}}]"),
        ("{threshold: {at_least: 0.5}}", "{along: {at_least: 0.5}}"),
        ("convergence", "{along: {to: first}}"),
        ("{crossover: {over: topology.k}}", "{best: {over: topology.k}}"),
    ],
)
def test_a_question_of_an_earlier_version_is_what_it_is_now(tree, answer, now):
    tree.experiment(f"{HEAD}answer: {answer}\n")
    old = [each.asked for each in tree.load().questions]
    tree.experiment(f"{HEAD}answer: {now}\n")
    assert old == [each.asked for each in tree.load().questions]


@pytest.mark.parametrize(
    "answer",
    [
        "best",
        "[agreement, {along: {over: topology.k}}]",
        "{best: {of: accepted_rate, among: [engine, workload.pattern], over: topology.k}}",
        "{agreement: {to: packet, of: cpu_s}}",
        "[cost, {cost: {of: wall_s, to: packet, within: 0.05}}]",
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
        "(flow) gives packet_latency_mean_cycles; ",
        "they give: accepted_rate",
    )


def test_a_metric_of_another_kind_of_workload_is_reported(tree):
    figure = "figures: [{line: {x: seed, y: program_time_s}}]\n"
    message = "(flow, packet) gives program_time_s for messages, only for program; they give: "
    tree.refuses(f"engines: [flow, packet]\n{figure}", "figures[0].line.y", message)
    tree.experiment(f"engines: [flow, own]\n{figure}")
    tree.write(
        "engine/own.yaml", "description: Of programs.\nprogram: command\nanswers: [messages]\n"
    )
    assert tree.load().settings.figures


def test_a_search_gives_no_rate_of_its_own(tree):
    tree.refuses(
        "engines: [packet]\ndefaults: [override /workload: saturation]\n"
        "workload: {search: saturation}\nfigures: [{line: {x: seed, y: accepted_rate}}]\n",
        "figures[0].line.y",
        "gives accepted_rate for search: saturation, only for traffic; they give: ",
    )


@pytest.mark.parametrize(
    ("workload", "metric", "only"),
    [("uniform", "offered_rate", "traffic"), ("open_loop", "makespan_s", "messages")],
)
def test_booksim_gives_metrics_by_kind(tree, workload, metric, only):
    tree.refuses(
        "engines: [booksim]\n"
        f"defaults: [override /topology: mesh, override /workload: {workload}]\n"
        "topology: {k: 4}\nworkload: {include_self: true}\n"
        f"figures: [{{line: {{x: seed, y: {metric}}}}}]\n",
        "figures[0].line.y",
        f"(booksim) gives {metric} for ",
        f"only for {only}; they give: ",
    )


def test_a_declaration_lists_metrics_by_kind(tree):
    tree.write(
        "engine/own.yaml",
        "description: Of lists.\nprogram: command\nanswers: [messages, traffic]\n"
        "metrics: {messages: [makespan_s], traffic: [accepted_rate]}\n",
    )
    head = "engines: [own]\nfigures: [{line: {x: seed, y: "
    tree.experiment(f"{head}makespan_s}}}}]\n")
    assert tree.load().settings.figures
    tree.refuses(f"{head}accepted_rate}}}}]\n", "figures[0].line.y", "only for traffic")


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
