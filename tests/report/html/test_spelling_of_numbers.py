"""Pages spell numbers in one way, and leave alone what people copy."""

from __future__ import annotations

from pathlib import Path

import pytest
from markupsafe import Markup
from weft.report.html.render import _environment


@pytest.mark.parametrize(
    ("value", "written"),
    [
        ("0.6% of 5 %", "0.6\u00a0% of 5 %"),
        ("-5.5% (-10.1 to -2)", "−5.5\u00a0% (−10.1 to −2)"),
        ("2026-11-27, mc-c1 and x-3", "2026-11-27, mc-c1 and x-3"),
        ("a1%20b.json", "a1%20b.json"),
        (Markup("<b>-5%</b>"), "<b>-5%</b>"),
    ],
)
def test_per_cent_and_minus_have_one_form(value: str, written: str) -> None:
    assert _environment().from_string("{{ value }}").render(value=value) == written


def test_a_command_stays_as_it_is_typed() -> None:
    template = _environment().from_string("<code>{{ value | verbatim }}</code>")
    assert template.render(value="x -1 & 5%") == "<code>x -1 &amp; 5%</code>"


def test_every_template_shows_code_as_it_is() -> None:
    folder = Path(__file__).parents[3] / "workflow/weft/report/html/templates"
    shown = [
        line for path in folder.glob("*.html") for line in path.read_text().splitlines()
        if "<code>{{" in line or "<pre>{{" in line
    ]  # fmt: skip
    assert shown
    assert not [line for line in shown if "| verbatim }}" not in line]
