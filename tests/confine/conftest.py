"""Sandboxes in a folder of the test; without bubblewrap their tests do not run."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from weft.confine import Limits, Sandbox, SandboxEnd, run

from tests.missing import need_sandbox
from tests.patience import PATIENCE_S

Attempt = Callable[..., SandboxEnd]


@pytest.fixture
def attempt(tmp_path: Path) -> Attempt:
    """Runs a line of shell in a sandbox, with these limits."""
    need_sandbox()
    work = tmp_path / "work"
    work.mkdir()
    # A safety net: what no limit of a test ends is ended here.
    net = Limits(wall_s=PATIENCE_S, processor_s=60, memory_bytes=2 << 30, tasks=32)

    def shell(line: str, **limits: float) -> SandboxEnd:
        return run(Sandbox(work, limits=replace(net, **limits)), ["sh", "-c", line])

    return shell
