"""Programs: the source that a name stands for, its arguments, and where its ranks run."""

from hashlib import sha256

import pytest
from weft.files.tokens import file_digest
from weft.plan import expand

SOURCE = '#include "mgen.h"\nint MGEN_Main(int argc, char **argv) { return 0; }\n'
RDMA = "engines: [rdma]\ntopology: {nodes: 8}\nworkload:\n  kind: program\n"
LISTS = "engines: [flow]\ndefaults: [override /workload: list]\n"
GROUP = "defaults: [override /workload: pingpong]\n"


@pytest.fixture(autouse=True)
def programs(tree):
    """Two programs in `programs/`, and what the shipped group of workloads has removed."""
    folder = tree.root / "programs"
    folder.mkdir(exist_ok=True)
    for name in ("barrier", "pingpong"):
        (folder / f"{name}.c").write_text(SOURCE)
    tree.write("workload/uniform.yaml", "kind: program\n")
    tree.write("workload/list.yaml", "kind: messages\npattern: uniform\nmessage_size: 8 B\n")


def spec(tree, body, overrides=()):
    tree.experiment(body)
    (point,) = expand(tree.load(overrides))
    return point.spec


def test_a_program_of_the_project_is_named_by_its_content(tree):
    assert spec(tree, RDMA + "  program: barrier\n  ranks: 4\n")["workload"] == {
        "kind": "program",
        "program": "barrier",
        "source": "programs/barrier.c",
        "source_sha256": file_digest("barrier.c", SOURCE.encode()),
        "input": None,
        "input_sha256": None,
        "ranks": 4,
        "message_bytes": None,
        "arguments": [],
    }


def test_a_source_beside_the_experiment_wins(tree):
    tree.write("experiment/barrier.c", "int main(void) { return 0; }\n")
    found = spec(tree, RDMA + "  program: barrier\n")["workload"]
    assert found["source"] == "configs/experiment/barrier.c"


def test_another_source_makes_another_point(tree):
    tree.experiment(RDMA + "  program: barrier\n")
    (before,) = expand(tree.load())
    (tree.root / "programs/barrier.c").write_text(SOURCE + "int more;\n")
    (after,) = expand(tree.load())
    assert before.point_id != after.point_id


def test_a_comment_in_a_source_makes_no_other_point(tree):
    tree.experiment(RDMA + "  program: barrier\n")
    (before,) = expand(tree.load())
    (tree.root / "programs/barrier.c").write_text(f"/* Why. */\n{SOURCE}// more\n")
    (after,) = expand(tree.load())
    assert before == after


def test_arguments_and_input_are_part_of_the_point(tree):
    (tree.root / "data.csv").write_text("a\n1\n")
    body = "  program: barrier\n  input: data.csv\n  arguments: ['{input}', 3, 0.5]\n"
    found = spec(tree, RDMA + body)["workload"]
    assert found["arguments"] == ["{input}", "3", "0.5"]
    assert found["input_sha256"] == sha256(b"a\n1\n").hexdigest()


def test_programs_ranks_and_options_may_be_swept(tree):
    tree.experiment(
        RDMA + "  program: barrier\nsweep:\n  workload.program: [barrier, pingpong]\n"
        "  workload.ranks: [2, 8]\n  engine.rdma.eager_limit: [1 KiB, 4 KiB]\n"
        "  network.software.node_latency: [0 s, 1 us]\n  workload.arguments: [[a], [b]]\n"
    )
    points = expand(tree.load())
    assert len({point.point_id for point in points}) == 32
    assert points[0].coordinates == {
        "workload.program": "barrier",
        "workload.ranks": 2,
        "options.eager_limit_bytes": 1024,
        "network.software.put_s": 0.0,
        "workload.arguments": ["a"],
    }


