"""Message lists are read before anything runs."""

import re
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import yaml
from weft.plan import expand

SHIPPED = Path(__file__).resolve().parents[3] / "configs"
LIST = "src,dst,bytes,start_s\n0,1,10,0\n0,2,10,1e-6\n"
TRACE = "defaults: [override /workload: trace]\n"
FILE = "workload: {pattern: file, file: list.csv, message_size: null, per_node: 1}\n"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("src,dst,bytes\n0,4,10\n", "list.csv line 2: dst is 4, nodes are 0 to 3"),
        ("src,dst,bytes\n0,1,9\n-1,1,10\n", "list.csv line 3: src is -1"),
        ("src,dst,bytes\n0,1,-10\n", "list.csv line 2: bytes is -10, must be 0 or more"),
        ("src,dst,bytes,start_s\n0,1,10,-0.5\n", "start_s is -0.5"),
        ("src,dst,bytes\n\n0,1,9\n\n0,7,9\n", "list.csv line 5: dst is 7"),
        ("src,dst,bytes,start_s\n0,1,9,nan\n", "line 2: start_s is nan, which is not a number"),
        ("src,dst,bytes,start_s\n0,1,9,1e300\n", "line 2: start_s is 1e+300, must be at most"),
        ("src,dst,bytes,start_s\n0,1,9,inf\n", "line 2: start_s is inf, must be at most"),
        ("src,dst,size\n0,1,10\n", "its columns must be src, dst, bytes"),
        ("\nsrc,dst,bytes\n\n\n0,1,9\n0,1,1e300\n", "list.csv line 6: bytes is '1e300', must be"),
        ("src,dst,bytes\n\n0,1,9\n\n0,1\n", "list.csv line 5: Expected 3 columns, got 2: 0,1"),
        ("src,dst,bytes\n0,1,9\n0,x,10\n", "list.csv line 3: dst is 'x', must be a whole number"),
        ("src,dst,bytes,start_s\n0,1,10,1 us\n", "line 2: start_s is '1 us', must be a number"),
        ("src,dst,bytes\n0,1\n", "list.csv line 2: Expected 3 columns, got 2"),
        ("src,dst,bytes\n", "list.csv holds no message"),
        ("src,dst,bytes\n0,,10\n", "list.csv cannot be read: it has empty cells"),
    ],
)
def test_bad_list_is_reported_with_its_row(tree, text, words):
    (tree.root / "list.csv").write_text(text)
    tree.refuses(FILE, "workload.file", words)


def test_missing_file(tree):
    tree.refuses(FILE, None, "there is no file list.csv")


def test_truncated_parquet_names_the_file(tree):
    path = tree.root / "list.parquet"
    pq.write_table(pa.table({"src": [0], "dst": [1], "bytes": [10]}), path)
    path.write_bytes(path.read_bytes()[:-20])
    tree.refuses(FILE.replace(".csv", ".parquet"), None, "list.parquet cannot be read")


def test_parquet_list_is_accepted(tree):
    pq.write_table(pa.table({"src": [0], "dst": [1], "bytes": [10]}), tree.root / "list.parquet")
    tree.experiment(FILE.replace(".csv", ".parquet"))
    assert tree.load().name == "x"


def test_file_and_another_pattern(tree):
    tree.refuses("workload: {file: list.csv}\n", None, "belongs to pattern: file")


def test_a_trace_needs_its_file(tree):
    tree.refuses(TRACE, None, "pattern: file needs the key file, like 'traces/halo.csv'")


def test_a_trace_is_a_group_and_a_file(tree):
    (tree.root / "list.csv").write_text(LIST)
    tree.experiment(TRACE + "workload: {file: list.csv}\n")
    (point,) = expand(tree.load())
    assert point.spec["workload"]["file"] == "list.csv"


def test_a_size_beside_a_file_is_reported_with_the_way_out(tree):
    tree.experiment("workload: {pattern: file, file: list.csv}\n")
    found = tree.error().message
    assert "its workload group gives message_size" in found
    assert "'override /workload: trace', or write message_size: null" in found


@pytest.mark.parametrize(
    ("start", "keys", "expected"),
    [
        (TRACE, "file: list.csv", "all"),
        (TRACE, "file: list.csv, outstanding: 1", 1),
        ("", "pattern: file, file: list.csv, message_size: null", "all"),
        ("", "pattern: uniform", 1),
        ("", "outstanding: all", "all"),
        ("", "outstanding: 3", 3),
    ],
)
def test_messages_of_a_file_wait_for_their_start_times_only(tree, start, keys, expected):
    (tree.root / "list.csv").write_text(LIST)
    tree.experiment(f"{start}workload: {{{keys}}}\n")
    (point,) = expand(tree.load())
    assert point.spec["workload"]["outstanding"] == expected


def test_the_documented_trace_is_one(tree):
    text = (SHIPPED.parent / "docs/experiment-file.md").read_text()
    lines = re.search(r"```csv\n(.*?)```", text, re.DOTALL)[1]
    (body,) = (b for b in re.findall(r"```yaml\n(.*?)```", text, re.DOTALL) if "trace" in b)
    file = yaml.safe_load(body)["workload"]["file"]
    (tree.root / file).parent.mkdir()
    (tree.root / file).write_text(lines)
    tree.write("experiment/x.yaml", body)
    assert {point.spec["workload"]["outstanding"] for point in expand(tree.load())} == {"all"}
