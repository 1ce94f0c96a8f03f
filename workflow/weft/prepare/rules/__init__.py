"""What the Snakefile and its rules look up."""
