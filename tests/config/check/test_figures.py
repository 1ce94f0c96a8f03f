"""Figures name marks, keys, metrics and engines that exist."""

import pytest


@pytest.mark.parametrize(
    ("figure", "key", "words"),
    [
        ("lines: {x: seed, y: makespan_s}", "figures[0]", "did you mean 'line'?"),
        ("line: {x: topology.kk, y: makespan_s}", "figures[0].line.x", "'topology.k'"),
        ("line: {x: seed, y: makespan}", "figures[0].line.y", "did you mean 'makespan_s'?"),
        ("line: {x: seed, y: latency}", "figures[0].line.y", "'packet_latency_mean_cycles'"),
        ("line: {x: routing, y: makespan_s}", "figures[0].line.x", "'topology.routing'"),
        ("line: {x: seed}", "figures[0].line.y", "required"),
        ("line: {x: seed, y: makespan_s, colour: seed}", "figures[0].line.colour", "'color'"),
        ("line: {x: seed, y: makespan_s, color: sed}", "figures[0].line.color", "'seed'"),
        ("line: {x: seed, y: makespan_s, published: mfs}", "figures[0].line.published", "paper/"),
        ("ratio: {x: seed, y: makespan_s, of: flow, to: packet}", "figures[0].ratio.to", "flow"),
        (
            "ratio: {x: seed, y: makespan_s, of: [packet], to: flow}",
            "figures[0].ratio.of",
            "flow",
        ),
        ("[line]", "figures[0]", "expected one mark"),
    ],
)
def test_wrong_figure_is_reported_at_its_key(tree, figure, key, words):
    body = figure if figure.startswith("[") else f"{{{figure}}}"
    tree.experiment(f"figures:\n  - {body}\n")
    error = tree.errors()[0]
    assert error.key == key
    assert words in error.message


def test_metrics_are_not_checked_without_their_file(tree):
    (tree.configs / "report/metrics.yaml").unlink()
    tree.experiment("figures:\n  - line: {x: seed, y: anything}\n")
    assert tree.load().settings.figures


def test_keys_may_be_written_as_in_the_file_or_as_columns(tree):
    tree.experiment(
        "figures:\n"
        "  - line: {x: network.latency, y: makespan_s, color: engine.flow.model}\n"
        "  - line: {x: network.latency_s, y: makespan_s, color: options.model}\n"
    )
    assert tree.load().settings.figures


CHOSEN = (
    "defaults: [override /topology: torus]\nsweep: {{topology.k: [2, 4]}}\n"
    "figures: [{{line: {{x: seed, y: makespan_s, where: {{{}}}}}}}]\n"
)


@pytest.mark.parametrize(
    ("where", "key", "words"),
    [
        ("topology.kind: tours", "topology.kind", "'tours'; did you mean 'torus'? the points have"),
        ("engine: packet", "engine", "the points have: flow"),
        ("topology.k: [3, 5]", "topology.k", "no point has '3' or '5'; the points have: 2, 4"),
        ("options.model: maxmin", "options.model", "the points have: equal_share"),
    ],
)
def test_a_choice_that_no_point_meets_is_reported(tree, where, key, words):
    tree.refuses(CHOSEN.format(where), f"figures[0].line.where.{key}", words)


@pytest.mark.parametrize(
    "where", ["topology.k: [3, 4]", "topology.k: '4'", "seed: 7", "engine: flow"]
)
def test_a_choice_that_a_point_may_meet_is_none(tree, where):
    tree.experiment(CHOSEN.format(where))
    assert tree.load().settings.figures


RATES = (
    "sweep: {{network.bandwidth: [10 Gbit/s, 100 Gbit/s]}}\n"
    "figures: [{{line: {{x: seed, y: makespan_s, where: {{network.bandwidth: {0}}}}}}}]\n"
    "report: {{variants: {{chosen: {{network.bandwidth: {0}}}}}}}\n"
)


