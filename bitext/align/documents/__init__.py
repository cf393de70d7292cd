"""Documents and their sections that correspond, found before sentences are aligned."""
