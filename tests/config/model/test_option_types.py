"""Options that are a number or a word, a section of names, or nothing."""

import pytest
from weft.config.generate.reference import reference
from weft.config.generate.schema import schemas
from weft.plan import expand

from tests.config.schema_support import validator

ECHO = """
description: Says what it is asked.
program: command
answers: [messages]
options:
  lanes: {description: Of a port., type: integer, minimum: 1, allowed: [all, half], default: 2}
  delay_cycles: {description: By class., type: integer, minimum: 1, keyed: true, default: {}}
  cell_size: {description: Of a cell., type: size, nullable: true, default: 16 B}
"""


@pytest.fixture
def echo(tree):
    tree.write("engine/echo.yaml", ECHO)
    return tree


def options(tree, written):
    tree.experiment(f"engines: [echo]\nengine: {{echo: {{{written}}}}}\n")
    return [point.spec["options"] for point in expand(tree.load())]


@pytest.mark.slow
def test_defaults_and_the_name_of_a_size(echo):
    assert options(echo, "") == [{"lanes": 2, "delay_cycles": {}, "cell_bytes": 16}]


@pytest.mark.parametrize("value", [3, "all"])
def test_a_number_or_a_word(echo, value):
    assert options(echo, f"lanes: {value}")[0]["lanes"] == value


def test_a_section_of_names(echo):
    found = options(echo, "delay_cycles: {global: 10, x+: 3}")
    assert found[0]["delay_cycles"] == {"global": 10, "x+": 3}


def test_null_leaves_the_default_out(echo):
    assert "cell_bytes" not in options(echo, "cell_size: null")[0]


def test_words_and_sections_are_swept(echo):
    echo.experiment(
        "engines: [echo]\nsweep:\n  engine.echo.lanes: [1, all]\n"
        "  engine.echo.delay_cycles: [{up: 2}, {up: 3}]\n"
    )
    asked = [
        (p.spec["options"]["lanes"], p.spec["options"]["delay_cycles"]["up"])
        for p in expand(echo.load())
    ]
    assert asked == [(1, 2), (1, 3), ("all", 2), ("all", 3)]


def test_an_override_sets_a_section(echo):
    echo.experiment("engines: [echo]\n")
    (point,) = expand(echo.load(["engine.echo.delay_cycles={up: 4}"]))
    assert point.spec["options"]["delay_cycles"] == {"up": 4}


@pytest.mark.parametrize(
    ("written", "key", "message"),
    [
        ("lanes: al", "lanes", "did you mean 'all'? allowed: a whole number, all, half"),
        ("lanes: 0", "lanes", "greater than or equal to 1"),
        ("lanes: 1.5", "lanes", "expected a whole number"),
        ("lanes: null", "lanes", "this key cannot be null: leave it out for its default, 2"),
        ("delay_cycles: {up: 0}", "delay_cycles.up", "greater than or equal to 1"),
        ("delay_cycles: {up: fast}", "delay_cycles.up", "expected a whole number"),
        ("delay_cycles: 3", "delay_cycles", "expected a section"),
        ("cell_size: 16", "cell_size", "expected an amount of data"),
    ],
)
def test_a_wrong_value_is_reported_once(echo, written, key, message):
    echo.refuses(
        f"engines: [echo]\nengine: {{echo: {{{written}}}}}\n", f"engine.echo.{key}", message
    )


@pytest.mark.parametrize(
    ("old", "new", "key", "message"),
    [
        ("default: 2", "default: both", "options.lanes.default", "allowed: a whole number, all"),
        ("keyed: true", "keyed: true, several: true", "options.delay_cycles", "either a list"),
        ("minimum: 1, keyed", "minimum: low, keyed", "options.delay_cycles.minimum", "whole"),
    ],
)
def test_mistakes_in_a_declaration(tree, old, new, key, message):
    tree.refuses_engine(ECHO.replace(old, new, 1), key, message)


@pytest.mark.slow
def test_schema_and_reference_know_them(echo):
    schema = validator(schemas(echo.configs)["experiment.schema.json"])
    good = {"title": "t", "question": "q", "engines": ["echo"]}
    for value in (3, "all"):
        assert schema.is_valid({**good, "engine": {"echo": {"lanes": value}}})
    for wrong in ({"lanes": "al"}, {"delay_cycles": {"up": "x"}}):
        assert not schema.is_valid({**good, "engine": {"echo": wrong}})
    text = reference(echo.configs)
    assert "| `lanes` | whole number of at least 1 or `all`, `half` | `2` | Of a port. |" in text
    assert "| `delay_cycles` | section of names, each with a whole number of at least 1 |" in text
