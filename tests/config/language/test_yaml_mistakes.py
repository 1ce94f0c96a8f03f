"""A text that is no YAML: the message names the line of the mistake and what to write."""

import pytest
from weft.config.language.errors import ConfigError
from weft.config.language.yaml_files import as_written


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "title: T\nreplicates:3\nseed: 1\n",
            "x.yaml:2:1: not valid YAML: a colon needs a plain space behind it: "
            "write 'replicates: 3'",
        ),
        (
            "replicates:\u00a03\nseed: 1\n",
            "x.yaml:1:1: not valid YAML: a colon needs a plain space behind it: "
            "write 'replicates: 3'",
        ),
        (
            "title: T\nreplicates 3\nseed: 1\n",
            "x.yaml:2:1: not valid YAML: expected 'key: value', got 'replicates 3'",
        ),
        (
            "title: T\nquestion: @home\n",
            "x.yaml:2:11: not valid YAML: a text that begins with @ needs quotes around it",
        ),
        (
            "title: Torus: a test\n",
            "x.yaml:1:13: not valid YAML: a text with a colon and a space needs quotes around it",
        ),
        (
            "figures:\n  - line\n    x: topology.k\n",
            "x.yaml:2:5: not valid YAML: there is no colon behind '- line'",
        ),
        (
            "title: T\n  seed: 1\n",
            "x.yaml:2:7: not valid YAML: 'seed' is indented otherwise than the keys above it",
        ),
        (
            "topology: {k: 2\nnetwork: {}\n",
            "x.yaml:2:8: not valid YAML: the { in line 1, column 11, is not closed before this",
        ),
        (
            "question: >\n  many\n lines\nseed: 1\n",
            "x.yaml:3:2: not valid YAML: expected 'key: value' here; lines of one text are "
            "indented alike",
        ),
        (
            "title: “Torus: a test”\n",
            "x.yaml:1:14: not valid YAML: “ does not quote a text: write '…' or \"…\"",
        ),
        (
            "title: T\n---\ntitle: U\n",
            "x.yaml:2:1: not valid YAML: --- begins a second document; a file holds one experiment "
            "or one section",
        ),
        ("a:\n\tb: 1\n", "x.yaml:2:1: there is a tab; indent with spaces"),
        ("- a\n", "x.yaml:1:1: expected keys with values at the top of the file"),
    ],
)
def test_the_message_names_the_mistake(text: str, said: str) -> None:
    found = as_written(text, "x.yaml")
    assert isinstance(found, ConfigError)
    assert str(found) == said
