"""How the data of figures is compared."""

from weft.archive.figures import differences

PACKED = "series,x,y\nflow,3,0.1\nflow,4,0.2\n"


def found(made: str, *, more: bool = False) -> list[str]:
    return list(differences({"figure-1": PACKED}, {"figure-1": made}, more=more))


def test_equal_rows_in_any_order_are_no_difference() -> None:
    assert found("series,x,y\nflow,4,0.2\nflow,3,0.1\n") == []


def test_a_sum_in_another_order_is_no_difference() -> None:
    assert found("series,x,y\nflow,3,0.10000000000000002\nflow,4,0.2\n") == []


def test_another_value_is_shown_beside_the_packed_one() -> None:
    assert found("series,x,y\nflow,3,0.1\nflow,4,0.21\n") == [
        "figure-1: 1 of 2 rows differ; packed: series=flow, x=4, y=0.2;"
        " now: series=flow, x=4, y=0.21"
    ]


def test_a_lost_row_is_a_difference() -> None:
    assert found("series,x,y\nflow,3,0.1\n", more=True) == [
        "figure-1: 1 of 2 rows differ; packed: series=flow, x=4, y=0.2; now this row is missing"
    ]


def test_a_row_of_the_users_own_is_one_only_where_nothing_was_added() -> None:
    made = f"{PACKED}flow,5,0.3\n"
    assert found(made, more=True) == []
    assert found(made) == ["figure-1: 1 more rows; the first is series=flow, x=5, y=0.3"]


def test_other_columns_are_a_difference() -> None:
    (text,) = found("series,x\nflow,3\n")
    assert text == "figure-1: its columns were series, x, y and are series, x"


def test_a_figure_that_is_gone_is_a_difference() -> None:
    assert list(differences({"a": PACKED}, {}, more=True)) == ["a: the new page lacks this figure"]
    assert list(differences({}, {"a": PACKED}, more=False)) == [
        "a: only the new page has this figure"
    ]
