"""What the default profile does before Snakemake begins; none of it may need much memory."""
