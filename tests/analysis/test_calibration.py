import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from weft.analysis.calibration import calibrate
from weft.analysis.hockney import NoLineError, fit_pingpong
from weft.tables import SCHEMAS
from weft.tables.storage import write_table

SIZES = [0, 1, 64, 4096, 65536, 1 << 20]


@pytest.mark.slow
@given(latency=st.floats(1e-8, 1e-2), bandwidth=st.floats(1e6, 1e11))
def test_an_exact_line_is_found(latency, bandwidth):
    fit = fit_pingpong([*SIZES, 1 << 34], [latency + n / bandwidth for n in [*SIZES, 1 << 34]])
    assert fit.latency_s == pytest.approx(latency, rel=1e-6)
    assert fit.bandwidth_bytes_per_s == pytest.approx(bandwidth, rel=1e-6)
    assert fit.worst_ratio == pytest.approx(1, abs=1e-6)
    assert fit.fitted_points == 7


def test_small_and_large_sizes_count_the_same():
    times = [(1e-6 + n / 1e9) * factor for n, factor in zip(SIZES, [1.1, 0.9] * 3, strict=True)]
    fit = fit_pingpong(SIZES, times)
    assert fit.latency_s == pytest.approx(1e-6, rel=0.1)
    assert fit.bandwidth_bytes_per_s == pytest.approx(1e9, rel=0.11)
    assert 0.05 < fit.relative_residual_rms < 0.15
    assert 1.05 < fit.worst_ratio < 1.25


def test_latency_is_never_negative():
    fit = fit_pingpong([1000, 2000, 3000], [1e-6, 4e-6, 9e-6])
    assert fit.latency_s == pytest.approx(0, abs=1e-12)
    assert fit.bandwidth_bytes_per_s > 0


@pytest.mark.parametrize(
    ("sizes", "times", "message"),
    [
        ([1, 2], [1.0], "there are 2 message sizes, but 1 times"),
        ([1, 2], [1.0, 0.0], "finite and above 0"),
        ([1, 2], [1.0, float("nan")], "finite and above 0"),
        ([-1, 2], [1.0, 2.0], "not negative"),
    ],
)
def test_numbers_that_are_no_times(sizes, times, message):
    with pytest.raises(ValueError, match=message) as raised:
        fit_pingpong(sizes, times)
    assert not isinstance(raised.value, NoLineError)


@pytest.mark.parametrize(
    ("sizes", "times", "message"),
    [
        ([], [], "two message sizes"),
        ([8, 8], [1.0, 1.0], "two message sizes"),
        ([1, 1000], [1.0, 1.0], "do not grow"),
        ([1, 1000], [2.0, 1.0], "do not grow"),
        (SIZES, [9e-3, 9e-3, 8e-3, 9e-3, 7e-3, 6e-3], "do not grow"),
    ],
)
def test_data_that_determine_no_line(sizes, times, message):
    with pytest.raises(NoLineError, match=message):
        fit_pingpong(sizes, times)


def line(sizes=SIZES, latency_s=1e-6, bandwidth=1e9):
    return [latency_s + n / bandwidth for n in sizes]


@pytest.mark.parametrize("disturbed", [[0], [1], [2], [0, 3], [1, 2], [0, 2, 4, 6]])
def test_sizes_that_were_disturbed_do_not_bend_the_line(disturbed):
    """Where a rank lost its processor a time is thousands of times too large."""
    sizes = [1 << n for n in range(0, 24, 2)]
    times = line(sizes)
    for number in disturbed:
        times[number] = 9e-3
    fit = fit_pingpong(sizes, times)
    assert fit.latency_s == pytest.approx(1e-6, rel=0.3)
    assert fit.bandwidth_bytes_per_s == pytest.approx(1e9, rel=0.3)
    assert fit.confidence == "rough"
    assert fit.worst_ratio > 1000


def test_a_good_line_says_so_and_how_sure_it_is():
    times = [t * f for t, f in zip(line(), [1.1, 0.9] * 3, strict=True)]
    fit = fit_pingpong(SIZES, times)
    assert (fit.method, fit.confidence) == ("least squares", "good")
    assert fit.latency_low_s < fit.latency_s < fit.latency_high_s
    assert (
        fit.bandwidth_low_bytes_per_s < fit.bandwidth_bytes_per_s < fit.bandwidth_high_bytes_per_s
    )


def test_a_line_with_large_residuals_is_rough():
    """Two nodes at 1 Gbit/s: the first packet passes at once, so the line has 2.1 Gbit/s."""
    sizes = [3, 24, 192, 384, 768, 1536, 3072, 6144, 12288, 24576]
    times = [5.1e-6, 5.2e-6, 5.3e-6, 5.2e-6, 5.3e-6, 9.7e-6, 31.5e-6, 60.7e-6, 122.7e-6, 239.6e-6]
    fit = fit_pingpong(sizes, times)
    assert fit.method == "least squares"
    assert fit.relative_residual_rms == pytest.approx(0.32, abs=0.02)
    assert fit.worst_ratio < 3
    assert fit.confidence == "rough"


def test_too_few_sizes_say_nothing_about_how_sure_the_line_is():
    assert fit_pingpong([1, 1000], [1e-6, 2e-6]).latency_low_s is None


def metrics_table(path, point_id, metric="one_way_time_s", latency=1e-6):
    rows = [
        {
            "point_id": point_id,
            "metric": metric,
            "message_bytes": n,
            "value": latency + n / 1e9,
            "unit": "s",
        }
        for n in SIZES
    ]
    write_table("metrics", rows, path)


