"""Words of two languages: vocabularies, cognates, lexicons, and the translation model."""
