"""Splitting of running text into sentences."""
