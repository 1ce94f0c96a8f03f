"""Compositions are kept by the content of their files, and never stand in anybody's way."""

import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest
from weft.config.compose.cache import FOLDER, Cache

BODY = "sweep: {topology: [torus, mesh], topology.k: [4]}\n"
PROBE = """
import sys
from pathlib import Path
from weft.config import load_experiments
(found,) = load_experiments(Path(sys.argv[1]), ["x"])
print(found.base({"topology": "mesh"})[1]["topology"]["kind"], "hydra" in sys.modules)
"""


def probe(tree):
    command = [sys.executable, "-c", PROBE, str(tree.configs)]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()


def entries(tree):
    return sorted((tree.root / FOLDER).glob("*.json"))


@pytest.mark.slow
def test_what_was_composed_once_needs_no_hydra(tree):
    tree.experiment(BODY)
    assert probe(tree) == ["mesh", "True"]
    assert probe(tree) == ["mesh", "False"]


def test_a_file_that_changes_is_composed_again(tree):
    tree.experiment("")
    assert tree.load().settings.title == "A title"
    tree.write("experiment/x.yaml", "title: Other\nquestion: Q\nengines: [flow]\n")
    assert tree.load().settings.title == "Other"


def test_a_group_file_that_is_added_before_is_found(tree):
    tree.write("network/own.yml", "bandwidth: 1 GB/s\n")
    (tree.configs / "network" / "mine.yaml").write_text("defaults: [own]\n")
    tree.experiment("defaults: [override /network: mine]\n")
    tree.load()
    (tree.configs / "network" / "own.yml").unlink()
    tree.write("network/own.yaml", "bandwidth: 2 GB/s\n")
    assert tree.load().base({})[1]["network"]["bandwidth"] == "2 GB/s"


@pytest.mark.parametrize("damage", ["", "{", "[]", "null", '{"kept": 3, "digest": 4}'])
def test_a_damaged_entry_is_composed_again(tree, damage):
    tree.experiment("")
    tree.load()
    for file in entries(tree):
        file.write_text(damage)
    assert tree.load().settings.title == "A title"


def test_a_changed_digit_in_an_entry_is_noticed(tree):
    tree.experiment("seed: 3\n")
    tree.load()
    for file in entries(tree):
        file.write_text(file.read_text().replace('"seed": 3', '"seed": 4'))
    assert tree.load().settings.seed == 3


def test_a_folder_that_cannot_be_written_is_no_hindrance(tree):
    tree.experiment("")
    (tree.root / ".snakemake").write_text("no folder\n")
    assert tree.load().settings.title == "A title"


@pytest.mark.slow
def test_two_processes_may_compose_at_once(tree):
    tree.experiment(BODY)
    with ThreadPoolExecutor(2) as pool:
        assert {kind for kind, _ in pool.map(lambda _: probe(tree), range(2))} == {"mesh"}
    assert all(json.loads(file.read_text()) for file in entries(tree))


def test_what_json_would_change_is_not_kept(tmp_path):
    cache = Cache(tmp_path / "configs", "x")
    cache.put({"a": {1: "number"}}, {})
    assert cache.get() is None
    cache.put({"a": {"1": "text"}}, {})
    assert cache.get().found == {"a": {"1": "text"}}


def test_the_oldest_entries_make_room(tmp_path, monkeypatch):
    monkeypatch.setattr("weft.config.compose.cache.MOST", 4)
    for i in range(5):
        cache = Cache(tmp_path / "configs", i)
        cache.put(i, {})
        file = next(
            f for f in (tmp_path / FOLDER).iterdir() if json.loads(f.read_text())["kept"][1] == i
        )
        os.utime(file, (i, i))
    kept = [Cache(tmp_path / "configs", i).get() for i in range(5)]
    assert [each and each.found for each in kept] == [None, None, 2, 3, 4]
