"""What templates of pages need."""
