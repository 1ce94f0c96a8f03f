"""What the progress line counts, and how it guesses the time left."""

import json
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from weft.progress import Run, ShardWatch, begin
from weft.progress.duration import duration


def append(folder: Path, *points: tuple[str, str], torn: str = "") -> None:
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "journal.jsonl").open("a") as file:
        for point_id, status in points:
            file.write(json.dumps({"point_id": point_id, "status": status}) + "\n")
        file.write(torn)


def looked(watch: ShardWatch) -> dict[str, int]:
    watch.look()
    return {name: count for name, count in watch.counts().items() if count}


def test_a_shard_that_has_not_begun_has_no_outcomes(tmp_path):
    assert looked(ShardWatch("flow", tmp_path / "away", 3)) == {}


def test_lines_that_a_job_appends_are_counted_once(tmp_path):
    watch = ShardWatch("flow", tmp_path, 3)
    append(tmp_path, ("a", "done"))
    assert looked(watch) == {"done": 1}
    append(tmp_path, ("b", "failed"))
    assert looked(watch) == {"done": 1, "failed": 1}
    assert looked(watch) == {"done": 1, "failed": 1}


def test_half_a_line_counts_when_it_is_whole(tmp_path):
    watch = ShardWatch("flow", tmp_path, 3)
    append(tmp_path, torn='{"point_id": "a", "sta')
    assert looked(watch) == {}
    append(tmp_path, torn='tus": "done"}\n')
    assert looked(watch) == {"done": 1}


def test_a_failed_point_that_is_repeated_counts_by_its_last_outcome(tmp_path):
    append(tmp_path, ("a", "failed"), ("a", "done"))
    assert looked(ShardWatch("flow", tmp_path, 1)) == {"done": 1}


def test_a_finished_shard_counts_by_its_status(tmp_path):
    (tmp_path / "status.json").write_text('{"done": ["a", "b"], "failed": ["c"], "skipped": []}')
    assert looked(ShardWatch("flow", tmp_path, 3)) == {"done": 2, "failed": 1}


def test_points_that_are_no_longer_planned_do_not_count(tmp_path):
    append(tmp_path, ("a", "done"), ("b", "done"), ("c", "done"))
    assert looked(ShardWatch("flow", tmp_path, 2)) == {"done": 2}


@given(st.binary(max_size=200))
def test_no_content_of_a_journal_stops_the_line(tmp_path_factory, content):
    folder = tmp_path_factory.mktemp("shard")
    (folder / "journal.jsonl").write_bytes(content)
    looked(ShardWatch("flow", folder, 1))


def test_the_line_has_points_engines_and_what_was_there(tmp_path):
    append(tmp_path / "flow", ("a", "done"))
    shards = [ShardWatch("flow", tmp_path / "flow", 2), ShardWatch("rdma", tmp_path / "rdma", 1)]
    run = Run(shards)
    append(tmp_path / "rdma", ("b", "failed"))
    run.look()
    assert run.line().startswith(
        "2 of 3 points · flow 1/2, rdma 1/1 · 1 were there · 1 failed · about"
    )


def test_the_time_left_follows_the_speed_and_the_expected_work(tmp_path, monkeypatch):
    """40 of 100 expected seconds took 20 s, so 60 take 30 s."""
    run = Run([ShardWatch("flow", tmp_path, 10, expected_s=100.0)])
    append(tmp_path, *((str(i), "done") for i in range(4)))
    monkeypatch.setattr(time, "monotonic", lambda: run.began_s + 20)
    run.look()
    assert run.left_s() == pytest.approx(30)


def test_nothing_is_guessed_before_anything_ended(tmp_path):
    assert Run([ShardWatch("flow", tmp_path, 10, expected_s=100.0)]).left_s() is None
    assert Run([ShardWatch("flow", tmp_path, 10)]).left_s() is None


def test_without_history_all_points_count_alike(tmp_path, monkeypatch):
    run = Run([ShardWatch("flow", tmp_path, 10)])
    append(tmp_path, *((str(i), "done") for i in range(5)))
    monkeypatch.setattr(time, "monotonic", lambda: run.began_s + 20)
    run.look()
    assert run.left_s() == pytest.approx(20)


def test_points_of_a_kind_that_never_ended_get_no_time(tmp_path, monkeypatch):
    quick, long = tmp_path / "quick" / "rdma" / "a", tmp_path / "long" / "rdma" / "b"
    run = Run([ShardWatch("rdma", quick, 2), ShardWatch("rdma", long, 1)])
    append(quick, ("1", "done"), ("2", "done"))
    monkeypatch.setattr(time, "monotonic", lambda: run.began_s + 20)
    run.look()
    assert run.left_s() is None


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (0.2, "1 s"),
        (89, "89 s"),
        (100, "2 min"),
        (3600, "60 min"),
        (7200, "2 h"),
        (7900, "2 h 10 min"),
    ],
)
def test_times_are_said_as_people_say_them(seconds, text):
    assert duration(seconds) == text


def test_a_run_begins_with_the_points_and_the_time_that_earlier_runs_suggest(tmp_path, capsys):
    begin([ShardWatch("flow", tmp_path, 1240, expected_s=720.0)])
    assert capsys.readouterr().err == (
        "weft: 1,240 points to compute, about 12 min of CPU time as earlier runs suggest\n"
    )


def test_a_run_of_new_kinds_says_that_nobody_knows_how_long(tmp_path, capsys):
    begin([ShardWatch("flow", tmp_path, 1)])
    said = "weft: 1 point to compute; no earlier run suggests how long that takes\n"
    assert capsys.readouterr().err == said


def test_a_run_with_nothing_to_compute_begins_in_silence(tmp_path, capsys):
    append(tmp_path, ("a", "done"))
    begin([ShardWatch("flow", tmp_path, 1)])
    assert capsys.readouterr().err == ""
