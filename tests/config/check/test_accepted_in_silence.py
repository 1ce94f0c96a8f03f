"""What was once accepted and did nothing is refused, with key and nearest name."""

import pytest

TORUS = "defaults: [override /topology: torus]\n"
LINE = "x: topology.nodes, y: makespan_s"
#: What mfs/table1 has numbers of.
TABLE = "x: topology.k, y: makespan_s"


@pytest.mark.parametrize(
    ("body", "key", "words"),
    [
        ("paper: msf\n", "paper", "unknown paper 'msf'; did you mean 'mfs'?"),
        (
            f"figures: [{{line: {{{LINE}, published: mfs/tabel1}}}}]\n",
            "figures[0].line.published",
            "unknown item 'mfs/tabel1'; did you mean 'mfs/table1'?",
        ),
        (
            f"figures: [{{table: {{{TABLE}, published: [mfs/table1, nobody/nothing]}}}}]\n",
            "figures[0].table.published",
            "unknown item 'nobody/nothing'",
        ),
        (
            "report: {compare: [x, xx@after]}\n",
            "report.compare[1]",
            "unknown experiment 'xx'; did you mean 'x'?",
        ),
        (
            "report: {compare: [x, x@../y]}\n",
            "report.compare[1]",
            "'x@../y' is not a name like x or x@before",
        ),
        ("report: {compare: [x]}\n", "report.compare", "takes two names, [a, b]; here 1"),
        (
            "engine: {packet: {seed_offset: 1}}\n",
            "engine.packet",
            "packet is not among engines, which are flow",
        ),
        (
            "defaults: [override /workload: saturation]\nworkload: {message_size: 0 B}\n",
            "workload.message_size",
            "traffic of empty messages",
        ),
        (
            TORUS + "topology: {k: 2}\nsweep:\n  topology.k: [2, 3]\n"
            "  workload.per_node: {when: 'topology.k in [2, 33]', values: [1, 2]}\n",
            "sweep.workload.per_node.when",
            "topology.k is never '33'; did you mean '3'? its values are 2, 3",
        ),
        (
            TORUS + "sweep:\n  topology.k: [2, 3]\n  exclude: [{topology.k: [3, 44]}]\n",
            "sweep.exclude[0]",
            "topology.k is never '44'",
        ),
    ],
)  # fmt: skip
def test_it_is_refused(tree, body, key, words):
    tree.refuses(body, key, words)


def test_a_group_chosen_twice_is_refused(tree):
    tree.experiment("defaults: [override /topology: torus, override /topology: mesh]\n")
    assert "topology" in str(tree.errors()[0])


def test_an_override_given_twice_is_refused(tree):
    tree.experiment("")
    error = tree.error(["seed=1", "seed=2"])
    assert error.key == "seed"
    assert "'seed=1' and 'seed=2' set the same key" in error.message


def test_options_of_an_engine_that_an_override_takes_away_are_no_mistake(tree):
    tree.experiment("engines: [flow, packet]\nengine: {flow: {model: max_min}}\n")
    assert tree.load(["engines=[packet]"]).engines == ("packet",)


@pytest.mark.parametrize(
    "machine",
    [
        "{slurm_extra: '--nice=1; touch ~/x; true'}",
        "{launcher: ./mine}",
        "{launcher_arguments: [a]}",
        "{launcher_template: [a]}",
        "{modules: [gcc]}",
        "{environment: {LD_PRELOAD: ./mine.so}}",
        "{binds: [/etc]}",
        "{mpicc: ./mine}",
        "{pmi: x}",
        "{booksim_path: ./mine}",
        "{simgrid_path: ./mine}",
        "{partition: 'x; true'}",
        "{account: x}",
    ],
)
def test_an_experiment_says_nothing_that_reaches_a_shell(tree, machine):
    tree.experiment(f"machine: {machine}\n")
    messages = [error.message for error in tree.errors() if error.key.startswith("machine.")]
    words = "belongs to a machine file (configs/machine/) or the command line"
    assert any(words in message for message in messages)


def test_an_experiment_that_starts_from_such_a_one_neither(tree):
    tree.experiment("machine: {launcher: ./mine}\n", name="theirs")
    tree.experiment("defaults: [theirs]\n")
    assert {error.key for error in tree.errors()} == {"machine.launcher"}


@pytest.mark.parametrize(
    ("file", "text", "body"),
    [
        (
            "topology/theirs.yaml",
            "# @package _global_\nmachine: {launcher: ./mine}\n",
            "defaults: [override /topology: theirs]\n",
        ),
        (
            "topology/theirs.yaml",
            "launcher: ./mine\n",
            "defaults: [/topology@machine: theirs, _self_]\n",
        ),
        (
            "topology/theirs.yaml",
            "LD_PRELOAD: ./mine.so\n",
            "defaults: [/topology@machine.environment: theirs, _self_]\n",
        ),
        (
            "topology/theirs.yaml",
            "# @package machine.environment\nLD_PRELOAD: ./mine.so\n",
            "defaults: [override /topology: theirs]\n",
        ),
        (
            "topology/theirs.yaml",
            "defaults: [/network@_global_.machine: theirs2, _self_]\nkind: crossbar\nnodes: 2\n",
            "defaults: [override /topology: theirs]\n",
        ),
        (
            "network/theirs.yaml",
            "launcher: ./mine\n",
            "defaults: [/machine/../network/theirs@machine, _self_]\n",
        ),
        (
            "report/theirs.yaml",
            "binds: [/etc]\n",
            "machine: ${report}\ndefaults: [override /report: theirs]\n",
        ),
        (
            "network/theirs.yaml",
            "# @package _global_\nmachine: {launcher: ./mine}\n",
            "sweep: {network: [gigabit, theirs]}\n",
        ),
    ],
    ids=[
        *("global", "moved", "moved deeper", "header deeper", "nested", "beside machine"),
        *("reference", "sweep"),
    ],
)
def test_what_an_experiment_composes_says_nothing_of_it_either(tree, file, text, body):
    tree.write(file, text)
    tree.write("network/theirs2.yaml", "launcher: ./mine\n")
    tree.experiment(body)
    assert any(error.key.startswith("machine") for error in tree.errors())


def test_the_message_names_the_file_and_line_that_sets_it(tree):
    tree.write(
        "topology/theirs.yaml",
        "# @package _global_\ntopology: {kind: crossbar, nodes: 2}\nmachine:\n  launcher: ./mine\n",
    )
    tree.experiment("defaults: [override /topology: theirs]\n")
    error = tree.error()
    assert (error.file, error.mark.line) == ("configs/topology/theirs.yaml", 4)
    assert error.message.endswith("(seen from experiment x)")


def test_a_short_form_is_the_experiments_own_and_says_nothing_of_it(tree):
    tree.refuses(
        "quick: [replicates=1, '++machine.launcher=./mine']\n",
        "quick[1]",
        "machine.launcher belongs to a machine file",
    )


def test_the_command_line_and_machine_files_may(tree):
    tree.write("machine/mine.yaml", "launcher: ./mine\nmodules: [gcc]\n")
    tree.experiment("defaults: [override /machine: mine]\nmachine: {ranks: 8}\n")
    found = tree.load(["machine.launcher_arguments=[--verbose]"]).machine
    assert (found.launcher, found.launcher_arguments) == ("./mine", ("--verbose",))
