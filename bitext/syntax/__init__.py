"""Syntax of sentences: trees, chunks and traces, taggers and parsers."""
