"""One address has one account and one limit, whatever stands in it that nobody sees."""

import sys
from unicodedata import category

import pytest
from weft.service.accounts.addresses import plain_address

PLAIN = "ann@example.org"


@pytest.mark.parametrize(
    "written",
    [
        "ann@exam\u00adple.org",
        "a\u200bnn@example.org",
        "ann\u2060@example.org",
        "ann@\ufeffexample.o\u200drg",
        "ann@e\u034fxample.org",
        "\u3164ann@example.org",
        "ann@example\ufe0f.org",
        "\U000e0061ann@example.org",
        "\u202eAnn@\uff45xample.org\u2003",
        "ann@example.org\u00ad ",
    ],
)
def test_what_nobody_sees_makes_no_other_address(written: str) -> None:
    assert plain_address(written) == PLAIN


def test_no_character_without_a_look_stays() -> None:
    """Unicode calls most of them formats; others it lists as ignorable by default."""
    formats = [chr(code) for code in range(sys.maxunicode) if category(chr(code)) == "Cf"]
    # Signs of numbers, of Syriac, Arabic, Kaithi and Egyptian texts are seen.
    seen = [
        each for each in formats if plain_address(f"a{each}nn@example.org") != "ann@example.org"
    ]
    blocks = ("\u0600\u0605", "\u06dd\u06dd", "\u070f\u070f", "\u0890\u08e2", "\ufff9\ufffb",
              "\U000110bd\U000110cd", "\U00013430\U0001345f")  # fmt: skip
    assert [e for e in seen if not any(low <= e <= high for low, high in blocks)] == []


def test_a_letter_and_its_mark_are_one_letter_and_a_domain_has_one_spelling() -> None:
    one = "jos\u00e9@b\u00fccher.example"
    assert plain_address("jose\u00ad\u0301@b\u00fccher.example") == one
    assert plain_address("jos\u00e9@XN--BCHER-KVA.example") == one
    assert plain_address("a@xn--0.example") == "a@xn--0.example"
    assert plain_address(plain_address(one)) == one
