"""What figures show, as rows."""
