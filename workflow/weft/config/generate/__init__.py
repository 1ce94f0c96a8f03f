"""What is generated from the models: JSON schemas and the reference."""
