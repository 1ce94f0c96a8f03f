"""How far replicates are from each other, beside how far a prediction is off."""

from __future__ import annotations

from weft.analysis.comparison import AnswerRatio

#: Less would be 0% in the text.
_LEAST = 0.005


def scatter_text(ratio: AnswerRatio) -> str:
    """`replicates scatter by 9%`: the standard deviation; empty where there is none to speak of."""
    return f"replicates scatter by {ratio.scatter:.0%}" if ratio.scatter >= _LEAST else ""
