"""The built-in parser of English: its features, its charts and its model."""
