"""Overrides as Snakemake hands them over."""

import pytest
from snakemake.cli import parse_config
from weft.prepare.override_texts import split_texts

SPLIT = [
    ("topology.k=4", ("topology.k=4",)),
    ("[topology.k=4, topology=mesh]", ("topology.k=4", "topology=mesh")),
    ("[network.latency=1 us]", ("network.latency=1 us",)),
    ("[sweep.topology.k=[4, 8]]", ("sweep.topology.k=[4, 8]",)),
    ("[seed=2, sweep.topology.k=[4, 8], topology=mesh]",
     ("seed=2", "sweep.topology.k=[4, 8]", "topology=mesh")),
    ("[x={from: 1 B, to: 4 B}, seed=2]", ("x={from: 1 B, to: 4 B}", "seed=2")),
    ("x={from: 1 B}", ("x={from: 1 B}",)),
    ("[title='a, b', seed=2]", ("title='a, b'", "seed=2")),
    ("[title=it's so, seed=2]", ("title=it's so", "seed=2")),
    ("[sweep.topology.k=[4, 8", ("[sweep.topology.k=[4, 8",)),
    ("[topology.k=2,4,8]", ("topology.k=2,4,8",)),
    ("topology.k=2,4,8", ("topology.k=2,4,8",)),
    ("[topology=torus,mesh, seed=2]", ("topology=torus,mesh", "seed=2")),
    ("[topology.k=range(2, 8), seed=2]", ("topology.k=range(2, 8)", "seed=2")),
    ("[network.latency=1 us,2 us]", ("network.latency=1 us,2 us",)),
    ("[workload.outstanding=all,1]", ("workload.outstanding=all,1",)),
    ("[~network.latency, ++topology.k=4, +seed=2]",
     ("~network.latency", "++topology.k=4", "+seed=2")),
    ("[]", ()),
]  # fmt: skip


@pytest.mark.parametrize(("written", "texts"), SPLIT)
def test_overrides_are_divided_outside_brackets_and_quotes(written, texts):
    assert split_texts(parse_config([f"overrides={written}"])["overrides"]) == texts


def test_no_overrides():
    assert split_texts(None) == ()
