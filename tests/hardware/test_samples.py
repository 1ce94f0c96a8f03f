"""Reading what the programs write."""

import pytest
from weft.engines.hardware.samples import judged_values, metric_rows, read_measurement

GOOD = """# mpi_library=Some MPI 1.0
# clock_step_s=1e-09
# host.0=left
# host.1=right
# cpus.0=0
# cpus.1=1-3
metric,bytes,repetition,seconds,lost
# waiting=8,2.0,0.01
one_way_time_s,8,0,3e-6,0
one_way_time_s,8,1,1e-6,0
one_way_time_s,8,2,2e-6,0
"""


def test_header_and_median(tmp_path):
    path = tmp_path / "x.csv"
    path.write_text(GOOD)
    measurement = read_measurement(path)
    assert metric_rows(judged_values(measurement, crowded=False, steal=0.0)) == [
        {"metric": "one_way_time_s", "message_bytes": 8, "value": 2e-6, "unit": "s"}
    ]
    assert measurement.environment() == {
        "mpi_library": "Some MPI 1.0",
        "clock_step_s": 1e-9,
        "hosts": ["left", "right"],
        "cpus": ["0", "1-3"],
    }


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "the columns are not"),
        ("metric,bytes\n", "the columns are not"),
        (GOOD + "one_way_time_s,8\n", "'one_way_time_s,8' is not a sample"),
        (GOOD + "one_way_time_s,8,3,fast,0\n", "is not a sample"),
        (GOOD.split("one_way")[0], "no samples"),
    ],
)
def test_bad_output_is_named(tmp_path, text, message):
    path = tmp_path / "x.csv"
    path.write_text(text)
    with pytest.raises(ValueError, match=rf"x\.csv: .*{message}|x\.csv: {message}"):
        read_measurement(path)


BUSY = GOOD.replace("8,2.0,0.01", "8,2.0,1.0").replace(",0\n", ",1\n")


def busy(tmp_path, name="busy.csv"):
    (tmp_path / name).write_text(BUSY)
    return read_measurement(tmp_path / name)


def test_a_value_without_quiet_repetitions_is_flagged(tmp_path):
    (row,) = metric_rows(judged_values(busy(tmp_path), crowded=False, steal=0.0))
    assert row["flag"] == "ranks had no processor for 50% of the time"
    assert row["value"] == 2e-6


def test_more_ranks_than_processors_are_never_flagged(tmp_path):
    (row,) = metric_rows(judged_values(busy(tmp_path), crowded=True, steal=0.5))
    assert "flag" not in row


def test_what_a_hypervisor_takes_flags_every_value(tmp_path):
    (tmp_path / "x.csv").write_text(GOOD)
    measurement = read_measurement(tmp_path / "x.csv")
    (row,) = metric_rows(judged_values(measurement, crowded=False, steal=0.12))
    assert row["flag"] == "a hypervisor took 12% of the processors' time"


def test_every_repetition_of_both_rounds_stays(tmp_path):
    (tmp_path / "x.csv").write_text(GOOD)
    measurement = read_measurement(tmp_path / "x.csv")
    measurement.extend(busy(tmp_path))
    measurement.write_samples(tmp_path / "samples.csv")
    lines = (tmp_path / "samples.csv").read_text().splitlines()
    assert lines[0] == "metric,message_bytes,repetition,value,unit,lost"
    assert [line.split(",")[2] for line in lines[1:]] == list("012345")
    assert [line.split(",")[5] for line in lines[1:]] == list("000111")
    assert measurement.waiting == {8: (4.0, 1.01)}
