"""Configurations of BookSim2, and what no configuration can say."""

from __future__ import annotations

from collections.abc import Mapping

from weft.engines.external.answer import UnanswerableError

#: BookSim2 reads `1` as another type than `1.0`: a float here becomes a float there.
Value = str | int | float
Configuration = Mapping[str, Value]


class InexpressibleError(UnanswerableError):
    """BookSim2 cannot simulate this point: one line that says why and what is allowed."""


def configuration_text(configuration: Configuration) -> str:
    """The configuration as BookSim2's parser reads it."""
    return "".join(f"{key} = {_text(value)};\n" for key, value in configuration.items())


def _text(value: Value) -> str:
    return repr(value) if isinstance(value, float) else str(value)
