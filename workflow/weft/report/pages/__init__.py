"""The pages: one per experiment, one per paper, and the index."""
