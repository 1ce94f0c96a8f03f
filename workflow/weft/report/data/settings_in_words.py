"""Settings as sentences have them."""

from __future__ import annotations

from collections.abc import Sequence

from weft.report.data.axes import PATTERN
from weft.report.data.settings import VARIANT
from weft.report.data.units import key_label, prefixes, value_label
from weft.report.data.word_lists import holds_numbers

#: Keys whose words stand alone.
_NAMES = ("engine", "topology", "workload", "kind", "program", VARIANT)
#: What a word of these keys is one of, where their own name does not say it.
_NOUNS = {PATTERN: "traffic"}
_TRUTH = ("true", "false")
#: Keys whose numbers are no amounts.
_NUMBERED = ("seed", "offset", "shift")


def lowered(label: str) -> str:
    """A label within a sentence; abbreviations keep their capitals."""
    return label if label[1:2].isupper() else label[:1].lower() + label[1:]


def key_name(key: str) -> str:
    """A key's name within a sentence."""
    return lowered(key_label(key))


def in_words(settings: Sequence[tuple[str, object]]) -> str:
    """Settings as a sentence has them: `uniform traffic, 2 virtual channels, k = 4`."""
    return ", ".join(setting_in_words(key, value) for key, value in settings)


def placed(settings: Sequence[tuple[str, object]]) -> str:
    """`at k = 4`, `under uniform traffic, k = 4`, `for torus`, `with minimal routing`; nothing
    where there are no settings."""
    return f"{_preposition(*settings[0])} {in_words(settings)}" if settings else ""


def _preposition(key: str, value: object) -> str:
    if key == PATTERN:
        return "under"
    if _is_name(key, value):
        return "for"
    return "with" if _is_word(value) else "at"


def _is_name(key: str, value: object) -> bool:
    return key.rpartition(".")[2] in _NAMES and not holds_numbers(value)


def _is_word(value: object) -> bool:
    return isinstance(value, str) and value.replace("_", "").isalpha() and value not in _TRUTH


def setting_in_words(key: str, value: object) -> str:
    """One of them: `minimal routing`, `8 ranks`, `a load of 0.3`."""
    noun, said = key_name(key), value_label(key, value)
    if _is_name(key, value):
        return said
    if _is_word(value):
        return f"{said} {_NOUNS.get(key, noun)}"
    if not isinstance(value, int | float) or key.rpartition(".")[2] in _NUMBERED:
        return f"{noun} {said}"
    if len(noun) == 1:
        return f"{noun} = {said}"
    if noun.endswith("s") and not noun.endswith("ss") and not prefixes(key):
        return f"{said} {_singular(noun) if value == 1 else noun}"
    return f"{'an' if noun[0] in 'aeiouAEIOM' else 'a'} {noun} of {said}"


def place_in_words(key: str, value: object) -> str:
    """A value of an axis: a word as written, a number with its key."""
    stands = isinstance(value, str) and not holds_numbers(value)
    return value_label(key, value) if stands else setting_in_words(key, value)


def _singular(noun: str) -> str:
    return noun.removesuffix("es") if noun.endswith(("ches", "xes")) else noun.removesuffix("s")
