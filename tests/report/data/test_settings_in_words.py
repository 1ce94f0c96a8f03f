"""A setting stands in a sentence as people say it."""

from __future__ import annotations

import pytest
from weft.report.data.settings_in_words import placed, setting_in_words


@pytest.mark.parametrize(
    ("key", "value", "said"),
    [
        ("workload.pattern", "uniform", "uniform traffic"),
        ("topology.routing", "minimal", "minimal routing"),
        ("topology.kind", "fat_tree", "fat_tree"),
        ("network.virtual_channels", 2, "2 virtual channels"),
        ("workload.ranks", 1, "1 rank"),
        ("topology.failed.switches", 1, "1 failed switch"),
        ("topology.k", 16, "k = 16"),
        ("workload.injection_rate", 0.3, "an injection rate of 0.3"),
        ("message_bytes", 65536, "a message size of 64 KiB"),
        ("network.link_latency_s", 1e-6, "a link latency of 1 µs"),
        ("network.mtu_bytes", 4096, "an MTU of 4 KiB"),
        ("workload.offset", 3, "offset 3"),
        ("workload.arguments", "-n 4", "arguments -n 4"),
        ("network.nic.dma_unit", "true", "DMA unit true"),
        ("network.loss", 0.01, "a loss of 0.01"),
        ("workload.program", "alltoall", "alltoall"),
    ],
)
def test_a_setting_in_words(key: str, value: object, said: str) -> None:
    assert setting_in_words(key, value) == said


@pytest.mark.parametrize(
    ("key", "value", "said"),
    [
        ("workload.pattern", "uniform", "under uniform traffic, k = 4"),
        ("topology.kind", "torus", "for torus, k = 4"),
        ("topology.routing", "minimal", "with minimal routing, k = 4"),
        ("workload.ranks", 8, "at 8 ranks, k = 4"),
    ],
)
def test_a_place_begins_with_the_word_that_suits_its_first_setting(
    key: str, value: object, said: str
) -> None:
    assert placed([(key, value), ("topology.k", 4)]) == said
