"""A name that no experiment may have: the mistake stands beside the field of the name."""

import pytest

pytest.importorskip("django")

from weft.service.tasks.composed import composed

from tests.service.person import SMALL


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("ab" * 20, "must not repeat itself 20 times"),
        ("index", "is another page"),
        ("paper_mine", "is another page"),
        ("../x", "use letters, digits"),
        ("a" * 65, "at most 64"),
    ],
)
def test_a_mistake_in_a_name_stands_beside_it(name: str, said: str) -> None:
    (mistake,) = composed(name, SMALL, {}).mistakes
    assert mistake.key == "name"
    assert said in mistake.message
