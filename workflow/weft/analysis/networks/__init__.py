"""What a network is: its parts, how far its nodes are apart, and how many links halves share."""
