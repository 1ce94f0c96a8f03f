"""How far a run has come, read from the journals of its shards."""

from weft.progress.repeated import Repeated
from weft.progress.run import Run, begin, running
from weft.progress.shard import ShardWatch, begun, shard_watches

__all__ = ["Repeated", "Run", "ShardWatch", "begin", "begun", "running", "shard_watches"]
