"""A message about a file of somebody else does nothing to a terminal."""

import pytest
from weft.config.language.errors import ConfigError


@pytest.mark.parametrize(
    ("given", "shown"),
    [
        ("\x1b[31mred", r"\x1b[31mred"),
        ("\x1b]0;title\x07", r"\x1b]0;title\x07"),
        ("\x9b2J", r"\x9b2J"),
        ("a\rb\tc", r"a\rb\tc"),
        ("fdp.\u202egnp", r"fdp.\u202egnp"),
        ("first\nsecond µ “x” 網", "first\nsecond µ “x” 網"),
    ],
)
def test_characters_that_a_terminal_obeys_are_written_out(given: str, shown: str) -> None:
    assert str(ConfigError(f"{given}.yaml", given, given)) == f"{shown}.yaml: {shown}: {shown}"


def test_a_value_of_any_length_leaves_the_message_readable() -> None:
    text = str(ConfigError("x.yaml", "network.latency", "1" * 1_000_000))
    assert len(text) < 5000
    assert text.endswith("1… (1,000,025 characters)")
