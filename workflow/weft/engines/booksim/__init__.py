"""Engine `booksim`: runs a BookSim2 executable that the user supplies."""
