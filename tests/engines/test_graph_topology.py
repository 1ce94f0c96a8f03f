"""Networks of one's own, from a user's file to the rows of flow, packet and rdma."""

import json
from hashlib import sha256

import pyarrow.parquet as pq
import pytest
from weft.engines import EngineError, engine
from weft.engines.execute import run_shard
from weft.machine import MachineFile
from weft.plan import expand

from tests.config.conftest import tree

__all__ = ["tree"]
#: Four switches in a circle, each with two nodes.
RING = """from,to
s0,s1
s1,s2
s2,s3
s3,s0
n0,s0
n1,s0
n2,s1
n3,s1
n4,s2
n5,s2
n6,s3
n7,s3
"""
BODY = """
defaults: [override /topology: graph, override /workload: uniform]
topology: {file: ring.csv, routing: %s}
workload: {per_node: 3, message_size: 125 B, kind: messages}
"""


@pytest.fixture(autouse=True)
def ring(tree, monkeypatch):
    (tree.root / "ring.csv").write_text(RING)
    monkeypatch.chdir(tree.root)
    return tree.root / "ring.csv"


def specs(tree, body, engines="flow, packet"):
    tree.experiment(f"engines: [{engines}]\n{body}")
    return [point.spec for point in expand(tree.load())]


def run(folder, specs):
    """The tables of one shard for each engine of `specs`."""
    found = {}
    for place, spec in enumerate(specs):
        name = spec["engine"]
        own = folder / f"{place}-{name}"
        own.mkdir(parents=True)
        shard = {
            "schema": 1,
            "engine": name,
            "engine_version": engine(name).version(MachineFile(), None),
            "shard": "b" * 12,
            "attempts": {},
            "points": [{"point_id": f"{place:012x}", **spec}],
        }
        (own / "shard.json").write_text(json.dumps(shard))
        run_shard(own / "shard.json", None, None, own / "out", 1, own / "run.log")
        files = (own / "out").glob("*.parquet")
        found[name] = {path.stem: pq.read_table(path).to_pylist() for path in files}
    return found


def values(tables):
    return {row["metric"]: row["value"] for row in tables["metrics"]}


@pytest.mark.parametrize("routing", ["shortest", "up_down"])
def test_flow_and_packet_answer_lists_on_a_graph(tree, tmp_path, routing):
    found = run(tmp_path / "out", specs(tree, BODY % routing))
    for tables in found.values():
        assert [row["error"] for row in tables["runs"]] == [None]
        assert values(tables)["makespan_s"] > 0
    assert set(found) == {"flow", "packet"}


@pytest.mark.slow
def test_a_program_runs_on_a_graph_in_all_three_networks(tree, tmp_path):
    body = """
defaults: [override /topology: graph, override /workload: pingpong]
topology: {file: ring.csv}
workload: {message_size: 1 KiB}
"""
    found = run(tmp_path / "out", specs(tree, body, "flow, packet, rdma"))
    for tables in found.values():
        assert [row["error"] for row in tables["runs"]] == [None]
        assert values(tables)["program_time_s"] > 0
    assert set(found) == {"flow", "packet", "rdma"}


def test_links_of_the_file_have_their_own_speed(tree, tmp_path, ring):
    plain = run(tmp_path / "plain", specs(tree, BODY % "shortest"))
    rows = RING.splitlines()
    # Ten times slower than the default network; empty where the network decides.
    slow = [f"{row},12.5 MB/s" if row.startswith("s") else f"{row}," for row in rows[1:]]
    ring.write_text("\n".join(["from,to,bandwidth", *slow]))
    slower = run(tmp_path / "slow", specs(tree, BODY % "shortest"))
    for name, tables in slower.items():
        assert values(tables)["makespan_s"] > 3 * values(plain[name])["makespan_s"]


def test_a_circle_needs_as_many_virtual_channels_as_the_message_says(tree, tmp_path, ring):
    # A circle of five has a single shortest way between any two.
    ring.write_text(RING.replace("s3,s0", "s3,s4\ns4,s0") + "n8,s4\n")
    body = BODY % "shortest" + "engine: {packet: {virtual_channels: %s}}\n"
    few, enough = (specs(tree, body % count, "packet") for count in (1, 2))
    (row,) = run(tmp_path / "few", few)["packet"]["runs"]
    assert "virtual_channels is 1, must be at least 2" in row["error"]
    (row,) = run(tmp_path / "enough", enough)["packet"]["runs"]
    assert row["error"] is None


def table(ring, towards):
    """Routes by the next switch from one switch towards another, both by their numbers."""
    rows = ["switch,node,next"]
    for switch in range(4):
        for node in range(8):
            end = node // 2
            onward = f"n{node}" if end == switch else f"s{towards(switch, end)}"
            rows.append(f"s{switch},n{node},{onward}")
    ring.with_name("routes.csv").write_text("\n".join(rows))
    return BODY % "table, routes: routes.csv"


def around(switch, _):
    """Up the numbers, round the circle."""
    return (switch + 1) % 4


def along(switch, end):
    """Up or down the numbers, so that the circle stays open."""
    return switch + 1 if end > switch else switch - 1


def test_a_table_of_ones_own_decides_the_routes(tree, ring, tmp_path):
    found = run(tmp_path / "along", specs(tree, table(ring, along)))
    rows = [row for name in ("flow", "packet") for row in found[name]["runs"]]
    assert [row["error"] for row in rows] == [None, None]