def problem_in(path):
    return json.loads(path.read_text())["problem"]


def test_calibrate_writes_the_fit_of_one_point(tmp_path):
    metrics_table(tmp_path / "a.parquet", "aaa", latency=2e-6)
    metrics_table(tmp_path / "b.parquet", "bbb")
    metrics_table(tmp_path / "c.parquet", "000", metric="collective_time_s")
    tables = [tmp_path / f"{name}.parquet" for name in "abc"]
    calibrate(tables, tmp_path / "new" / "calibration.json")
    written = json.loads((tmp_path / "new" / "calibration.json").read_text())
    assert written["latency_s"] == pytest.approx(2e-6)
    assert written["bandwidth_bytes_per_s"] == pytest.approx(1e9)
    assert written["source_point_id"] == "aaa"
    assert calibrate(tables, tmp_path / "x.json", "bbb").latency_s == pytest.approx(1e-6)


def test_the_fit_takes_the_ping_pong_that_was_asked_for_the_most_sizes(tmp_path):
    """A search for jumps may add more sizes to another one."""
    few = [3, 48, 768]
    asked = {"few": few, "many": SIZES}
    measured = {"few": [*few, *range(100, 120)], "many": SIZES}
    order = tmp_path / "shards" / "s.json"
    order.parent.mkdir()
    points = [
        {"point_id": name, "workload": {"message_bytes": sizes}, "options": {}}
        for name, sizes in asked.items()
    ]
    order.write_text(json.dumps({"points": points}))
    table = tmp_path / "hardware" / "s" / "metrics.parquet"
    table.parent.mkdir(parents=True)
    rows = [
        {
            "point_id": name,
            "metric": "one_way_time_s",
            "message_bytes": n,
            "value": 1e-6 + n / 1e9,
            "unit": "s",
        }
        for name, sizes in measured.items()
        for n in sizes
    ]
    write_table("metrics", rows, table)
    calibrate([table], tmp_path / "calibration.json")
    written = json.loads((tmp_path / "calibration.json").read_text())
    assert written["source_point_id"] == "many"


def test_calibrate_without_a_pingpong(tmp_path):
    metrics_table(tmp_path / "c.parquet", "c", metric="collective_time_s")
    assert calibrate([tmp_path / "c.parquet"], tmp_path / "x.json") is None
    assert "no measured ping-pong" in problem_in(tmp_path / "x.json")


def test_times_without_a_line_are_a_problem_with_a_remedy(tmp_path):
    rows = [
        {
            "point_id": "a",
            "metric": "one_way_time_s",
            "message_bytes": n,
            "value": 9e-3,
            "unit": "s",
        }
        for n in SIZES
    ]
    write_table("metrics", rows, tmp_path / "a.parquet")
    assert calibrate([tmp_path / "a.parquet"], tmp_path / "x.json") is None
    why = problem_in(tmp_path / "x.json")
    assert "the times do not grow with the message size" in why
    assert "retry_flagged=true" in why


def test_a_failed_pingpong_is_named_with_reason_and_log(tmp_path):
    folder = tmp_path / "shard"
    folder.mkdir()
    metrics_table(folder / "metrics.parquet", "c", metric="collective_time_s")
    every = dict.fromkeys(SCHEMAS["runs"].names)
    runs = [
        {"point_id": "aaa", "attempt": 1, "status": "failed", "error": "alltoall: exit code 3"},
        {"point_id": "bbb", "attempt": 1, "status": "failed", "error": "pingpong: exit code 7"},
        {"point_id": "ccc", "attempt": 1, "status": "failed", "error": "pingpong: exit code 9"},
        {"point_id": "ccc", "attempt": 2, "status": "done"},
    ]
    write_table("runs", [every | row for row in runs], folder / "runs.parquet")
    calibrate([folder / "metrics.parquet"], tmp_path / "x.json")
    why = problem_in(tmp_path / "x.json")
    assert "point bbb failed: pingpong: exit code 7 (and 1 more failed)" in why
    assert f"see {folder}/run.log" in why
    assert "retry_failed=true behind --config" in why


def test_calibrate_from_a_truncated_table(tmp_path):
    metrics_table(tmp_path / "a.parquet", "a")
    whole = (tmp_path / "a.parquet").read_bytes()
    (tmp_path / "a.parquet").write_bytes(whole[: len(whole) // 2])
    with pytest.raises(ValueError, match=r"a\.parquet is not a readable Parquet file"):
        calibrate([tmp_path / "a.parquet"], tmp_path / "x.json")


def test_a_stream_that_arrives_at_once_gives_no_gap_and_a_warning(tmp_path):
    metrics_table(tmp_path / "times.parquet", "a")
    gap = {"point_id": "a", "metric": "gap_time_s", "value": 0.0, "unit": "s"}
    rows = [gap | {"message_bytes": n} for n in SIZES]
    write_table("metrics", rows, tmp_path / "gaps.parquet")
    calibrate([tmp_path / "times.parquet", tmp_path / "gaps.parquet"], tmp_path / "fit.json")
    fit = json.loads((tmp_path / "fit.json").read_text())
    assert list(fit["curves"]["between_nodes"]) == ["one_way"]
    assert any("no curve of gap_time_s, which is 0 s at 0 B, 1 B" in w for w in fit["warnings"])
