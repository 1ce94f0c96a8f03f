"""Reading what the programs write."""

import pytest
from weft.engines.hardware.samples import read_measurement

GOOD = """# mpi_library=Some MPI 1.0
# clock_step_s=1e-09
# host.0=left
# host.1=right
# cpus.0=0
# cpus.1=1-3
metric,bytes,repetition,seconds
one_way_time_s,8,0,3e-6
one_way_time_s,8,1,1e-6
one_way_time_s,8,2,2e-6
"""


def test_header_and_median(tmp_path):
    path = tmp_path / "x.csv"
    path.write_text(GOOD)
    measurement = read_measurement(path)
    assert measurement.metrics() == [
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
        (GOOD + "one_way_time_s,8\n", "'one_way_time_s,8' is no sample"),
        (GOOD + "one_way_time_s,8,3,fast\n", "is no sample"),
        (GOOD.split("one_way")[0], "no samples"),
    ],
)
def test_bad_output_is_named(tmp_path, text, message):
    path = tmp_path / "x.csv"
    path.write_text(text)
    with pytest.raises(ValueError, match=rf"x\.csv: .*{message}|x\.csv: {message}"):
        read_measurement(path)
