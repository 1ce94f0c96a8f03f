"""Files of a crate use each other in one direction; only a folder's `mod.rs` knows its files."""

import re
from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

SIMULATORS = Path(__file__).parents[1] / "simulators"
CRATES = [
    pytest.param(path.parent, id=path.parent.name) for path in sorted(SIMULATORS.glob("*/src"))
]
ROOTS = {"lib", "main", "mod"}


def modules(sources: Path) -> dict[tuple[str, ...], Path]:
    """Each file by the words of its path in the crate, without `lib.rs` and the like."""
    files = {path.relative_to(sources): path for path in sources.rglob("*.rs")}
    return {
        name.with_suffix("").parts: path for name, path in files.items() if name.stem not in ROOTS
    }


def used(text: str, here: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """What the `use` items of a file name, from the crate's root, one path for each name."""
    for item in re.findall(r"^\s*(?:pub(?:\([^)]*\))? )?use ([^;]+);", text, re.M):
        for path in unfolded(re.sub(r"\s+", "", item)):
            first, *rest = path.split("::")
            if first == "crate":
                yield tuple(rest)
            elif first == "super":
                above = here[:-1]
                while rest and rest[0] == "super":
                    above, rest = above[:-1], rest[1:]
                yield (*above, *rest)


def unfolded(item: str) -> Iterator[str]:
    """`a::{b,c::{d,e}}` as `a::b`, `a::c::d` and `a::c::e`."""
    start = item.find("{")
    if start < 0:
        yield item
        return
    depth, part = 0, ""
    for letter in item[start + 1 : -1] + ",":
        depth += {"{": 1, "}": -1}.get(letter, 0)
        if letter == "," and depth == 0:
            yield from unfolded(item[:start] + part) if part else ()
            part = ""
        else:
            part += letter


def arrows(sources: Path) -> dict[str, set[str]]:
    """For each file the files that it uses."""
    known = modules(sources)
    found: dict[str, set[str]] = {}
    for here, path in known.items():
        text = path.read_text().partition("#[cfg(test)]")[0]
        paths = used(text, here)
        ends = {name[:n] for name in paths for n in range(1, len(name) + 1)} & set(known)
        found["::".join(here)] = {"::".join(end) for end in ends - {here}}
    return found


@pytest.mark.parametrize("crate", CRATES)
def test_no_files_of_a_crate_use_each_other_in_a_circle(crate: Path) -> None:
    try:
        TopologicalSorter(arrows(crate / "src")).prepare()
    except CycleError as error:
        pytest.fail(" uses ".join(reversed(error.args[1])))


def test_paths_of_use_items_are_unfolded() -> None:
    text = "use crate::a::{b::C, d::{self, E}};\n    use super::super::f::G;\nuse std::fmt;\n"
    assert [*used(text, ("x", "y", "z"))] == [
        ("a", "b", "C"),
        ("a", "d", "self"),
        ("a", "d", "E"),
        ("x", "f", "G"),
    ]