@pytest.mark.parametrize("engine_name", ["packet", "rdma"])
def test_a_table_that_can_deadlock_is_refused_before_anything_runs(
    tree, ring, tmp_path, engine_name
):
    circle = "s0 > s1 (line 4), s1 > s2 (line 14), s2 > s3 (line 18), s3 > s0 (line 26)"
    words = (f"routes.csv line 4: the routes can deadlock in {engine_name}: ", f"first: {circle};")
    body = table(ring, around)
    tree.refuses(f"engines: [flow, {engine_name}]\n{body}", "topology.routes", *words)
    # Flows share links and wait for none of them.
    found = run(tmp_path / "out", specs(tree, body, "flow"))
    assert [row["error"] for row in found["flow"]["runs"]] == [None]


def test_a_wrong_table_is_a_mistake_at_its_key(tree, ring):
    body = "engines: [flow]\n" + table(ring, along)
    routes = ring.with_name("routes.csv")
    routes.write_text(routes.read_text().replace("s0,n7,s1\n", ""))
    tree.refuses(body, "topology.routes", "s0 has no entry for n7; its last")


def test_a_table_without_its_file_is_a_mistake(tree):
    words = "routing: table and the key routes, a file, belong together"
    tree.refuses("engines: [flow]\n" + BODY % "table", None, words)


def test_the_digest_of_the_network_names_a_point(tree, ring, tmp_path):
    (first,) = specs(tree, BODY % "shortest", "flow")
    assert first["topology"]["nodes"] == 8
    ring.write_text("# the same\n" + "\n".join([RING.splitlines()[0], *RING.splitlines()[:0:-1]]))
    (same,) = specs(tree, BODY % "shortest", "flow")
    assert same == first
    ring.write_text(RING + "s0,s2\n")
    (other,) = specs(tree, BODY % "shortest", "flow")
    assert other["topology"]["sha256"] != first["topology"]["sha256"]
    run(tmp_path / "out", [other])
    (canonical,) = (tmp_path / "out").glob("*/out/graph-*.json")
    assert sha256(canonical.read_bytes()).hexdigest() == other["topology"]["sha256"]


def test_a_file_that_changed_since_the_plan_stops_the_job(tree, ring, tmp_path):
    planned = specs(tree, BODY % "shortest", "flow")
    ring.write_text(RING + "s0,s2\n")
    with pytest.raises(EngineError, match=r"ring\.csv has changed since the plan was made"):
        run(tmp_path / "out", planned)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (RING + "n8,n8\n", "ring.csv line 14: the link joins n8 with itself"),
        ("from,to\n", "ring.csv: the file lists no link"),
        ("nonsense", "ring.csv line 1: unknown column 'nonsense'"),
    ],
)
def test_a_bad_file_is_a_mistake_before_anything_runs(tree, ring, text, words):
    ring.write_text(text)
    tree.refuses("engines: [flow]\n" + BODY % "shortest", "topology.file", words)


def test_a_missing_file_and_two_rules_for_nodes_are_mistakes(tree):
    body = BODY % "shortest"
    tree.refuses(body.replace("ring.csv", "rong.csv"), "topology.file", "did you mean 'ring.csv'")
    both = body.replace("ring.csv", "ring.csv, node_names: [n*], nodes_per_switch: 2")
    tree.refuses(both, None, "give either node_names or nodes_per_switch")


@pytest.mark.slow
def test_an_entry_of_links_replaces_what_the_file_says(tree, tmp_path, ring):
    """As if the file itself said it, in every engine that has links of several speeds."""
    body = BODY % "shortest"
    entry = "{channels: [s0 > s1, injection/3], slower: 4, latency: 1 us}"
    given = body.replace("file: ring.csv", f"file: ring.csv, links: [{entry}]")
    plain = run(tmp_path / "plain", specs(tree, body))
    found = run(tmp_path / "given", specs(tree, given))
    rows = [row.split(",") for row in RING.splitlines()[1:]]
    named = {("s0", "s1"), ("n3", "s1")}
    lines = ["from,to,bandwidth,latency,one_way"]
    for start, end in [*map(tuple, rows), *((b, a) for a, b in rows)]:
        own = "31.25 MB/s,1 us" if (start, end) in named else ","
        lines.append(f"{start},{end},{own},yes")
    ring.write_text("\n".join(lines))
    written = run(tmp_path / "written", specs(tree, body))
    for name in plain:
        assert found[name]["runs"][0]["error"] is None
        assert values(found[name]) == values(written[name])
        assert values(found[name]) != values(plain[name])


@pytest.mark.parametrize(
    ("channels", "words"),
    [
        (
            "s0 > s5",
            "no channel 's0 > s5'; did you mean 's0 > s1'? classes are injection, ejection, link",
        ),
        ("injection/8", "they are injection/0 to injection/7"),
        ("[link, link]", "'link' is named twice"),
    ],
)
def test_an_entry_of_links_that_the_graph_lacks_is_refused(tree, channels, words):
    head = f"file: ring.csv, links: [{{channels: {channels}, slower: 2}}]"
    body = (BODY % "shortest").replace("file: ring.csv", head)
    tree.refuses(f"engines: [flow]\n{body}", "topology.links", words)
