"""Word links: Pharaoh, NAACL and GIZA."""
