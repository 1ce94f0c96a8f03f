"""What workers say to the server, over HTTP."""
