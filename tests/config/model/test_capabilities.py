"""What engines support and refuse: reported before anything runs, with the reason."""

import pytest
from weft.config.model.catalogue import CATALOGUE
from weft.plan import expand

ECHO = """
description: Says what it is asked.
program: command
answers: [messages, traffic]
supports:
  topology.kind: [torus, mesh]
  options.mode: [slow]
  workload.search: []
refuses:
  - when: topology.kind == torus and topology.k < options.window
    because: the window must not exceed k
options:
  window: {description: Messages under way., type: integer, default: 2}
  mode: {description: How., type: choice, allowed: [slow, slower], default: slow}
"""
MESH = "defaults: [override /topology: mesh]\ntopology: {k: 4}\n"


@pytest.fixture
def echo(tree):
    tree.write("engine/echo.yaml", ECHO)
    return tree


def refused(tree, body):
    tree.experiment(body if "engines:" in body else f"engines: [echo]\n{body}")
    return tree.error()


def test_a_value_that_is_not_supported(echo):
    error = refused(echo, MESH + "engine: {echo: {mode: slower}}\n")
    assert (error.file, error.key) == ("configs/experiment/x.yaml", "engine.echo.mode")
    assert error.message == "echo does not answer 'slower'; did you mean 'slow'? allowed: slow"


def test_a_key_that_must_not_be_given(echo):
    body = "defaults: [override /topology: mesh, override /workload: saturation_search]\n"
    error = refused(echo, body + "topology: {k: 4}\n")
    assert error.key == "workload.search"
    assert error.message.startswith("echo does not answer 'saturation'; allowed: none")


def test_a_mistake_in_a_group_that_is_not_supported_names_the_group_file(echo):
    error = refused(echo, "topology: {nodes: 4}\n")
    assert (error.file, error.key) == ("configs/topology/crossbar.yaml", "topology.kind")
    assert "allowed: torus, mesh" in error.message


def test_a_combination_is_refused_at_the_last_key_with_the_reason(echo):
    error = refused(echo, MESH.replace("mesh", "torus") + "engine: {echo: {window: 5}}\n")
    assert error.key == "engine.echo.window"
    assert error.message == "echo: the window must not exceed k"


def test_a_swept_combination_names_the_values(echo):
    error = refused(
        echo, MESH + "sweep: {topology: [mesh, torus], topology.k: [2, 4], engine.echo.window: [3]}"
    )
    assert "(at topology=torus, topology.k=2, engine.echo.window=3;" in error.message


def test_what_is_refused_can_be_excluded(echo):
    echo.experiment(
        "engines: [echo]\n" + MESH + "sweep:\n  topology: [mesh, torus]\n  topology.k: [2, 4]\n"
        "  engine.echo.window: [3]\n  exclude: [{topology: torus, topology.k: 2}]\n"
    )
    assert len(expand(echo.load())) == 3


def test_one_engine_may_answer_what_another_refuses(echo):
    error = refused(echo, "engines: [flow, echo]\ntopology: {nodes: 4}\n")
    assert "echo does not answer 'crossbar'" in error.message


@pytest.mark.parametrize(
    ("old", "new", "key", "message"),
    [
        ("topology.kind: [", "topology.knd: [", "supports.topology.knd", "'topology.kind'?"),
        ("options.mode:", "options.mod:", "supports.options.mod", "did you mean 'options.mode'?"),
        ("< options.window", "< options.windw", "refuses[0].when", "mean 'options.window'?"),
        ("topology.k <", "topology.q <", "refuses[0].when", "unknown key 'topology.q'"),
        ("topology.k < options.window", "topology.k", "refuses[0].when", "is not a condition"),
        ("< options.window", "< torus", "refuses[0].when", "< compares numbers, quantities or"),
        ("because:", "becuse:", "refuses[0].becuse", "unknown key"),
    ],
)
def test_mistakes_in_a_declaration(tree, old, new, key, message):
    assert old in ECHO
    tree.refuses_engine(ECHO.replace(old, new, 1), key, message)


FLOW = "engines: [flow]\n"


def static_routings(kind):
    (topology,) = (entry for entry in CATALOGUE.topologies if entry.kind == kind)
    return [routing.name for routing in topology.routings if routing.is_static]


