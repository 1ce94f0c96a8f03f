"""What an archive holds, and that the same results make the same archive."""

import json
import os
from dataclasses import replace
from pathlib import Path
from zipfile import ZipFile

import pytest
from weft.archive.read import open_archive
from weft.archive.results import asked_files, result_files
from weft.archive.write import write_archive
from weft.plan import Points, read_plan, short_digest, write_plan

from .conftest import HOST, NAME, Made, demo_point


def texts(archive: Path) -> dict[str, bytes]:
    with ZipFile(archive) as zipped:
        return {name: zipped.read(name) for name in zipped.namelist()}


@pytest.mark.slow
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


def test_files_outside_of_the_project_are_in_it_and_name_no_folder(made: Made) -> None:
    root, plan = made.project.root, read_plan(made.folder.plan)
    inside, outside, absolute = root / "a.csv", root.parent / "a.csv", root.parent / "b.csv"
    for path in (inside, outside, absolute):
        path.write_text(f"of {path.name} below {path.parent.name}\n")
    specs = [
        {"kind": "messages", "file": str(name)} for name in ("a.csv", "../a.csv", absolute)
    ] + [{"kind": "program", "input": "../a.csv", "input_sha256": "0"}]
    points = [replace(demo_point(3), spec={**demo_point(3).spec, "workload": w}) for w in specs]
    write_plan(replace(plan, points=Points.of(points), shards=()), made.folder.plan)
    asked = dict(asked_files(read_plan(made.folder.plan), root))
    assert asked["a.csv"].read_text() == inside.read_text()
    for path in (outside, absolute):
        place = f"outside/{short_digest(str(path.resolve()))}/{path.name}"
        assert asked[place].read_text() == path.read_text()
    assert len(asked) == 3
    asked = dict(asked_files(read_plan(made.folder.plan), root, [root.parent.resolve()]))
    assert asked.keys() == {"a.csv", "outside/a.csv", "outside/b.csv"}
