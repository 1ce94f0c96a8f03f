"""Every kind of figure is drawn by a module of its name."""

from __future__ import annotations

from pathlib import Path

import pytest
from weft.config.model.figures import FIGURES, Line
from weft.report.html.drawings import known_kinds
from weft.report.kinds import bar

ROOT = Path(__file__).resolve().parents[3]
KINDS = ROOT / "workflow" / "weft" / "report" / "kinds"


def test_every_model_has_a_module_that_draws_it() -> None:
    assert {name: model for model, (name, _) in known_kinds().items()} == FIGURES
    assert {path.stem for path in KINDS.glob("*.py")} == {*FIGURES, "__init__"}


def test_a_module_that_draws_another_model_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(FIGURES, "bar", Line)
    known_kinds.cache_clear()
    with pytest.raises(TypeError, match="the kind bar draws Bar, not Line"):
        known_kinds()
    known_kinds.cache_clear()
    assert bar.KIND.model.__name__ == "Bar"
