"""What happens before the first job: experiments become plans, plans become shard files."""

from weft.prepare.main import prepare, prepared
from weft.prepare.messages.overview import overview

__all__ = ["overview", "prepare", "prepared"]