@pytest.mark.parametrize("rate", ["10 Gbit/s", "1.25 GB/s", "10000 Mbit/s", "1.25e9"])
def test_a_choice_may_have_any_unit(tree, rate):
    tree.experiment(RATES.format(rate))
    loaded = tree.load()
    assert loaded.figures[0].asked.where == {"network.bandwidth": 1.25e9}
    assert loaded.report.variants == {"chosen": {"network.bandwidth": 1.25e9}}


@pytest.mark.parametrize("place", ["figures[0].line.where", "report.variants.chosen"])
def test_a_quantity_that_no_point_has_is_shown_beside_those_that_there_are(tree, place):
    words = "no point has '1.5e+09 B/s'; did you mean '1.25e+09 B/s'? the points have: 1.25e+09 B/s"
    tree.experiment(RATES.format("12 Gbit/s"))
    found = {error.key: error.message for error in tree.errors()}
    assert found[f"{place}.network.bandwidth"].startswith(words)


#: A switch with four nodes, and two of them at a second one, too.
RAILS = "from,to\n" + "".join(f"n{i},s0\n" for i in range(4)) + "n0,s1\nn1,s1\ns0,s1\n"
CHOSEN_ON_A_GRAPH = (
    "topology: {{kind: graph, file: net.csv, node_names: ['n*']}}\n"
    "figures: [{{line: {{x: seed, y: makespan_s, where: {{{}}}}}}}]\n"
)


@pytest.mark.parametrize(
    "where", ["topology.rails: round_robin", "topology.nodes: 4", "topology.file: net.csv"]
)
def test_a_choice_by_what_a_file_decides_is_none(tree, where):
    (tree.root / "net.csv").write_text(RAILS)
    tree.experiment(CHOSEN_ON_A_GRAPH.format(where))
    assert tree.load().settings.figures


@pytest.mark.parametrize(
    ("graph", "where", "key", "words"),
    [
        (RAILS, "topology.rails: hash", "topology.rails", "the points have: round_robin"),
        (RAILS, "topology.nodes: 0", "topology.nodes", "the points have: 4"),
        (
            RAILS.partition("n0,s1")[0],
            "topology.rails: hash",
            "topology.rails",
            "no point has topology.rails; they have: topology.file, ",
        ),
    ],
)
def test_a_choice_that_a_file_rules_out_is_reported(tree, graph, where, key, words):
    (tree.root / "net.csv").write_text(graph)
    tree.refuses(CHOSEN_ON_A_GRAPH.format(where), f"figures[0].line.where.{key}", words)


@pytest.mark.parametrize(
    ("where", "words"),
    [
        ("topology.stages: 2", "no point has topology.stages; they have: topology.dimensions, "),
        ("network.router.virtual_channels: 2", "no point has network.router.virtual_channels;"),
        ("engine.packet.virtual_channels: 2", "no point has options.virtual_channels;"),
    ],
)
def test_a_choice_by_a_key_that_no_point_has_is_reported(tree, where, words):
    tree.refuses(CHOSEN.format(where), f"figures[0].line.where.{where.split(':')[0]}", words)


@pytest.mark.parametrize("taper", [1, 2])
def test_a_swept_value_that_leaves_no_trace_in_a_point_may_be_chosen(tree, taper):
    tree.experiment(
        "topology: {kind: fat_tree, k: 4, levels: 2}\nsweep: {topology.taper: [1, 2]}\n"
        f"figures: [{{line: {{x: seed, y: makespan_s, where: {{topology.taper: {taper}}}}}}}]\n"
    )
    assert tree.load().settings.figures


LISTS = (
    "engines: [rdma]\nworkload: {{kind: program, program: pingpong, ranks: 2}}\n"
    "sweep: {{workload.arguments: [[a], [b, '8']]}}\n"
    "figures: [{{line: {{x: seed, y: wall_s, where: {{workload.arguments: {}}}}}}}]\n"
)


@pytest.mark.parametrize("where", ["[a]", "[[a]]", "[[c], [b, '8']]", "[b, '8']"])
def test_a_list_may_be_chosen(tree, where):
    tree.write("workload/uniform.yaml", "kind: program\n")
    tree.experiment(LISTS.format(where))
    assert tree.load().settings.figures


