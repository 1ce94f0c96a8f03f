"""What metrics mean: their units come from the catalogue, or stand beside their labels."""

import pytest
import yaml
from weft.report.data.metrics import load_metrics


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"unit": "ms"}, "makespan_s has the unit s in the catalogue"),
        ({"direction": "down"}, "makespan_s.direction must be one of"),
        ({"colour": "red"}, "makespan_s needs exactly"),
    ],
)
def test_a_metric_is_described_once_and_whole(tmp_path, fields, words):
    whole = {"direction": "lower", "label": "Time", "description": "How long it takes."}
    (tmp_path / "report").mkdir()
    file = tmp_path / "report" / "metrics.yaml"
    file.write_text(yaml.safe_dump({"makespan_s": whole}))
    assert load_metrics(tmp_path)["makespan_s"].unit == "s"
    file.write_text(yaml.safe_dump({"makespan_s": whole | fields}))
    with pytest.raises(ValueError, match=words):
        load_metrics(tmp_path)


def test_the_unit_of_another_engines_metric_stands_beside_its_label(tmp_path):
    fields = {"unit": "B", "direction": "lower", "label": "Size", "description": "How large."}
    (tmp_path / "report").mkdir()
    (tmp_path / "report" / "metrics.yaml").write_text(yaml.safe_dump({"mine_bytes": fields}))
    assert load_metrics(tmp_path)["mine_bytes"].unit == "B"


def test_a_metric_of_jobs_is_described_once_for_all(tmp_path):
    fields = {"direction": "lower", "label": "Time of job {n}", "description": "Of job {n}."}
    (tmp_path / "report").mkdir()
    (tmp_path / "report" / "metrics.yaml").write_text(yaml.safe_dump({"job{n}_time_s": fields}))
    found = load_metrics(tmp_path)
    assert list(found) == [f"job{number}_time_s" for number in range(1, 9)]
    third = found["job3_time_s"]
    assert (third.unit, third.label, third.description) == ("s", "Time of job 3", "Of job 3.")
