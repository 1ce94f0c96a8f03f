"""Messages about keys that exist nowhere lead to the form that does what was meant."""

import pytest

GRID = "defaults: [override /topology: torus]\ntopology: {k: 4}\n"


@pytest.mark.parametrize(
    ("body", "key", "words"),
    [
        pytest.param(
            "sweep: {topology.kind: [torus, mesh]}\n",
            "sweep.topology.kind",
            "write topology: [torus, mesh] below sweep",
            id="kinds of topologies",
        ),
        pytest.param(
            "sweep: {network.kind: [gigabit, infiniband_hdr]}\n",
            "sweep.network.kind",
            "names of files in configs/network/",
            id="kinds of networks",
        ),
        pytest.param(
            "sweep: {options.model: [max_min, equal_share]}\n",
            "sweep.options.model",
            "a sweep names the engine: write engine.flow.model",
            id="an option as figures name it",
        ),
        pytest.param(
            "sweep: {network: [{bandwidth: 1 GB/s, packet: {mtu: 2 KiB}}, {bandwidth: 2 GB/s}]}\n",
            "sweep.network",
            "vary together as zip: [{network.bandwidth: [1 GB/s, 2 GB/s], "
            "network.packet.mtu: [2 KiB, null]}]",
            id="networks with their sections",
        ),
        pytest.param(
            "sweep: {network.bandwidth: [1 GB/s, 2 GB/s]}\n"
            "figures: [bar: {x: message_bytes, y: makespan_s, color: network}]\n",
            "figures[0].bar.color",
            "did you mean 'network.bandwidth', as swept here?",
            id="a group of which only keys vary",
        ),
        pytest.param(
            "answer: {best: {over: topology}}\n",
            "answer.best.over",
            "as topology: [torus, ",
            id="a group that does not vary",
        ),
        pytest.param(
            "sweep: {topology: [tours, mesh]}\n"
            "figures: [bar: {x: message_bytes, y: makespan_s, color: topology}]\n",
            "sweep.topology",
            "did you mean 'torus'?",
            id="a group of which a name is wrong is a key",
        ),
        pytest.param(
            "workload: alltoall\n",
            "workload",
            "to choose a workload, write defaults: [override /workload: alltoall]",
            id="the name of a group in the place of its section",
        ),
        pytest.param(
            "engines: flow, packet\n",
            "engines",
            "expected a list of engines: write engines: [flow, packet]",
            id="engines without brackets",
        ),
        pytest.param(
            "figures: [bar: {x: flow.model, y: makespan_s}]\n",
            "figures[0].bar.x",
            "did you mean 'engine.flow.model'?",
            id="an option without the word engine",
        ),
    ],
)
def test_a_message_leads_to_the_right_form(tree, body, key, words):
    tree.refuses(GRID + body, key, words)


def test_the_form_that_a_message_gives_is_right(tree):
    body = "sweep: {network: [{bandwidth: 1 GB/s, latency: 1 us}, {bandwidth: 2 GB/s}]}\n"
    tree.experiment(GRID + body)
    form = tree.error().message.partition("vary together as ")[2]
    tree.experiment(f"{GRID}sweep: {{{form}}}\n")
    assert tree.load().sweep.swept_keys() == ["network.bandwidth", "network.latency"]


def test_networks_that_a_sweep_chooses_are_a_key_of_figures(tree):
    tree.experiment(
        GRID + "sweep: {network: [gigabit, infiniband_hdr]}\n"
        "figures: [bar: {x: message_bytes, y: makespan_s, color: network}]\n"
    )
    assert tree.load().sweep.swept_keys() == ["network"]
