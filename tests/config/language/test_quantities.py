"""Quantities with units."""

import re

import pytest
from weft.config.language.quantities import DELAY, RATE, SIZE, TIME, parse, spread, whole_bytes
from weft.plan import expand


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


def test_nothing_is_shown_as_a_file_has_it():
    with pytest.raises(ValueError, match="like '2 KiB'; got null"):
        parse(None, SIZE)


@pytest.mark.parametrize("size_bytes", [2**53 + 1, 2**59 + 1, 10**18 - 1])
def test_a_size_is_exact_beyond_the_whole_numbers_of_a_float(tree, size_bytes):
    assert whole_bytes(f"{size_bytes} B") == size_bytes
    tree.experiment(f"workload: {{message_size: {size_bytes} B}}\n")
    (point,) = expand(tree.load())
    assert point.spec["workload"]["message_bytes"] == [size_bytes]


def test_half_a_byte_is_no_size():
    with pytest.raises(ValueError, match="whole number of bytes"):
        whole_bytes("4 bit")


@pytest.mark.parametrize(
    ("text", "meant"),
    [("4 kb", "kB"), ("1 mb", "MB"), ("1 Gb", "GB"), ("4 kib", "KiB"), ("2 Mib", "MiB")],
)
def test_a_size_in_bits_is_asked_for_by_its_whole_name(text, meant):
    with pytest.raises(
        ValueError, match=f"b is a bit; write '{meant}' for bytes, or '.?i?bit' for"
    ):
        whole_bytes(text)


@pytest.mark.parametrize(
    ("text", "dimension", "worth", "meant"),
    [
        ("1 Ms", TIME, "1000000 s", "ms"),
        ("2.5 Ms", DELAY, "2500000 s", "ms"),
        ("1 Gs", TIME, "1000000000 s", None),
        ("1 mB/s", RATE, "0.001 B/s", "MB/s"),
        ("8 mbit/s", RATE, "0.001 B/s", "Mbit/s"),
        ("8 mb/s", RATE, "0.001 B/s", "Mbit/s"),
        ("1000 mB", SIZE, "1 B", "MB"),
        ("1 uB/s", RATE, "0.000001 B/s", None),
        ("1 Mmin", TIME, "60000000 s", None),
    ],
)
def test_a_prefix_of_the_wrong_case_is_no_quantity(text, dimension, worth, meant):
    with pytest.raises(ValueError, match=re.escape(f"'{text}' would be {worth}")) as caught:
        parse(text, dimension)
    asked = re.findall(r"did you mean '(.*)'\?", str(caught.value))
    assert asked == ([meant] if meant else [])


@pytest.mark.parametrize(
    ("text", "dimension", "meant"),
    [
        ("1 NS", TIME, "ns"),
        ("5 sec", TIME, "s"),
        ("4 GB/S", RATE, "GB/s"),
        ("4 gb/s", RATE, "Gbit/s"),
        ("2 KB", SIZE, "kB"),
        ("2 KIB", SIZE, "KiB"),
    ],
)
def test_an_unknown_unit_comes_with_the_nearest(text, dimension, meant):
    with pytest.raises(ValueError, match=rf"unknown unit '.*'; did you mean '{meant}'\?"):
        parse(text, dimension)


@pytest.mark.parametrize(
    ("text", "dimension", "meant"),
    [
        ("4k", SIZE, "'kB' or 'KiB'"),
        ("4 M", SIZE, "'MB' or 'MiB'"),
        ("10 G", RATE, "'GB/s' or 'GiB/s'"),
    ],
)
def test_a_prefix_alone_comes_with_both_units_that_it_may_mean(text, dimension, meant):
    with pytest.raises(ValueError, match=rf"unknown unit '.*'; write {meant}$"):
        parse(text, dimension)


def test_an_amount_of_data_for_a_rate_comes_with_the_rate():
    with pytest.raises(ValueError, match="another dimension; did you mean 'Gbit/s'"):
        parse("10 Gbit", RATE)


@pytest.mark.parametrize("key", ["latency", "router.routing_time", "cables.latency"])
def test_nothing_in_a_network_takes_hours(tree, key):
    section, _, inner = key.rpartition(".")
    given = f"{{{inner}: 61 min}}"
    tree.experiment(f"network: {f'{{{section}: {given}}}' if section else given}\n")
    assert tree.error().key == f"network.{key}"
    assert tree.error().message.endswith("'61 min' is too large, at most 1 h")


def test_a_time_limit_may_take_days(tree):
    tree.experiment("machine: {timeout: 100 h}\n")
    tree.load()


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
def test_a_rate_written_with_ps_is_refused_with_how_it_is_written_here(tree, written, meant):
    tree.experiment(f"network: {{bandwidth: {written}}}\n")
    assert tree.error().message.endswith(f"; write '{meant}'")


def test_a_unit_that_is_no_rate_gets_no_hint(tree):
    tree.experiment("network: {bandwidth: 4 caps}\n")
    assert "write" not in tree.error().message
