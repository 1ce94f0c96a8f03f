"""What ran: how it ended, where, in which version, at what cost."""
