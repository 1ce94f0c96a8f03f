"""What an archive holds, and that the same results make the same archive."""

import json
import os
from pathlib import Path
from zipfile import ZipFile

import pytest
from weft.archive.read import open_archive
from weft.archive.results import result_files
from weft.archive.write import write_archive
from weft.plan import read_plan

from .conftest import HOST, NAME, Made


def texts(archive: Path) -> dict[str, bytes]:
    with ZipFile(archive) as zipped:
        return {name: zipped.read(name) for name in zipped.namelist()}


def test_the_same_results_make_the_same_archive_on_another_day(
    made_once: Made, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "2000000000")
    for path in made_once.folder.path.rglob("*"):
        os.utime(path, (1, 1))
    again = made_once.pack(tmp_path / f"{NAME}.zip")
    assert again.read_bytes() == made_once.archive.read_bytes()


def test_the_order_of_files_makes_no_difference(tmp_path: Path) -> None:
    write_archive(tmp_path / "one.zip", {"a": b"1", "b": b"2"})
    write_archive(tmp_path / "two.zip", {"b": b"2", "a": b"1"})
    assert (tmp_path / "one.zip").read_bytes() == (tmp_path / "two.zip").read_bytes()


def test_an_archive_holds_what_makes_the_page_again(made: Made) -> None:
    held = texts(made.archive)
    shard = next(made.folder.path.glob("flow/*")).name
    for name in (
        f"reports/{NAME}.html",
        f"results/{NAME}/plan.json",
        f"results/{NAME}/flow/{shard}/metrics.parquet",
        f"results/{NAME}/flow/{shard}/journal.jsonl",
        f"results/{NAME}/flow/{shard}/run.log",
        f"configs/experiment/{NAME}.yaml",
        "configs/report/metrics.yaml",
        "workflow/weft/report/pages/build.py",
        "workflow/weft/report/html/templates/report.html",
        *("Snakefile", "Makefile", "README.md", "LICENSE", "CITATION.cff", "requirements.txt"),
        *("archive.json", "provenance.json", "SHA256SUMS", "ro-crate-metadata.json"),
    ):
        assert name in held, name
    assert not [name for name in held if name.startswith("wheels/") or name.endswith(".pyc")]


def test_experiments_of_others_stay_out(made: Made) -> None:
    names = [name for name in texts(made.archive) if name.startswith("configs/experiment/")]
    assert names == [f"configs/experiment/{NAME}.yaml"]


def test_the_data_of_figures_is_text(made: Made) -> None:
    rows = texts(made.archive)["figures/figure-1.csv"].decode().splitlines()
    assert len(rows) == 4
    assert "0.003" in rows[1]


def test_engines_and_machines_are_named(made: Made) -> None:
    facts = json.loads(texts(made.archive)["provenance.json"])
    assert facts["engines"] == [{"engine": "flow", "version": "1"}]
    assert facts["machines"] == [{"cpu": "A processor", "host": HOST}]
    assert facts["ended_at"] == "2026-01-02T03:04:07+00:00"


def test_a_log_names_no_folder_of_its_user(made: Made) -> None:
    (log,) = (text for name, text in texts(made.archive).items() if name.endswith("run.log"))
    assert log == b"compiled ~/x.c in ./y\n"


def test_a_damaged_shard_stops_the_archive(made: Made, tmp_path: Path) -> None:
    table = next(made.folder.path.glob("flow/*/metrics.parquet"))
    table.write_bytes(table.read_bytes()[:-1])
    with pytest.raises(ValueError, match=r"metrics\.parquet was altered after it was written"):
        made.pack(tmp_path / f"{NAME}.zip")
    assert not list(tmp_path.glob("*.zip*"))


def test_no_damaged_file_is_packed(made: Made) -> None:
    table = next(made.folder.path.glob("flow/*/metrics.parquet"))
    table.write_bytes(table.read_bytes()[:-1])
    with pytest.raises(ValueError, match="was altered after it was written"):
        list(result_files(read_plan(made.folder.plan), made.folder))


def test_an_archive_passes_its_own_check(made: Made) -> None:
    with open_archive(made.archive) as archive:
        assert archive.head.experiments == (NAME,)
