"""Routings that rdma refuses, because its routers have too few virtual channels."""

import pytest
from weft.plan import expand


@pytest.mark.parametrize(
    ("router", "key", "reason"),
    [
        ("", "topology.routing", "there are 2 unless network.router.virtual_channels"),
        ("router: {virtual_channels: 2}", "network.router.virtual_channels", "one for each group"),
        ("router: {virtual_channels: 3}", None, ""),
    ],
)
def test_rdma_needs_a_virtual_channel_for_each_group_on_the_way(tree, router, key, reason):
    tree.experiment(
        "engines: [rdma]\ndefaults: [override /topology: dragonfly, override /workload: alltoall]\n"
        f"topology: {{p: 1, routing: ugal}}\nnetwork: {{{router}}}\n"
    )
    if key is None:
        assert expand(tree.load())
        return
    error = tree.error()
    assert error.key == key
    assert "a dragonfly with valiant or ugal needs at least 3 virtual channels" in error.message
    assert reason in error.message
