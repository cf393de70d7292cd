"""Aligners: words of comparable sentences, and lattices of them."""