@pytest.mark.parametrize(
    "body",
    [
        "fat_tree; k: 2, routing: anca",
        "fat_tree; k: 2, routing: nca",
        "hypercube; dimensions: 3, routing: minimal_adaptive",
        "dragonfly; p: 1, routing: ugal",
        "flattened_butterfly; k: 3, routing: valiant",
    ],
)
def test_flow_has_static_routes_only(tree, body):
    kind, keys = body.split("; ")
    error = refused(tree, f"{FLOW}defaults: [override /topology: {kind}]\ntopology: {{{keys}}}\n")
    assert error.key == "topology.routing"
    assert "flow does not answer" in error.message
    allowed = error.message.partition("allowed: ")[2].partition(" (")[0].split(", ")
    # Any topology takes the routings of graphs, but a table belongs to a file.
    of_graphs = [name for name in static_routings("graph") if name != "table"]
    assert allowed == [*static_routings(kind), *of_graphs]


@pytest.mark.parametrize(
    ("workload", "key"),
    [("bursts", "workload.injection_process"), ("saturation_search", "workload.search")],
)
def test_flow_has_neither_bursts_nor_a_search(tree, workload, key):
    error = refused(tree, f"{FLOW}defaults: [override /workload: {workload}]\n")
    assert error.key == key


PACKET = """engines: [packet]
defaults: [override /topology: {kind}]
topology: {{{keys}}}
network: {{hop_latency: {hop}}}
engine: {{packet: {{{options}}}}}
"""


CUBE = "dimensions: 3, routing: minimal_adaptive"
SHORT = "switching: virtual_cut_through, packet_flits: 9, vc_buffer_flits: 8"
VCS = "virtual_channels"


@pytest.mark.parametrize(
    ("kind", "keys", "options", "key", "reason"),
    [
        ("torus", "k: 4", f"{VCS}: 1", VCS, "at least 2 virtual channels"),
        ("torus", "k: 4", f"{VCS}: 3", VCS, "use an even number, or balanced"),
        ("torus", "k: 4", f"{VCS}: 1, torus_classes: balanced", VCS, "at least 2 virtual"),
        ("hypercube", CUBE, f"{VCS}: 1, wait_for_tail_credit: true", VCS, "for e-cube"),
        ("hypercube", CUBE, "", "wait_for_tail_credit", "set wait_for_tail_credit"),
        ("dragonfly", "p: 1", f"{VCS}: 1", VCS, "at least 2 virtual"),
        ("dragonfly", "p: 1, routing: ugal", f"{VCS}: 2", VCS, "at least 3 virtual"),
        ("flattened_butterfly", "k: 3, routing: valiant", f"{VCS}: 1", VCS, "each half of the"),
        ("fat_tree", "k: 2", f"{VCS}: per_destination", VCS, "is for a mesh or a torus"),
        ("mesh", "k: 256", f"{VCS}: per_destination", VCS, "at most 65535 nodes"),
        ("mesh", "k: 4", SHORT, "packet_flits", "hold a packet"),
        ("mesh", "k: 4", "arbiter: age, vc_allocator: wavefront", "arbiter", "as switch_alloc"),
        ("mesh", "k: 4", "arbiter: age, switch_allocator: maximum", "arbiter", "as vc_allocator"),
    ],
)
def test_packet_refuses_routers_that_cannot_work(tree, kind, keys, options, key, reason):
    body = PACKET.format(kind=kind, keys=keys, options=options, hop="0 s")
    tree.experiment(body)
    error = tree.error()
    assert error.key == f"engine.packet.{key}"
    assert error.message.startswith("packet: ")
    assert reason in error.message


def test_packet_refuses_two_latencies_of_the_same_channels(tree):
    options = "channel_latency_cycles: 2"
    body = PACKET.format(kind="mesh", keys="k: 4", options=options, hop="1 us")
    body += "workload: {kind: program, program: pingpong, ranks: 2}\n"
    error = refused(tree, body)
    assert error.key == "engine.packet.channel_latency_cycles"
    assert "leave out one of both" in error.message


@pytest.mark.parametrize(
    "options",
    [
        "virtual_channels: 3, torus_classes: balanced",
        "virtual_channels: per_destination",
        "switching: virtual_cut_through, vc_buffer_flits: 16",
        "arbiter: age, vc_allocator: wavefront, switch_allocator: maximum",
    ],
)
def test_packet_answers_on_a_torus(tree, options):
    tree.experiment(PACKET.format(kind="torus", keys="k: 4", options=options, hop="1 us"))
    assert len(expand(tree.load())) == 1


