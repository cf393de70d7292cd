"""Sentence pairs whose words are linked: a few, and some that repeat."""

PAIRS = [
    ("the house", "la maison"),
    ("the houses .", "les maisons ."),
    ("a table", "une table"),
    ("the 2 tables", "2 tables"),
    ("the .", "."),
]
SRC = ["the house", "the big house", "a house", "the big tree", "a tree .", "no", "in no house"] * 3
TGT = ["la maison", "la grande maison", "une maison", "le grand arbre", "un arbre .", "dans une"]
TGT = [*TGT, "pas dans la maison"] * 3
