"""Every number that an experiment may give: planning refuses it with its key, or its points run."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
from weft.config import ConfigErrors, load_experiments
from weft.config.model.catalogue import CATALOGUE
from weft.config.model.engine import declared_engines
from weft.config.model.network import Network
from weft.engines import engine
from weft.plan import expand

from tests.config.conftest import HEAD, SHIPPED, Tree, tree

pytestmark = pytest.mark.slow

__all__ = ["tree"]

#: Beyond 32 bits, beyond the whole numbers of a float, beyond 64 bits, and the least ones.
NUMBERS = ("4294967296", "9007199254740993", "1.0e+300", "0", "-1")
#: By the example that the schema shows.
UNITS = {"100 ns": ("ns", "s"), "2 KiB": ("B",), "4 GB/s": ("B/s",)}
MESSAGES, TRAFFIC, PROGRAM = (
    f"override /workload: {group}" for group in ("uniform", "open_loop", "pingpong")
)
#: Of weft's own simulators, whose points run here.
OWN = {
    "flow": (MESSAGES, PROGRAM),
    "packet": (MESSAGES, TRAFFIC, PROGRAM),
    "rdma": (PROGRAM,),
    "anet": (PROGRAM,),
    "model": (PROGRAM,),
}
OTHERS = {
    "booksim": (TRAFFIC,),
    "simgrid": (MESSAGES,),
    "smpi": (PROGRAM,),
    "hardware": (PROGRAM,),
}
#: Some numbers ask for more cycles than anybody waits for; a limit ends these points, and is named.
LIMITS = ("simulation_timeout", "max_cycles")
#: Programs in C and C++ read these.
LARGEST_INT = 2**31 - 1


@dataclass(frozen=True)
class Case:
    """A key, and values for it as they are written."""

    key: str
    values: tuple[str, ...]
    head: str
    topology: str = "k: 2, dimensions: 1"

    def body(self) -> str:
        # Traffic as all engines understand it.
        own = "include_self: true, " if TRAFFIC in self.head else ""
        return (
            f"{HEAD}{self.head}topology: {{{self.topology}}}\n"
            f"workload: {{{own}message_size: 64 B}}\n"
            f"sweep: {{{self.key}: [{', '.join(self.values)}]}}\n"
        )


def numeric(field: Mapping[str, Any]) -> tuple[str, ...]:
    """What to write for a key of this schema; nothing if it is no number."""
    for each in (field, *field.get("anyOf", field.get("oneOf", ()))):
        if units := UNITS.get(str(each.get("examples", [""])[0])):
            return tuple(f"{number} {unit}" for unit in units for number in NUMBERS)
        if each.get("type") in ("integer", "number"):
            return NUMBERS
    return ()


def head(name: str, workload: str, kind: str = "torus") -> str:
    return f"engines: [{name}]\ndefaults: [override /topology: {kind}, {workload}]\n"


def options(name: str, workloads: Sequence[str]) -> Iterator[Case]:
    fields = declared_engines(SHIPPED)[name].model.model_json_schema()["properties"]
    # A part of the plan, not of points.
    del fields["shard_points"]
    for key, field in fields.items():
        for workload in workloads if numeric(field) else ():
            yield Case(f"engine.{name}.{key}", numeric(field), head(name, workload, "mesh"))


def networks(name: str, workloads: Sequence[str]) -> Iterator[Case]:
    schema = Network.model_json_schema()
    sections = [("network", schema["properties"])]
    for key in ("packet", "router", "cables", "nic", "software"):
        sections.append((f"network.{key}", schema["$defs"][key.title()]["properties"]))
    for section, fields in sections:
        for key, field in fields.items():
            for workload in workloads if numeric(field) else ():
                yield Case(f"{section}.{key}", numeric(field), head(name, workload))


def topologies() -> Iterator[Case]:
    for entry in CATALOGUE.topologies:
        # Of a graph, a file says how many there are.
        if entry.kind == "graph":
            continue
        sized = any(key.name == "sizes" for key in entry.keys)
        keys = {"k": 2, "dimensions": 1} if sized else entry.examples[0].keys
        for key in (key for key in entry.keys if key.type.startswith("integer")):
            many = key.type == "integers"
            others = {} if many else {k: v for k, v in keys.items() if k != key.name}
            text = ", ".join(f"{k}: {v}" for k, v in others.items())
            values = tuple(f"[2, {each}]" if many else each for each in NUMBERS)
            yield Case(f"topology.{key.name}", values, head("flow", MESSAGES, entry.kind), text)


def refused(tree: Tree, cases: Sequence[Case]) -> dict[int, list[str]]:
    """By case, its mistakes; other files have none."""
    for file in (tree.configs / "experiment").glob("*.yaml"):
        file.unlink()
    for i, case in enumerate(cases):
        tree.write(f"experiment/n{i}.yaml", case.body())
    found: dict[int, list[str]] = {}
    try:
        load_experiments(tree.configs)
    except ConfigErrors as errors:
        for each in errors.errors:
            number = Path(each.file).stem.removeprefix("n")
            assert number.isdecimal(), str(each)
            found.setdefault(int(number), []).append(str(each))
    return found


def shown(value: str) -> str:
    """As a message writes it."""
    return value if " " in value and "[" not in value else value.replace("1.0e+300", "1e+300")


def is_of(case: Case, value: str, mistake: str) -> bool:
    """Whether a mistake is about this value: it names the key with it."""
    return any(f"{case.key}={shown(value)}{end}" in mistake for end in ",;")


def accepted(tree: Tree, cases: Sequence[Case]) -> list[Case]:
    """Cases with the values that planning takes, after looking at how it refuses the others.

    Some checks begin when others find nothing.
    """
    while found := refused(tree, cases):
        left = []
        for i, case in enumerate(cases):
            wrong = {
                value
                for value in case.values
                for text in found.get(i, [])
                if is_of(case, value, text)
            }
            said = [text for text in found.get(i, []) if any(is_of(case, v, text) for v in wrong)]
            assert said == found.get(i, []), case.key
            kept = tuple(value for value in case.values if value not in wrong)
            left += [replace(case, values=kept)] if kept else []
        cases = left
    return list(cases)


def is_nan_refused(tree: Tree, cases: Sequence[Case]) -> None:
    """Not a number is refused before anything else is looked at, so it stands alone."""
    nans = [
        replace(case, values=(".nan" if case.values[0] in NUMBERS else "nan s",)) for case in cases
    ]
    found = refused(tree, nans)
    for i, case in enumerate(nans):
        assert any(f"{case.key}[0]: nan is" in text or "'nan s'" in text for text in found[i])


def failures(tree: Tree, name: str) -> list[str]:
    """What went wrong with the points of all experiments of the tree."""
    specs = [point.spec for each in load_experiments(tree.configs) for point in expand(each)]
    points = [{"point_id": f"{i:012x}", "digest": "d" * 64, **spec} for i, spec in enumerate(specs)]
    shard = {
        "schema": 1,
        "engine": name,
        "engine_version": "1",
        "shard": "b" * 12,
        "attempts": {},
        # What is still running then will go on until a limit.
        "limits": {"timeout_s": 0.5},
        "points": points,
    }
    file = tree.root / "shard.json"
    file.write_text(json.dumps(shard))
    out = tree.root / "out"
    command = [engine(name).checked_binary(), "run", "--shard", file, "--out", out]
    done = subprocess.run(
        [*command, "--threads", "2"], cwd=tree.root, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    rows = [json.loads(line) for line in (out / "journal.jsonl").read_text().splitlines()]
    assert len(rows) == len(points)
    errors = [str(row["error"]) for row in rows if row["status"] != "done"]
    return [each for each in errors if not any(limit in each for limit in LIMITS)]


@pytest.mark.long("extreme_numbers")
@pytest.mark.parametrize("name", OWN)
def test_numbers_of_options_are_refused_or_run(tree: Tree, name: str) -> None:
    cases = list(options(name, OWN[name]))
    accepted(tree, cases)
    assert failures(tree, name) == []
    is_nan_refused(tree, cases)


@pytest.mark.long("extreme_numbers")
@pytest.mark.parametrize("name", OWN)
def test_numbers_of_networks_are_refused_or_run(tree: Tree, name: str) -> None:
    cases = list(networks(name, OWN[name]))
    accepted(tree, cases)
    assert failures(tree, name) == []
    is_nan_refused(tree, cases)


@pytest.mark.parametrize("name", OTHERS)
def test_numbers_of_other_programs_are_refused_or_fit_an_int(tree: Tree, name: str) -> None:
    cases = list(options(name, OTHERS[name]))
    for case in accepted(tree, cases):
        for value in case.values:
            number = value if value in NUMBERS else "0"
            field = declared_engines(SHIPPED)[name].model.model_fields[case.key.split(".")[2]]
            assert "int" not in str(field.annotation) or float(number) <= LARGEST_INT, case.key
    is_nan_refused(tree, cases)


def test_numbers_of_topologies_are_refused_or_run(tree: Tree) -> None:
    cases = list(topologies())
    accepted(tree, cases)
    is_nan_refused(tree, [case for case in cases if "[" not in case.values[0]])
