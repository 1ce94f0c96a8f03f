"""What a zipped block varies beside an option varies for the engine of that option alone."""

from weft.plan import expand


def test_another_engine_keeps_the_topology_that_the_experiment_chooses(tree):
    tree.experiment(
        "engines: [packet, flow]\n"
        "sweep: {zip: [{topology: [mesh, torus], topology.k: [2, 4], "
        "engine.packet.vc_buffer_flits: [4, 8]}]}\n"
    )
    found = [(p.spec["engine"], p.spec["topology"]["kind"]) for p in expand(tree.load())]
    assert found == [("packet", "mesh"), ("packet", "torus"), ("flow", "crossbar")]
