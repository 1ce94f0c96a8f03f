"""Engines declared by a file: their options in experiments, and mistakes in declarations."""

import pytest
from weft.config import ConfigErrors, load_experiments
from weft.config.generate.reference import reference
from weft.config.generate.schema import schemas
from weft.plan import expand

from tests.config.schema_support import validator

ECHO = """
description: Says what it is asked.
program: command
answers: [messages]
options:
  window: {description: Messages under way., type: integer, minimum: 1, maximum: 64, default: 8}
  timeout: {description: Waits no longer., type: time, minimum: 1 us, default: 2 ms}
  buffers: {description: Sizes of buffers., type: size, several: true, default: [1 KiB, 4 KiB]}
  speed: {description: Of the port., type: rate, default: null}
  policy: {description: Who goes first., type: choice, allowed: [oldest, youngest], default: oldest}
  share: {description: Of the port., type: number, above: 0, below: 1, default: 0.5}
  exact: {description: No rounding., type: boolean, default: true}
  label: {description: For the log., type: text, default: ""}
"""


@pytest.fixture
def echo(tree):
    tree.write("engine/echo.yaml", ECHO)
    return tree


def options(tree, engine="engine: {}\n"):
    tree.experiment(f"engines: [echo]\n{engine}")
    return [point.spec["options"] for point in expand(tree.load())]


def test_options_have_their_defaults_in_si_units(echo):
    assert options(echo) == [
        {
            "window": 8,
            "timeout_s": 0.002,
            "buffers_bytes": [1024, 4096],
            "policy": "oldest",
            "share": 0.5,
            "exact": True,
            "label": "",
        }
    ]


def test_an_experiment_changes_options(echo):
    (found,) = options(echo, "engine: {echo: {speed: 1 GB/s, timeout: 3 us, policy: youngest}}\n")
    assert (found["speed_bytes_per_s"], found["timeout_s"], found["policy"]) == (
        1e9,
        3e-6,
        "youngest",
    )


def test_options_are_swept_and_name_columns(echo):
    echo.experiment(
        "engines: [echo]\nsweep:\n  engine.echo.timeout: [1 ms, 2 ms]\n"
        "  engine.echo.window: {when: engine.echo.policy == oldest, values: [1, 2]}\n"
        "figures: [{line: {x: engine.echo.timeout, y: makespan_s, color: options.window}}]\n"
    )
    points = expand(echo.load())
    assert [p.coordinates for p in points] == [
        {"options.timeout_s": t, "options.window": w} for t in (1e-3, 2e-3) for w in (1, 2)
    ]


@pytest.mark.parametrize(
    ("written", "key", "message"),
    [
        ("windw: 3", "windw", "did you mean 'window'?"),
        ("window: 65", "window", "less than or equal to 64"),
        ("window: 2.5", "window", "expected a whole number"),
        ("timeout: 3", "timeout", "expected a time with its unit, like '100 ns'"),
        ("timeout: 1 ns", "timeout", "must be at least 1 us"),
        ("policy: oldst", "policy", "did you mean 'oldest'? allowed: oldest, youngest"),
        ("share: 1.0", "share", "less than 1"),
        ("buffers: [1 s]", "buffers[0]", "expected an amount of data"),
    ],
)
def test_wrong_options_are_reported(echo, written, key, message):
    echo.refuses(
        f"engines: [echo]\nengine: {{echo: {{{written}}}}}\n", f"engine.echo.{key}", message
    )


def test_an_option_without_a_default_must_be_given(tree):
    tree.write("engine/echo.yaml", ECHO.replace(", default: 8", ""))
    tree.experiment("engines: [echo]\n")
    error = tree.error()
    assert (error.key, error.message) == ("engine.echo.window", "this key is required")


def test_an_engine_answers_only_what_it_declares(echo):
    echo.refuses(
        "engines: [echo]\ndefaults: [override /workload: pingpong]\n",
        None,
        "echo answers only: messages; not program",
        file="configs/workload/pingpong.yaml",
    )


def test_an_engine_that_is_not_declared_is_reported_with_the_nearest(echo):
    echo.experiment("engines: [ecko]\n")
    wanted = "did you mean 'echo'? allowed: anet, booksim, echo, flow, hardware, model, packet"
    assert wanted in echo.error().message


def test_other_engines_keep_their_points(tree):
    tree.experiment("engines: [flow]\n")
    before = [point.point_id for point in expand(tree.load())]
    tree.write("engine/echo.yaml", ECHO)
    assert [point.point_id for point in expand(tree.load())] == before


@pytest.mark.slow
def test_schema_and_reference_know_the_engine(echo):
    schema = validator(schemas(echo.configs)["experiment.schema.json"])
    good = {"title": "t", "question": "q", "engines": ["echo"]}
    assert schema.is_valid({**good, "engine": {"echo": {"policy": "youngest"}}})
    assert not schema.is_valid({**good, "engine": {"echo": {"polici": "youngest"}}})
    row = "| `timeout` | like `100 ns` | `2 ms` | Waits no longer. At least 1 us. |"
    assert row in reference(echo.configs)


@pytest.mark.parametrize(
    ("old", "new", "key", "message"),
    [
        ("program: command", "program: comand", "program", "did you mean 'command'?"),
        ("program: command", "program: machine", "program", "only hardware measures"),
        ("program: command\n", "", "program", "this key is required"),
        ("answers: [messages]", "answers: [mesages]", "answers[0]", "did you mean 'messages'?"),
        ("answers:", "anwsers:", "anwsers", "did you mean 'answers'?"),
        ("type: integer", "type: int", "options.window.type", "did you mean 'integer'?"),
        ("type: integer", "typ: integer", "options.window.typ", "did you mean 'type'?"),
        ("default: 8", "default: 65", "options.window.default", "less than or equal to 64"),
        ("minimum: 1 us", "minimum: 1", "options.timeout.minimum", "expected a time"),
        ("default: oldest", "default: old", "options.policy.default", "did you mean 'oldest'?"),
        ("allowed: [oldest, youngest], ", "", "options.policy", "lists its values"),
        ("type: boolean", "type: boolean, minimum: 1", "options.exact", "bounds are for"),
        ("  window:", "  Window:", "options.Window", "lower case, like 'window_size'"),
        ("  window:", "  copy:", "options.copy", "choose another"),
        ("  window:", "  shard_points:", "options.shard_points", "choose another"),
        ("program:", "program: [", "", "not valid YAML"),
    ],
)
def test_mistakes_in_a_declaration_name_its_file(tree, old, new, key, message):
    assert old in ECHO
    tree.refuses_engine(ECHO.replace(old, new, 1), key, message)


def test_a_name_that_no_program_can_have(tree):
    tree.write("engine/My-Engine.yaml", ECHO)
    with pytest.raises(ConfigErrors, match=r"configs/engine/My-Engine\.yaml: an engine's name is"):
        load_experiments(tree.configs)


def test_a_trace_of_several_message_sizes_is_refused(tree):
    tree.experiment(
        "engines: [hardware]\nengine: {hardware: {trace: true}}\n"
        "defaults: [override /workload: pingpong]\nworkload: {message_size: [8 B, 1 KiB]}\n"
    )
    error = tree.error()
    assert error.key == "workload.message_size"
    assert "hardware: a trace is that of one message_size" in error.message
