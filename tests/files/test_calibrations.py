"""Calibrations carry a checksum, because their numbers are used long after they were measured."""

import json
from contextlib import suppress

import pytest
from weft.files.calibrations import read_calibration, write_calibration

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
