"""Analysis: statistics, calibration and comparison of answers."""
