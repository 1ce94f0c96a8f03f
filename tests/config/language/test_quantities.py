"""Quantities with units."""

import pytest
from weft.config.language.quantities import RATE, SIZE, TIME, parse, spread, whole_bytes


@pytest.mark.parametrize(
    ("text", "dimension", "value"),
    [
        ("4 GB/s", RATE, 4e9),
        ("1 Gbit/s", RATE, 125e6),
        ("1 Gb/s", RATE, 125e6),
        ("32 MiB/s", RATE, 33554432.0),
        ("100 ns", TIME, 1e-7),
        ("0.1 us", TIME, 1e-7),
        ("1 \u00b5s", TIME, 1e-6),
        ("1 \u03bcs", TIME, 1e-6),
        ("2 min", TIME, 120.0),
        ("2 KiB", SIZE, 2048.0),
        ("1 kbit", SIZE, 125.0),
        ("0 B", SIZE, 0.0),
    ],
)
def test_quantity_becomes_exactly_its_si_value(text, dimension, value):
    assert parse(text, dimension) == value


@pytest.mark.parametrize(
    "text", ["4 GB", "4", "4 GBps", "4 MHz", "fast", "-1 GB/s", "4 GB/s/s", ""]
)
def test_no_rate(text):
    with pytest.raises(ValueError, match="expected a rate with its unit, like '4 GB/s'"):
        parse(text, RATE)


def test_half_a_byte_is_no_size():
    with pytest.raises(ValueError, match="whole number of bytes"):
        whole_bytes("4 bit")


@pytest.mark.parametrize(("text", "meant"), [("4 kb", "kB"), ("1 mb", "MB"), ("1 Gb", "GB")])
def test_a_size_in_bits_is_asked_for_by_its_whole_name(text, meant):
    with pytest.raises(ValueError, match=f"b is a bit; write '{meant}' for bytes, or '.?bit' for"):
        whole_bytes(text)


def test_range_of_sizes_by_factor():
    assert spread({"from": "1 B", "to": "1 KiB", "factor": 4}) == [
        "1 B", "4 B", "16 B", "64 B", "256 B", "1024 B",
    ]  # fmt: skip


def test_range_of_decimals_does_not_drift():
    assert spread({"from": 0.1, "to": 0.5, "step": 0.1}) == [0.1, 0.2, 0.3, 0.4, 0.5]


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("100 Gbps", "Gbit/s"),
        ("100 gbps", "Gbit/s"),
        ("10 Mbps", "Mbit/s"),
        ("12 GBps", "GB/s"),
        ("64 kbps", "kbit/s"),
        ("64 KBps", "kB/s"),
        ("9 GiBps", "GiB/s"),
    ],
)
def test_a_rate_written_with_ps_is_told_how_it_is_written_here(tree, written, meant):
    tree.experiment(f"network: {{bandwidth: {written}}}\n")
    assert tree.error().message.endswith(f"; write '{meant}'")


def test_a_unit_that_is_no_rate_gets_no_hint(tree):
    tree.experiment("network: {bandwidth: 4 caps}\n")
    assert "write" not in tree.error().message
