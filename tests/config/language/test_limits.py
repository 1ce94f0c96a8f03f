"""No file makes weft hang, fill the memory or overflow: messages name file and key."""

import pytest
import yaml
from weft.config import ConfigErrors, load_experiments
from weft.config.language.file_limits import check_yaml

BOMB = "".join(f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 9)}]\n" for i in range(1, 10))
MOST = 2**63 - 1


@pytest.mark.parametrize(
    ("text", "message", "line"),
    [
        ("a0: &a0 [x]\n" + BOMB, "more than 100,000 keys and values, aliases expanded", 6),
        ("topology: &t {k: *t}\n", "*t stands inside the section that it repeats", 1),
        ("a: [&t [1, *t]]\n", "*t stands inside the section that it repeats", 1),
        ("a: " + "[" * 5000 + "]" * 5000, "sections are nested more than 50 deep", 1),
    ],
)
def test_aliases_without_end_are_refused_with_their_line(tree, text, message, line):
    tree.write("experiment/x.yaml", text)
    error = tree.error()
    assert "configs/experiment/x.yaml" in error.file
    assert message in error.message
    with pytest.raises(yaml.MarkedYAMLError) as caught:
        check_yaml(text)
    assert caught.value.problem_mark.line + 1 == line


@pytest.mark.slow
def test_aliases_that_end_are_fine(tree):
    tree.experiment("network: {latency: &t 1 us, hop_latency: *t}\n")
    assert tree.load().name == "x"


@pytest.mark.parametrize(
    ("body", "key", "words"),
    [
        (f"seed: {MOST + 1}\n", "seed", f"whole numbers are at most {MOST}"),
        ("workload: {per_node: 99999999999999999999}\n", "workload.per_node", "is too large"),
        (f"workload: {{per_node: {'9' * 5000}}}\n", "", "5000 digits is too large"),
        ("sweep: {workload.per_node: [1, 99999999999999999999]}\n", "per_node[1]", "too large"),
        ("sweep: {workload.per_node: {from: 1, to: 1.0e+30, factor: 10}}\n", "per_node", "at most"),
        ("workload: {injection_rate: .inf}\n", "workload.injection_rate", "inf is not"),
        ("workload: {injection_rate: .nan}\n", "workload.injection_rate", "nan is not"),
        ("workload: {injection_rate: 1.0e+400}\n", "workload.injection_rate", "inf is not"),
        ("network: {bandwidth: 1e300 GB/s}\n", "network.bandwidth", "'1e300 GB/s' is too large"),
        ("network: {bandwidth: 1e30 GB/s}\n", "network.bandwidth", "at most 1000000 TB/s"),
        ("network: {bandwidth: 1e-300 GB/s}\n", "network.bandwidth", "too small"),
        ("network: {latency: 1e999999999 s}\n", "network.latency", "is too large"),
        ("workload: {message_size: 1e999999999 B}\n", "workload.message_size", "is too large"),
        ("sweep: {network.latency: {from: 1 s, to: 1e999999999 s}}\n", "latency", "too large"),
        (f"seed: {MOST}\nreplicates: 2\n", "seed", f"has seed {MOST + 1}"),
        ("defaults: [override /topology: torus]\ntopology: {k: 2, dimensions: 99999999999}\n",
         "topology.dimensions", "less than or equal to 24"),
    ],
)  # fmt: skip
def test_a_number_that_nothing_can_hold_is_reported_with_its_key(tree, body, key, words):
    tree.experiment(body)
    error = tree.error()
    assert error.key.endswith(key)
    assert words in error.message


def test_an_override_by_such_a_number_is_reported_as_one(tree):
    tree.experiment("")
    error = tree.error(["seed=99999999999999999999"])
    assert error.file == "configs/experiment/x.yaml with override 'seed=99999999999999999999'"


@pytest.mark.parametrize(
    ("body", "key", "point"),
    [
        ('report: {explain: "\\e[31mred"}\n', "report.explain", "001B"),
        ('sweep: {topology: ["\\a"]}\n', "sweep.topology[0]", "0007"),
        ('figures: [{kind: line, title: "\\u202Eback"}]\n', "figures[0].title", "202E"),
        ('report: {variants: {"\\x9b31m": {}}}\n', "report.variants", "009B"),
    ],
)
def test_a_control_character_is_refused_however_it_is_written(tree, body, key, point):
    tree.experiment(body)
    first = tree.errors()[0]
    assert (first.key, first.message) == (
        key,
        f"there is a control character (U+{point}); delete it",
    )


def test_a_title_with_a_control_character_is_refused(tree):
    tree.experiment("")
    error = tree.error(['title="a\x07b"'])
    assert error.message == "there is a control character (U+0007); delete it"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("body", "key", "count"),
    [
        ("replicates: 1000000000\n", "replicates", "1,000,000,000 points"),
        ("replicates: 9223372036854775806\n", "replicates", "9,223,372,036,854,775,806 points"),
        (
            "sweep:\n  workload.per_node: {from: 1, to: 200000}\n"
            "  topology.nodes: {from: 2, to: 100001}\n",
            "sweep",
            "20,000,000,000 points",
        ),
        (
            "sweep:\n  workload.per_node: {from: 1, to: 2000}\n"
            "  topology.nodes: {when: workload.per_node > 0, values: {from: 2, to: 100001}}\n",
            "sweep",
            "more than 2,000,000 points",
        ),
    ],
)
def test_too_many_points_are_refused_by_their_count(tree, body, key, count):
    tree.experiment(body)
    error = tree.error()
    assert error.key == key
    assert error.message == (
        f"{count}; an experiment may have 2,000,000: ask for fewer, or raise max_points in "
        "configs/config.yaml"
    )


def test_a_range_without_end_is_refused(tree):
    tree.refuses(
        "sweep: {workload.per_node: {from: 1, to: 20000000000}}\n",
        None,
        "a range may have 1,000,000 values at most",
    )


def test_conditions_that_leave_few_points_are_no_mistake(tree):
    axes = "".join(
        f"  engine.flow.{key}: {{when: workload.per_node > 9, values: {values}}}\n"
        for key, values in (("model", "[equal_share, max_min]"), ("tables", "[[links]]"))
    )
    tree.experiment(f"sweep:\n  workload.per_node: [1, 2]\n{axes}".replace("> 9", "> 1"))
    config = tree.configs / "config.yaml"
    config.write_text(config.read_text().replace("2_000_000", "3"))
    assert tree.load().name == "x"


def test_the_limit_can_be_raised(tree):
    tree.experiment("replicates: 11\n")
    config = tree.configs / "config.yaml"
    config.write_text(config.read_text().replace("2_000_000", "10"))
    assert "11 points; an experiment may have 10" in tree.error().message
    config.write_text(config.read_text().replace("max_points: 10", "max_points: 11"))
    assert tree.load().name == "x"


def test_a_limit_that_is_none_is_reported(tree):
    tree.experiment("")
    config = tree.configs / "config.yaml"
    config.write_text(config.read_text().replace("2_000_000", "many"))
    with pytest.raises(ConfigErrors, match="max_points: expected a number of points, got 'many'"):
        load_experiments(tree.configs)
