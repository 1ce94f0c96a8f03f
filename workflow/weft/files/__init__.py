"""Files that are whole or absent, and locks that a kill frees."""

from weft.files.lock import take_lock
from weft.files.replace import replace_text, replacing

__all__ = ["replace_text", "replacing", "take_lock"]
