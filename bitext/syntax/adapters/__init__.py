"""Parsers that others made: in this process, as neural models, or as servers and commands."""
