"""What the engines share that drive programs of others: skipped points, limits, journal lines."""
