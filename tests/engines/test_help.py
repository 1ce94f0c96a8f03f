"""`--help` of a simulator names every command that it has."""

from __future__ import annotations

import subprocess

import pytest
from weft.engines import engine

COMPILERS = "cc|c++|fc ARGUMENT..."
COMMANDS = {
    "flow": [COMPILERS, "routes < POINT.json", "export < POINT.json"],
    "packet": [COMPILERS],
    "rdma": [COMPILERS],
    "anet": [COMPILERS, "check < POINT.json"],
    "model": [],
}


@pytest.mark.parametrize("name", COMMANDS)
def test_help_names_every_command(name: str) -> None:
    binary = str(engine(name).checked_binary())
    shown = subprocess.run([binary, "--help"], capture_output=True, text=True, check=True).stdout
    usage, _, meanings = shown.partition("\n\n")
    common = [
        f"usage: weft-{name} run --shard IN.json --out DIR [--threads N]",
        f"weft-{name} describe",
    ]
    own = [f"weft-{name} {command}" for command in COMMANDS[name]]
    found = [line.strip() for line in usage.splitlines()]
    assert found == [*common, *own, f"weft-{name} --version"]
    for command in ("run", "describe", *COMMANDS[name]):
        assert f"\n{command.partition(' <')[0]} " in f"\n{meanings}"


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_that_is_not_there_is_refused(name: str) -> None:
    """So a command that `COMMANDS` lacks is none: `simulate` alone is not for users."""
    command = [str(engine(name).checked_binary()), "absent"]
    done = subprocess.run(command, input="", capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr.startswith(f"weft-{name}: unknown command absent\nusage: ")
