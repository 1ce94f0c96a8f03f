"""What a command line asks for: experiments, variants, pages, archives."""
