"""Which alternative is best."""
