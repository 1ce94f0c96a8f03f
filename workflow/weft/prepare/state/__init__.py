"""What earlier runs have left: before Snakemake looks, what is no longer valid goes."""
