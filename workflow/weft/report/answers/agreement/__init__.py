"""How near models are to their reference."""
