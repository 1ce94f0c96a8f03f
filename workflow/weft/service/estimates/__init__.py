"""What tasks will cost, learned from those that ran."""
