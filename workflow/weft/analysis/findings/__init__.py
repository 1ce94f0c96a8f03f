"""What values say: which is best, where curves cross, where they stop growing.

Everything here works on values and their scatter alone, so that tests can give it known curves.
"""

from weft.analysis.findings.changing import ChangeFinding, changes
from weft.analysis.findings.ranking import BestFinding, Better, Stretch, rankings, stretches
from weft.analysis.findings.reaching import ReachingFinding, Side, reaching
from weft.analysis.findings.saturation import SaturationFinding, levelling, onset
from weft.analysis.findings.settling import SettlingFinding, settling
from weft.analysis.findings.values import Value, apart, on_common_draws

__all__ = [
    "BestFinding",
    "Better",
    "ChangeFinding",
    "ReachingFinding",
    "SaturationFinding",
    "SettlingFinding",
    "Side",
    "Stretch",
    "Value",
    "apart",
    "changes",
    "levelling",
    "on_common_draws",
    "onset",
    "rankings",
    "reaching",
    "settling",
    "stretches",
]
