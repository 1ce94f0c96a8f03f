"""Forms, made from the models that check experiment files."""
