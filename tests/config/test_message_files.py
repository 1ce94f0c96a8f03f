"""Message lists are read before anything runs."""

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

FILE = "workload: {pattern: file, file: list.csv, message_size: null, per_node: 1}\n"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("src,dst,bytes\n0,4,10\n", "list.csv row 1: dst is 4, nodes are 0 to 3"),
        ("src,dst,bytes\n0,1,9\n-1,1,10\n", "list.csv row 2: src is -1"),
        ("src,dst,bytes\n0,1,-10\n", "list.csv row 1: bytes is -10, must be 0 or more"),
        ("src,dst,bytes,start_s\n0,1,10,-0.5\n", "start_s is -0.5"),
        ("src,dst,size\n0,1,10\n", "its columns must be src, dst, bytes"),
        ("src,dst,bytes\n0,x,10\n", "list.csv cannot be read"),
        ("src,dst,bytes\n", "list.csv holds no message"),
        ("src,dst,bytes\n0,,10\n", "list.csv cannot be read: it has empty cells"),
    ],
)
def test_bad_list_is_told_with_its_row(tree, text, words):
    (tree.root / "list.csv").write_text(text)
    tree.experiment(FILE)
    error = tree.error()
    assert error.key == "workload.file"
    assert words in error.message


def test_missing_file(tree):
    tree.experiment(FILE)
    assert "there is no file list.csv" in tree.error().message


def test_truncated_parquet_names_the_file(tree):
    path = tree.root / "list.parquet"
    pq.write_table(pa.table({"src": [0], "dst": [1], "bytes": [10]}), path)
    path.write_bytes(path.read_bytes()[:-20])
    tree.experiment(FILE.replace(".csv", ".parquet"))
    assert "list.parquet cannot be read" in tree.error().message


def test_parquet_list_is_accepted(tree):
    pq.write_table(pa.table({"src": [0], "dst": [1], "bytes": [10]}), tree.root / "list.parquet")
    tree.experiment(FILE.replace(".csv", ".parquet"))
    assert tree.load().name == "x"


def test_file_and_another_pattern(tree):
    tree.experiment("workload: {file: list.csv}\n")
    assert "belong together" in tree.error().message
