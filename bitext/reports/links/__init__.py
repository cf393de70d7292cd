"""Word links shown: pages and text."""
