"""What the catalogue says stands in one file: no other names topologies, routings or patterns."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from weft.config.model.catalogue import CATALOGUE

ROOT = Path(__file__).parents[1]
#: BookSim2 has names of its own for some of them, and does not answer all.
BOOKSIM = ("configs/engine/booksim.yaml", "workflow/weft/engines/booksim/")
#: Words that the language has, too.
PLAIN = {"uniform", "shuffle", "neighbor", "hotspot", "file", "mesh", "torus", "fly", "crossbar",
         "minimal", "direct", "tornado", "graph", "table", "shortest", "adaptive"}  # fmt: skip
#: Recipe of docs/extending.md, and how many files it may cost.
RECIPES = {"A topology": 7, "A traffic pattern": 3, "A routing": 4}


def sources() -> Iterator[tuple[str, str]]:
    """Hand-written code and declarations, without what tests alone see."""
    for pattern in ("workflow/**/*.py", "configs/engine/*.yaml", "simulators/*/src/**/*.rs"):
        for path in ROOT.glob(pattern):
            yield path.relative_to(ROOT).as_posix(), path.read_text().partition("#[cfg(test)]")[0]


def naming(words: set[str]) -> dict[str, list[str]]:
    """The files that name one of `words`; code in Rust names it as a text in quotes."""
    word = "|".join(map(re.escape, sorted(words - PLAIN)))
    plain, quoted = re.compile(rf"\b({word})\b"), re.compile(rf'"({word})"')
    found = {}
    for path, text in sources():
        hits = (quoted if path.endswith(".rs") else plain).findall(text)
        if hits and not path.startswith(BOOKSIM):
            found[path] = hits
    return found


def test_a_topology_is_named_where_its_graph_is() -> None:
    named = naming({entry.kind for entry in CATALOGUE.topologies})
    assert set(named) == {f"simulators/fabric/src/{kind}.rs" for (kind,) in named.values()}


def test_a_routing_is_named_where_its_graph_is() -> None:
    routings = {routing.name for entry in CATALOGUE.topologies for routing in entry.routings}
    assert all(path.startswith("simulators/fabric/src/") for path in naming(routings))


def test_a_pattern_is_named_where_its_rule_is() -> None:
    named = naming({pattern.name for pattern in CATALOGUE.patterns})
    assert set(named) == {"simulators/workload/src/pattern.rs"}


def test_no_declaration_repeats_how_many_virtual_channels_routings_need() -> None:
    repeated = [path for path, text in sources() if re.search(r"virtual_channels < \d", text)]
    assert repeated == []


def recipe(title: str) -> list[str]:
    text = (ROOT / "docs" / "extending.md").read_text()
    section = text.partition(f"## {title}\n")[2].partition("\n## ")[0]
    return re.findall(r"^\| `([^`]+)` \|", section, re.MULTILINE)


@pytest.mark.parametrize(("title", "most"), RECIPES.items())
def test_a_recipe_is_short_and_names_files_that_are_there(title: str, most: int) -> None:
    files = recipe(title)
    assert 0 < len(files) <= most
    for file in files:
        # What the recipe says of a new one holds for one that is there.
        known = re.sub(r"<\w+>", "hypercube", file)
        assert (ROOT / known).is_file(), known
