"""From experiments to plans and shard files on the disk."""
