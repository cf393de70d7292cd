"""Alignments shown: pages, excerpts and places where systems err."""
