"""The lines of `weft list`."""

from weft.command.show import state_lines
from weft.read.states import ExperimentState


def test_one_point_is_not_written_as_several() -> None:
    one, two = (
        ExperimentState(name=name, question="Why?", engines=("flow",), points=points)
        for name, points in (("a", 1), ("b", 2))
    )
    first, _, second, _ = state_lines([one, two])
    assert "1 point ·" in first
    assert "2 points ·" in second