@pytest.mark.parametrize(
    ("workload", "options", "key", "reason"),
    [
        ("message_size: [1 B, 2 B]", "tables: [nodes]", "tables", "exactly one message_size"),
        ("message_size: 0 B", "flit_size: null", "flit_size", "give flit_size"),
    ],
)
def test_packet_needs_sizes_that_fit(tree, workload, options, key, reason):
    error = refused(
        tree,
        f"engines: [packet]\ndefaults: [override /topology: mesh]\ntopology: {{k: 4}}\n"
        f"workload: {{{workload}}}\nengine: {{packet: {{{options}}}}}\n",
    )
    assert error.key == f"engine.packet.{key}"
    assert reason in error.message


def test_flow_writes_links_of_one_size_only(tree):
    body = "workload: {message_size: [1 B, 2 B]}\nengine: {flow: {tables: [links]}}\n"
    assert "exactly one message_size" in refused(tree, FLOW + body).message


def test_packet_writes_no_tables_of_a_search(tree):
    error = refused(
        tree,
        "engines: [packet]\ndefaults: [override /workload: saturation_search]\n"
        "engine: {packet: {tables: [nodes]}}\n",
    )
    assert error.key == "engine.packet.tables"
    assert "a search tries many rates" in error.message


def test_flow_and_packet_are_asked_the_same_point(tree):
    tree.experiment(
        "engines: [flow, packet]\ndefaults: [override /topology: dragonfly]\ntopology: {p: 2}\n"
    )
    flow, packet = expand(tree.load())
    same = ("topology", "network", "workload", "seed")
    assert [flow.spec[key] for key in same] == [packet.spec[key] for key in same]


def test_values_that_no_topology_has_are_mistakes_of_a_declaration(tree):
    tree.write("engine/echo.yaml", ECHO.replace("[torus, mesh]", "[torus, mash]"))
    error = refused(tree, MESH)
    assert (error.file, error.key) == ("configs/engine/echo.yaml", "supports.topology.kind[1]")
    assert "unknown value 'mash'; did you mean 'mesh'?" in error.message


def test_an_engine_with_virtual_channels_refuses_what_could_deadlock(tree):
    channels = "virtual_channels: {count: options.channels}\noptions:\n"
    option = "  channels: {description: Virtual channels., type: integer, default: 1}\n"
    text = ECHO.replace("[torus, mesh]", "[torus, mesh, dragonfly]")
    tree.write("engine/echo.yaml", text.replace("options:\n", channels + option))
    body = "defaults: [override /topology: {}]\ntopology: {{{}}}\n"
    error = refused(tree, body.format("dragonfly", "p: 1"))
    assert error.key == "engine.echo.channels"
    assert "needs at least 2 virtual channels, one for each group on the way" in error.message
    tree.experiment("engines: [echo]\n" + body.format("mesh", "k: 4"))
    assert expand(tree.load())


def test_the_number_of_virtual_channels_may_be_the_networks(tree):
    """Where points carry `network.router`, its number counts and the option does not."""
    channels = (
        "network_sections: true\nvirtual_channels: {count: options.channels, "
        "count_of_network: network.router.virtual_channels}\noptions:\n"
    )
    option = "  channels: {description: Virtual channels., type: integer, default: 1}\n"
    text = ECHO.replace("[torus, mesh]", "[torus, mesh, dragonfly]")
    tree.write("engine/echo.yaml", text.replace("options:\n", channels + option))
    body = "defaults: [override /topology: dragonfly]\ntopology: {{p: 1}}\n{}\n"
    assert refused(tree, body.format("")).key == "engine.echo.channels"
    few = refused(tree, body.format("network: {router: {virtual_channels: 1}}"))
    assert few.key == "network.router.virtual_channels"
    tree.experiment("engines: [echo]\n" + body.format("network: {router: {}}"))
    assert expand(tree.load())


def test_what_a_simulator_of_weft_says_in_code_is_not_said_again(tree):
    file = tree.configs / "engine" / "flow.yaml"
    file.write_text(file.read_text() + "answers: [traffic]\n")
    error = refused(tree, "engines: [flow]\n" + MESH)
    assert (error.file, error.key) == ("configs/engine/flow.yaml", "answers")
    assert "simulators/flow declares this" in error.message


@pytest.mark.parametrize(("concentration", "answered"), [(36, True), (8, False)])
def test_booksim_has_squares_of_nodes_around_a_router(tree, concentration, answered):
    tree.experiment(
        "engines: [booksim]\ndefaults: [override /topology: flattened_butterfly, "
        "override /workload: open_loop]\n"
        f"topology: {{k: 4, dimensions: 2, concentration: {concentration}}}\n"
        "workload: {pattern: uniform, include_self: true}\n"
    )
    if answered:
        assert expand(tree.load())
    else:
        assert "use 1, 4, 9, 16" in tree.error().message
