"""A service refuses programs of strangers when a layer is missing, and names it."""

from __future__ import annotations

from pathlib import Path

import pytest
from weft.confine import layers, missing_layers

NAMES = ["bubblewrap", "limits", "Landlock", "seccomp", "simulators"]


def test_every_layer_is_looked_for() -> None:
    assert [layer.name for layer in layers([])] == NAMES


def test_missing_programs_are_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    missing = missing_layers([])
    assert "bubblewrap: bwrap is not installed (Debian's package bubblewrap)" in missing
    assert "simulators: no simulator that runs programs is built" in missing


def test_a_simulator_that_cannot_confine_is_named(tmp_path: Path) -> None:
    simulator = tmp_path / "weft-rdma"
    simulator.write_bytes(b"\x7fELF")
    expected = f"simulators: {simulator} cannot confine programs: build a newer one"
    assert missing_layers([simulator])[-1] == expected
    simulator.write_bytes(b"\x7fELF WEFT_CONFINEMENT")
    assert not [each for each in missing_layers([simulator]) if each.startswith("simulators")]


def test_a_sandbox_that_does_not_start_is_missing(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    broken = tmp_path / "bwrap"
    broken.write_text("#!/bin/sh\necho 'bwrap: No permissions' >&2\nexit 1\n")
    broken.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    assert "bubblewrap: bwrap: No permissions" in missing_layers([])
