"""What this machine can do for weft, and how a user without root gets what is missing."""

from weft.doctor.examine import examine
from weft.doctor.finding import Finding
from weft.doctor.show import show

__all__ = ["Finding", "examine", "show"]
