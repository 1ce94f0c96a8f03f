"""Columns whose names are not those of their keys stand in the page about tables."""

from pathlib import Path

from weft.config.language.section import key_names
from weft.config.model.network import Network

ROOT = Path(__file__).resolve().parents[3]


def test_columns_of_the_network_with_other_names_are_listed():
    text = (ROOT / "docs/tables.md").read_text()
    other = {key: name for key, name in key_names(Network).items() if not name.startswith(key)}
    assert len(other) > 5
    for key, name in other.items():
        assert f"| `network.{key}` | `network.{name}` |\n" in text
