"""Statistics, calibration and comparison of what engines answered."""
