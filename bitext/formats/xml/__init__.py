"""XML for all formats: safe parsing, text, inline codes, schemas, and quick regular reading."""
