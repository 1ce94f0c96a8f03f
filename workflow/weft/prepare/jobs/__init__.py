"""What a job gets: the files and values that rules look up, memory, time, nodes, an image."""
