"""Buffers of `packet` under programs, given by the network or by options."""

import pytest
from weft.plan import expand

PACKET = "engines: [packet]\ntopology: {nodes: 8}\nworkload: {kind: program, program: barrier}\n"
CUT_THROUGH = "engine: {packet: {switching: virtual_cut_through}}\n"


@pytest.fixture(autouse=True)
def programs(tree):
    """A program, and what the shipped group of workloads has removed."""
    (tree.root / "programs").mkdir(exist_ok=True)
    (tree.root / "programs/barrier.c").write_text("int MGEN_Main(int c, char **v) { return 0; }\n")


@pytest.mark.parametrize(
    ("body", "key", "message"),
    [
        (
            "network: {router: {vc_buffer: 1 MiB}, packet: {}}",
            "network.router.vc_buffer",
            "65536 flits; packet counts at most 65535 flits of 16 B in a buffer",
        ),
        (
            "engine: {packet: {switching: virtual_cut_through, vc_buffer_flits: 8}}\n"
            "network: {packet: {mtu: 2 KiB}}",
            "engine.packet.vc_buffer_flits",
            "8 flits; virtual_cut_through needs buffers that hold a packet of 128 flits",
        ),
        (
            "engine: {packet: {switching: virtual_cut_through, packet_flits: 32, "
            "flit_size: 16 B}}\n"
            "network: {router: {vc_buffer: 256 B}}",
            "network.router.vc_buffer",
            "16 flits; virtual_cut_through needs buffers that hold a packet of 32 flits",
        ),
    ],
    ids=["large", "no router", "no packet"],
)
def test_buffers_that_packet_cannot_have_are_refused_when_planning(tree, body, key, message):
    tree.refuses(PACKET + body + "\n", key, message)


@pytest.mark.parametrize(
    "body",
    [
        "network: {router: {vc_buffer: 1048560 B}, packet: {}}",
        CUT_THROUGH + "network: {packet: {mtu: 128 B}}",
        CUT_THROUGH + "network: {packet: {mtu: 2 KiB}}",
        CUT_THROUGH + "network: {packet: {}, router: {vc_buffer: 2 KiB}}",
    ],
)
def test_buffers_that_hold_just_enough_are_planned(tree, body):
    tree.experiment(PACKET + body + "\n")
    assert len(expand(tree.load())) == 1
