"""HTML reports: one self-contained page per experiment, per paper, and an index of all."""
