"""Pages, tables and drawings of results."""
