"""Tasks: experiments that people have submitted."""
