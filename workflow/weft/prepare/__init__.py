"""What happens before the first job: experiments become plans, plans become shard files."""

from weft.prepare.main import prepare, prepared
from weft.prepare.overview import overview

__all__ = ["overview", "prepare", "prepared"]
