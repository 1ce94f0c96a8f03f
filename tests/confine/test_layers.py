"""A service refuses programs of strangers when a layer is missing, and names it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from weft.confine import layers, missing_layers, missing_to_build

from tests.missing import missing, skipped_lines

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


def test_a_file_with_capabilities_is_named_with_the_cure(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    broken = tmp_path / "bwrap"
    said = "bwrap: Unexpected capabilities but not setuid, old file caps config?"
    broken.write_text(f"#!/bin/sh\necho '{said}' >&2\nexit 1\n")
    broken.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    [problem] = missing_to_build()
    assert said in problem
    assert problem.endswith(f"bwrap's file has capabilities, remove them: setcap -r {broken}")
    assert "apt-get" not in skipped_lines([problem])[0]


def test_a_user_with_capabilities_gets_a_sandbox_without_them() -> None:
    """Containers and units of systemd hand capabilities to ordinary users; bwrap refuses them."""
    if os.geteuid() != 0:
        missing("only root can hand capabilities to another user")
    if not shutil.which("bwrap"):
        missing("bwrap is not installed")
    handed = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
    handed += ["--inh-caps=+net_raw", "--ambient-caps=+net_raw"]
    asks = "from weft.confine import missing_to_build; print(missing_to_build())"
    done = subprocess.run(
        [*handed, sys.executable, "-c", asks], capture_output=True, text=True, check=True, cwd="/"
    )
    assert "capabilities" not in done.stdout