@pytest.mark.parametrize(
    ("written", "key", "message"),
    [
        ("program: barier", "program", "unknown program 'barier'; did you mean 'barrier'? allowed"),
        ("program: barier", "program", "looked for barier.c in configs/experiment and programs"),
        ("program: barrier.c", "program", "a C file without its ending, like 'pingpong'"),
        ("program: barrier\n  ranks: 9", "ranks", "9 ranks, but the topology has 8"),
        ("program: barrier\n  ranks: 0", "ranks", "greater than or equal to 1"),
        (
            "program: barrier\n  arguments: ['{mesage_byte}']",
            "arguments",
            "unknown placeholder '{mesage_byte}'; did you mean '{message_bytes}'?",
        ),
        (
            "program: barrier\n  arguments: ['{message_bytes}']",
            "arguments",
            "message_size is required",
        ),
        ("program: barrier\n  arguments: ['{input}']", "arguments", "so input is required"),
        ("program: barrier\n  input: data.csv", "arguments", "add '{input}'"),
        (
            "program: barrier\n  input: dat.csv\n  arguments: ['{input}']",
            "input",
            "there is no file dat.csv",
        ),
        ("program: barrier\n  argument: [a]", "argument", "did you mean 'arguments'?"),
        ("program: barrier\n  arguments: [true]", "arguments[0]", "expected a text"),
    ],
)
def test_a_mistake_in_a_program_is_reported_once(tree, written, key, message):
    (tree.root / "data.csv").write_text("a\n1\n")
    tree.refuses(f"{RDMA}  {written}\n", f"workload.{key}", message)


def test_an_unknown_program_is_one_mistake_for_all_engines(tree):
    tree.refuses(
        "engines: [rdma, flow, hardware]\n" + GROUP + "workload: {program: pingpang}\n",
        None,
        "did you mean 'pingpong'?",
    )


def test_flow_runs_every_program_from_its_source_with_the_parts_of_a_machine(tree):
    body = "  program: barrier\n  message_size: null\nnetwork: {packet: {mtu: 1 KiB}}\n"
    found = spec(tree, RDMA.replace("[rdma]", "[flow]") + body)
    assert found["workload"]["source"].endswith("programs/barrier.c")
    assert found["network"]["packet"]["mtu_bytes"] == 1024
    assert found["options"]["eager_limit_bytes"] == 16384


def test_lists_of_flow_have_the_parts_of_a_machine_and_no_options_of_programs(tree):
    found = spec(tree, LISTS + "network: {packet: {mtu: 1 KiB}}\n")
    assert found["network"]["packet"]["mtu_bytes"] == 1024
    assert found["options"] == {"model": "equal_share", "tables": []}


@pytest.mark.parametrize(
    "table", ["series", "calls", "rank_pairs", "rank_timeline", "critical_path", "history"]
)
def test_lists_of_flow_have_no_tables_of_programs(tree, table):
    tree.refuses(
        LISTS + f"engine: {{flow: {{tables: [{table}]}}}}\n",
        None,
        f"table {table} is for the workload kind program",
    )


def test_programs_of_packet_have_the_tables_of_the_network_over_time(tree):
    body = "  program: barrier\n  message_size: null\nengine: {packet: {tables: [%s]}}\n"
    packet = RDMA.replace("[rdma]", "[packet]")
    assert spec(tree, packet + body % "nodes, series")["options"]["tables"] == ["nodes", "series"]
    tree.refuses(packet + body % "buffers", None, "table buffers is for the workload kinds")


def test_a_figure_may_name_the_program(tree):
    figure = "figures: [{line: {x: workload.ranks, y: program_time_s, color: workload.program}}]\n"
    tree.experiment(RDMA + "  program: barrier\n" + figure)
    assert tree.load().settings.figures


def test_several_ranks_fit_a_node_where_the_engine_says_so(tree):
    body = RDMA + "  program: barrier\n  ranks: 16\nengine: {rdma: {ranks_per_node: 2}}\n"
    assert spec(tree, body)["options"]["ranks_per_node"] == 2
    tree.refuses(
        body.replace("ranks: 16", "ranks: 17"),
        None,
        "with 2 ranks on each node the topology holds 16",
    )


def test_a_table_of_ranks_is_named_by_its_content(tree):
    (tree.root / "ranks.csv").write_text("rank,node\n0,7\n1,3\n")
    options = spec(
        tree,
        RDMA + "  program: barrier\nengine: {rdma: {rank_to_node: file, rank_file: ranks.csv}}\n",
    )["options"]
    assert options["rank_file_sha256"] == sha256(b"rank,node\n0,7\n1,3\n").hexdigest()


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ("node,rank\n0,1\n", "line 1: the columns must be rank,node"),
        ("rank,node\n0,1\n0,2\n", "line 3: rank 0 already has a node"),
        ("rank,node\n0,8\n1,0\n", "line 2: node is 8, nodes are 0 to 7"),
        ("rank,node\n2,0\n", "line 2: rank is 2, ranks are 0 to 1"),
        ("rank,node\n0,0\n", "rank 1 has no node"),
        ("rank,node\n0,0\n1,0\n", "line 3: node 0 has 2 ranks, ranks_per_node is 1"),
        ("rank,node\n0,x\n", "line 2: expected a rank and a node, like 3,17; got 0,x"),
    ],
)
def test_a_bad_table_of_ranks_is_reported_with_its_line(tree, table, message):
    (tree.root / "ranks.csv").write_text(table)
    tree.experiment(
        RDMA + "  program: barrier\nengine: {rdma: {rank_to_node: file, rank_file: ranks.csv}}\n"
    )
    error = tree.error()
    assert error.key == "engine.rdma.rank_file"
    assert f"ranks.csv {message}" in error.message.replace("csv:", "csv")


