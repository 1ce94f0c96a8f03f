"""Keys that say how much networks get, and what is known about loads."""

from weft.report.data.axes import LOAD, SIZE, SIZE_KEY

SATURATED = "saturated"
#: The smallest amount always takes the least time, so no amount is best.
AMOUNTS = (SIZE, SIZE_KEY, LOAD)
