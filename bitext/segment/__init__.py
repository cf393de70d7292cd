"""Segmentation of running text: paragraphs, by max-margin semi-Markov models and their rivals."""
