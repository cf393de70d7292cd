"""Lattices drawn: their layout, their drawing and their pages."""
