"""Calibrations carry a checksum, because their numbers are used long after they were measured."""

import json
from contextlib import suppress

import pytest
from weft.files.calibrations import read_calibration, read_stored, write_calibration

CONTENT = {"latency_s": 8.5e-07, "curves": {"one_way": [1, 2]}, "machine": {"id": "12345678"}}


def test_no_single_bit_changes_a_number_unseen(tmp_path):
    path = tmp_path / "calibration.json"
    write_calibration(path, CONTENT)
    whole = path.read_bytes()
    for bit in range(8 * len(whole)):
        damaged = bytearray(whole)
        damaged[bit // 8] ^= 1 << bit % 8
        path.write_bytes(damaged)
        with suppress(ValueError):
            found = read_calibration(path)
            assert {key: found[key] for key in CONTENT} == CONTENT, f"bit {bit}"


def test_a_damaged_one_is_named(tmp_path):
    path = tmp_path / "calibration.json"
    write_calibration(path, CONTENT)
    path.write_text(path.read_text().replace("8.5e-07", "8.4e-07"))
    with pytest.raises(ValueError, match=r"calibration.json was altered after it was written"):
        read_calibration(path)


def test_those_of_an_earlier_weft_have_no_checksum(tmp_path):
    path = tmp_path / "calibration.json"
    path.write_text(json.dumps(CONTENT, indent=1) + "\n")
    assert read_calibration(path) == CONTENT


STORED = {"machine": {"id": "a", "name": "local", "cpu": "A"}, "date": "2026-11-27T10:39:15",
          "latency_s": 1e-6, "bandwidth_bytes_per_s": 1e9}  # fmt: skip


def test_one_that_an_experiment_has_stored_is_read(tmp_path):
    path = tmp_path / "a.json"
    path.write_text(json.dumps(STORED))
    assert read_stored(path) == STORED


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"machine": None}, "machine.id is no text"),
        ({"machine": {"id": "a", "name": "local"}}, "machine.cpu is no text"),
        ({"date": 2026}, "date is no text"),
        ({"latency_s": -1}, "latency_s is no number of 0 or more"),
        ({"latency_s": float("nan")}, "latency_s is no number of 0 or more"),
        ({"bandwidth_bytes_per_s": "1 GB/s"}, "bandwidth_bytes_per_s is no number of 0 or more"),
    ],
)
def test_one_without_checksum_that_was_edited_is_named(tmp_path, change, words):
    path = tmp_path / "a.json"
    path.write_text(json.dumps({**STORED, **change}))
    with pytest.raises(ValueError, match=r"a\.json was altered after it was written") as caught:
        read_stored(path)
    assert words in str(caught.value)