@pytest.mark.parametrize(
    ("body", "key", "message"),
    [
        ("engine: {rdma: {rank_file: r.csv}}", "engine.rdma.rank_file", "there is no file r.csv"),
        ("engine: {rdma: {rank_to_node: file}}", "engine.rdma.rank_to_node", "needs rank_file"),
        (
            "engine: {rdma: {eager_limit: 2 KiB, zero_copy_limit: 1 KiB}}",
            "engine.rdma.eager_limit",
            "use a zero_copy_limit of at least eager_limit",
        ),
        (
            "engine: {rdma: {tables: [series]}}\nsweep: {workload.message_size: [[8 B, 16 B]]}",
            "engine.rdma.tables",
            "tables need exactly one message_size",
        ),
        ("engine: {rdma: {payload: size}}", "engine.rdma.payload", "did you mean 'sizes'?"),
        ("engine: {rdma: {stack: 1 KiB}}", "engine.rdma.stack", "must be at least 16 KiB"),
        (
            "network: {router: {virtual_channels: 1}}\ndefaults: [override /topology: torus]\n"
            "topology: {k: 4}",
            "network.router.virtual_channels",
            "needs at least 2 virtual channels",
        ),
        (
            "network: {packet: {mtu: 16 KiB}}",
            "network.packet.mtu",
            "vc_buffer is 8 KiB unless given",
        ),
        (
            "network: {packet: {mtu: 4 KiB}, router: {vc_buffer: 2 KiB}}",
            "network.router.vc_buffer",
            "use vc_buffer of at least mtu",
        ),
        (
            "network: {router: {vc_buffer: 1 KiB}}",
            "network.router.vc_buffer",
            "mtu is 2 KiB unless given",
        ),
    ],
)
def test_what_rdma_refuses(tree, body, key, message):
    tree.refuses(
        RDMA.replace("topology: {nodes: 8}\n", "") + f"  program: barrier\n{body}\n", key, message
    )


@pytest.mark.parametrize("program", ["allreduce", "group_multicast", "spaced_traffic"])
def test_a_program_that_reads_its_messages_needs_their_data(tree, program):
    (tree.root / "programs" / f"{program}.c").write_text(SOURCE)
    tree.refuses(
        f"{RDMA}  program: {program}\nengine: {{rdma: {{payload: sizes}}}}\n",
        "engine.rdma.payload",
        "the program reads what its messages carry; set payload to delivered",
    )


MEASURED = "engines: [hardware]\nmachine: {{mode: {}}}\nworkload: {{kind: program, program: {}}}\n"
PLAIN = "#include <mpi.h>\nint main(void) { return 0; }\n"


@pytest.mark.parametrize(
    ("place", "text"),
    [("configs/experiment/own.c", SOURCE), ("programs/own.c", PLAIN)],
)
def test_mode_hybrid_takes_no_program_that_its_image_lacks(tree, place, text):
    (tree.root / place).write_text(text)
    tree.experiment(MEASURED.format("hybrid", "own"))
    error = tree.error()
    assert error.key == "workload.program"
    assert error.message == (
        f"machine.mode hybrid has only the programs of weft, not {place}; native and bind take any"
    )


@pytest.mark.parametrize(
    ("mode", "program"), [("hybrid", "barrier"), ("native", "own"), ("bind", "own")]
)
def test_other_programs_and_modes_are_taken(tree, mode, program):
    tree.write("experiment/own.c", SOURCE)
    tree.experiment(MEASURED.format(mode, program))
    assert len(expand(tree.load())) == 1


@pytest.mark.parametrize("mode", ["hybrid", "bind"])
def test_a_trace_is_recorded_in_mode_native_only(tree, mode):
    text = MEASURED.format(mode, "barrier") + "engine: {hardware: {trace: true}}\n"
    tree.refuses(text, "engine.hardware.trace", f"machine.mode {mode} records no trace; set ")
