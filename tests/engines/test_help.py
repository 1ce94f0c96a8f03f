"""`--help` of a simulator names every command that it has."""

from __future__ import annotations

import json
import os
import subprocess

import pytest
from weft.engines import engine

COMPILERS = "cc|c++|fc ARGUMENT..."
COMMANDS = {
    "flow": [COMPILERS, "routes < POINT.json", "needs < POINT.json", "export < POINT.json"],
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


@pytest.mark.parametrize("name", COMMANDS)
@pytest.mark.parametrize("word", ["describe", "--help", "--version", "absent"])
def test_output_that_nobody_reads_to_its_end_is_no_mistake(name: str, word: str) -> None:
    """As behind `| head`; `absent` complains on standard error."""
    reading, writing = os.pipe()
    os.close(reading)
    binary = str(engine(name).checked_binary())
    streams: dict[str, int] = {"stdout": writing, "stderr": subprocess.PIPE}
    if word == "absent":
        streams = {"stdout": subprocess.PIPE, "stderr": writing}
    done = subprocess.run([binary, word], input="", text=True, check=False, **streams)
    os.close(writing)
    assert done.returncode == (2 if word == "absent" else 0)
    assert not done.stdout
    assert not done.stderr


@pytest.mark.parametrize("word", ["routes", "export"])
def test_routes_that_nobody_reads_are_no_mistake(word: str) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    point = json.dumps({"seed": 1, "topology": {"kind": "crossbar", "nodes": 300}})
    command = [str(engine("flow").checked_binary()), word]
    done = subprocess.run(
        command, input=point, text=True, check=False, stdout=writing, stderr=subprocess.PIPE
    )
    os.close(writing)
    assert (done.returncode, done.stderr) == (0, "")
