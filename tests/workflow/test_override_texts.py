"""Overrides as Snakemake hands them over."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from snakemake.cli import parse_config
from weft.prepare.request.override_texts import split_texts

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


KEYS = st.from_regex(r"[a-z_]{1,6}(\.[a-z_]{1,6}){0,2}", fullmatch=True)
WORDS = st.from_regex(r"[A-Za-z0-9_+-][A-Za-z0-9_.+-]{0,7}", fullmatch=True)
VALUES = WORDS | st.lists(WORDS, max_size=4).map(lambda words: f"[{', '.join(words)}]")
OVERRIDES = st.lists(st.builds("{}={}".format, KEYS, VALUES), max_size=5)


@pytest.mark.slow
@given(OVERRIDES)
def test_overrides_come_back_however_snakemake_hands_them_over(texts: list[str]) -> None:
    assert split_texts(f"[{', '.join(texts)}]") == tuple(texts)
    assert split_texts(texts) == tuple(texts)


@given(st.text(max_size=60))
def test_no_character_is_lost_but_blanks_and_commas(text: str) -> None:
    inner = text.strip()
    inner = inner[1:-1] if inner.startswith("[") and inner.endswith("]") else inner
    left = re.sub(r"[\s,]", "", "".join(split_texts(text)))
    assert left == re.sub(r"[\s,]", "", inner)
