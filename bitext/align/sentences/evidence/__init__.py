"""The evidence for beads: lengths, words, punctuation and vectors, each a score of every bead."""
