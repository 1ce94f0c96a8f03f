"""Every kind of figure is drawn by a module of its name."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from weft.config.model.figures import FIGURES, Bar, Line
from weft.report.kinds import bar, kind_of

ROOT = Path(__file__).resolve().parents[3]
KINDS = ROOT / "workflow" / "weft" / "report" / "kinds"


def test_every_model_has_a_module_that_draws_it() -> None:
    assert {name: kind_of(model)[1].model for name, model in FIGURES.items()} == FIGURES
    assert {kind_of(model)[0] for model in FIGURES.values()} == {*FIGURES}
    assert {path.stem for path in KINDS.iterdir()} - {"__pycache__"} == {*FIGURES, "__init__"}


def test_a_module_that_draws_another_model_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bar, "KIND", replace(bar.KIND, model=Line))
    kind_of.cache_clear()
    with pytest.raises(TypeError, match="the kind bar draws Line, not Bar"):
        kind_of(Bar)
