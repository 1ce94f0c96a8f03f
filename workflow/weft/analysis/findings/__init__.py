"""What values say: which is best, where curves cross, where they stop growing.

Everything here works on values and their scatter alone, so that tests can give it known curves.
"""

from weft.analysis.findings.crossing import Crossover, crossovers
from weft.analysis.findings.ranking import Better, Ranking, Stretch, rankings, stretches
from weft.analysis.findings.saturation import Saturation, levelling, onset
from weft.analysis.findings.values import Value, apart

__all__ = [
    "Better",
    "Crossover",
    "Ranking",
    "Saturation",
    "Stretch",
    "Value",
    "apart",
    "crossovers",
    "levelling",
    "onset",
    "rankings",
    "stretches",
]
