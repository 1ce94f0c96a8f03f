"""Two experiments, or two runs of one, side by side: what changed by more than its scatter."""