@pytest.mark.parametrize("where", ["a", "[b]", "[[b]]", "[]"])
def test_a_list_that_no_point_has_is_reported_as_it_is_written(tree, where):
    tree.write("workload/uniform.yaml", "kind: program\n")
    tree.experiment(LISTS.format(where))
    assert tree.error().message.endswith("the points have: [a], [b, '8']")


def test_an_override_may_narrow_a_choice_away(tree):
    tree.experiment(CHOSEN.format("topology.k: 2"))
    assert tree.load(["topology.k=6"]).settings.figures


def test_a_choice_of_a_group_that_is_not_swept_is_reported(tree):
    tree.refuses(
        "sweep: {topology: [torus, mesh], topology.k: [4]}\n"
        "figures: [{line: {x: seed, y: makespan_s, where: {topology: tours}}}]\n",
        None,
        "no point has 'tours'; did you mean 'torus'?",
    )


TIMELINE = (
    "engines: [packet]\ndefaults: [override /topology: torus]\ntopology: {{k: 4}}\n"
    "workload: {{message_size: 64 B}}\nengine: {{packet: {{tables: {tables}}}}}\n"
    "figures: [{figure}]\n"
)
LATENCY = "timeline: {graph: network_latency}"


def test_a_timeline_of_a_table_that_is_asked_for_is_sound(tree):
    tree.experiment(TIMELINE.format(tables="[series]", figure=f"{{{LATENCY}}}"))
    assert tree.load().settings.figures


def test_a_table_that_no_option_asks_for_is_reported_with_the_option(tree):
    tree.refuses(
        TIMELINE.format(tables="[links]", figure=f"{{{LATENCY}}}"),
        "figures[0].timeline",
        "which engine.packet.tables must list; it lists links",
    )


def test_points_that_a_figure_leaves_out_need_no_table(tree):
    figure = f"{{{LATENCY[:-1]}, where: {{topology.k: 4}}}}}}"
    swept = TIMELINE.format(tables="[series]", figure=figure) + "sweep: {topology.k: [2, 4]}\n"
    tree.experiment(swept)
    assert tree.load().settings.figures


def test_a_table_that_no_engine_here_fills_is_reported(tree):
    tree.write("engine/own.yaml", "description: Of lists.\nprogram: command\nanswers: [messages]\n")
    tree.refuses(
        f"engines: [own]\nfigures: [{{{LATENCY}}}]\n",
        None,
        "no engine of this experiment fills the table series",
    )


def test_a_timeline_ends_after_its_start(tree):
    figure = f"{{{LATENCY[:-1]}, start: 2 us, end: 1 us}}}}"
    tree.refuses(
        TIMELINE.format(tables="[series]", figure=figure), None, "end must be later than start"
    )


@pytest.mark.parametrize(
    "table", ["calls", "rank_pairs", "rank_timeline", "critical_path", "history"]
)
def test_traffic_of_packet_has_no_tables_of_programs(tree, table):
    figure = "line: {x: topology.k, y: makespan_s}"
    tree.refuses(
        TIMELINE.format(tables=f"[{table}]", figure=figure),
        None,
        f"table {table} is for the workload kind program",
    )


MEASURED = (
    "engines: {engines}\ndefaults: [override /workload: alltoall]\n"
    "workload: {{message_size: 8 B}}\n"
    "engine: {{{options}}}\nfigures: [calls: {{}}]\n"
)


def test_a_figure_of_measured_calls_needs_a_trace(tree):
    tree.experiment(MEASURED.format(engines="[hardware]", options=""))
    wanted = "shows the table calls, for which engine.hardware.trace must be true"
    assert tree.error().message == wanted
    tree.experiment(MEASURED.format(engines="[hardware]", options="hardware: {trace: true}"))
    assert tree.load().settings.figures


def test_a_figure_of_predicted_calls_needs_no_trace(tree):
    tree.experiment(MEASURED.format(engines="[flow, hardware]", options="flow: {tables: [calls]}"))
    assert tree.load().settings.figures
