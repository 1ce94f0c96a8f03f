"""How many settings a figure of a side table draws."""

import pytest
from weft.report.data.point_groups import MAX_PANELS, PointGroup, first


def settings(count: int) -> list[PointGroup]:
    return [PointGroup(None, f"k = {k}", (f"point-{k}",)) for k in range(count)]


@pytest.mark.parametrize("count", [0, 1, MAX_PANELS])
def test_as_many_as_there_is_room_for_need_no_note(count: int) -> None:
    drawn = first(settings(count))
    assert len(list(drawn)) == count
    assert not drawn.left_out


def test_a_note_says_how_many_of_them_are_drawn() -> None:
    drawn = first(settings(MAX_PANELS + 3))
    assert [group.name for group in drawn] == [f"k = {k}" for k in range(MAX_PANELS)]
    assert drawn.left_out == [f"{MAX_PANELS} of {MAX_PANELS + 3} settings are drawn."]
